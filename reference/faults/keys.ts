import { invalid } from '../core/refusal.ts'
import { askedBody } from './core/changes.ts'
import type { Changes, Fault } from './core/fault.ts'

/** Refuses new keys of the enterprise with some names. */
function refusedName(bad: (name: string) => boolean): Changes {
  return askedBody('create-enterprise-key', (sent) => {
    if (bad(String(sent.name))) throw invalid('/name', 'is too long')
    return sent
  })
}

/** Faults in how long the name of an enterprise key may be. */
export const keyFaults: readonly Fault[] = [
  {
    name: 'create-enterprise-key-name-30-refused',
    about: 'the longest name that an enterprise key may have is refused',
    kills: ['KEY-NAME-ACCEPTED'],
    changes: refusedName((name) => name.length >= 30),
  },
  {
    name: 'create-enterprise-key-name-in-bytes',
    about: 'the length of the name of an enterprise key is counted in bytes',
    kills: ['KEY-NAME-ACCEPTED'],
    changes: refusedName((name) => Buffer.byteLength(name) > 30),
  },
]
