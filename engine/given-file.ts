import { FileFault } from '../fixtures/plain-file.ts'
import { UsageError } from './errors.ts'

/** What is read of a file that a user named. `where` and `hint`: of the message. @throws UsageError where it cannot be read */
export function givenFile<T>(read: () => T, where: string, hint: string | ((fault: FileFault) => string)): T {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown
    throw new UsageError({ where, what: thrown.message, hint: typeof hint === 'string' ? hint : hint(thrown) })
  }
}
