import { invalid } from '../core/refusal.ts'
import { askedBody } from './changes.ts'
import type { Changes, Mutant } from './mutant.ts'

/** Refuses new keys with some names. */
function refusedName(operation: string, bad: (name: string) => boolean): Changes {
  return askedBody(operation, (sent) => {
    if (bad(String(sent.name))) throw invalid('/name', 'is too long')
    return sent
  })
}

/** Faults in how long the name of a key may be. */
export const keyMutants: readonly Mutant[] = ['create-key', 'create-enterprise-key'].flatMap((operation): Mutant[] => [
  {
    name: `${operation}-name-30-refused`,
    about: 'the longest name that a key may have is refused',
    kills: ['KEY-NAME-REFUSED'],
    changes: refusedName(operation, (name) => name.length >= 30),
  },
  {
    name: `${operation}-name-in-bytes`,
    about: 'the length of the name of a key is counted in bytes',
    kills: ['KEY-NAME-REFUSED'],
    changes: refusedName(operation, (name) => Buffer.byteLength(name) > 30),
  },
])
