import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { FileFault, readPlain } from '../fixtures/plain-file.ts'
import { PRIVATE_FILE } from '../fixtures/private-folder.ts'
import { UsageError } from './errors.ts'

const KEY_BYTES = 32
/** Bytes that a file of a key may have. */
const MOST_KEY = 4096

/**
 * The key of the pseudonyms. With a file, two recordings call the same secret by the same pseudonym; without one, each
 * has a key that nobody keeps. @throws UsageError
 */
export function pseudonymKey(path: string | undefined): Buffer {
  if (path === undefined) return randomBytes(KEY_BYTES)
  try {
    const key = Buffer.from(readPlain(path, 'given', MOST_KEY).toString('latin1').trim(), 'hex')
    if (key.length >= 16) return key
    throw new UsageError({
      where: path,
      what: 'holds no key',
      hint: 'at least 32 hexadecimal digits; or let assay make one',
    })
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown
    if (thrown.code !== 'ENOENT') throw new UsageError({ where: path, what: thrown.message, hint: '' })
  }
  const key = randomBytes(KEY_BYTES)
  try {
    writeFileSync(path, `${key.toString('hex')}\n`, { mode: PRIVATE_FILE, flag: 'wx' })
  } catch (thrown) {
    throw new UsageError({ where: path, what: (thrown as Error).message, hint: '' })
  }
  return key
}
