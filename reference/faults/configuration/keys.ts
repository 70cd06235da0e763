import { createHash } from 'node:crypto'
import { invalid } from '../../core/refusal.ts'
import type { Key } from '../../model/configuration.ts'
import { afterwards, askedBody, body } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'
import type { Json } from '../core/lines.ts'

function keys(change: (keys: readonly Json[]) => unknown): Fault['changes'] {
  return body('list-enterprise-keys', (json) => change(json as unknown as readonly Json[]))
}

/** Refuses new keys of the enterprise with some names. */
function refusedName(bad: (name: string) => boolean): Changes {
  return askedBody('create-enterprise-key', (sent) => {
    if (bad(String(sent.name))) throw invalid('/name', 'is too long')
    return sent
  })
}

/** Faults of the keys of an enterprise. */
export const keyFaults: readonly Fault[] = [
  {
    name: 'keys-wrapped',
    about: 'the list of keys stands in a field keys',
    kills: ['ENT-KEYS-LIST-BODY'],
    changes: keys((list) => ({ keys: list })),
  },
  {
    name: 'keys-by-id',
    about: 'the keys are the values of an object, their ids its names',
    kills: ['ENT-KEYS-LIST-BODY'],
    changes: keys((list) => Object.fromEntries(list.map((key) => [key.id, key]))),
  },
  {
    name: 'keys-ids-only',
    about: 'the list of keys holds their ids only',
    kills: ['KEY-OBJECT'],
    changes: keys((list) => list.map(({ id }) => id)),
  },
  {
    name: 'keys-first-two',
    about: 'the list of keys ends after the second',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) => list.slice(0, 2)),
  },
  {
    name: 'keys-newest-25',
    about: 'the list of keys holds the newest 25 only',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) => list.slice(-25)),
  },
  {
    name: 'keys-newest-left-out',
    about: 'the key that was made last is not in the list of keys',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) => list.slice(0, -1)),
  },
  {
    name: 'keys-service-only',
    about: 'the list of keys leaves out those for ingestion',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) => list.filter(({ type }) => type === 'service')),
  },
  {
    name: 'keys-same-id',
    about: 'keys of one type have the same id',
    kills: ['KEY-ID-UNIQUE'],
    changes: keys((list) => list.map((key) => ({ ...key, id: String(key.type) }))),
  },
  {
    name: 'keys-number-id',
    about: 'the id of a key is a number',
    kills: ['KEY-ID-TYPE'],
    changes: keys((list) => list.map((key, index) => ({ ...key, id: index + 1 }))),
  },
  {
    name: 'keys-type-capital',
    about: 'the type of a key is written with a capital',
    kills: ['KEY-TYPE-VALUES'],
    changes: keys((list) =>
      list.map((key) => ({ ...key, type: String(key.type).replace(/^./, (one) => one.toUpperCase()) })),
    ),
  },
  {
    name: 'keys-type-account',
    about: 'keys have a third type',
    kills: ['KEY-TYPE-VALUES'],
    changes: keys((list) => list.map((key, index) => (index === 0 ? { ...key, type: 'account' } : key))),
  },
  {
    name: 'keys-created-date',
    about: 'the time of creation of a key is a date in text',
    kills: ['KEY-CREATED-TYPE'],
    changes: keys((list) => list.map((key) => ({ ...key, created: new Date(Number(key.created)).toISOString() }))),
  },
  {
    name: 'keys-created-seconds',
    about: 'created of a key is in seconds',
    kills: ['KEY-CREATED-MILLISECONDS'],
    changes: keys((list) => list.map((key) => ({ ...key, created: Math.floor(Number(key.created) / 1000) }))),
  },
  {
    name: 'keys-created-seconds-of-old',
    about: 'created of keys that were there from the start is in seconds',
    kills: ['KEY-CREATED-UNIT'],
    changes: keys((list) =>
      list.map((key) =>
        /^first /.test(String(key.name)) ? { ...key, created: Math.floor(Number(key.created) / 1000) } : key,
      ),
    ),
  },
  {
    name: 'keys-created-microseconds',
    about: 'created of a key is in microseconds',
    kills: ['KEY-CREATED-MILLISECONDS'],
    changes: keys((list) => list.map((key) => ({ ...key, created: Number(key.created) * 1000 }))),
  },
  {
    name: 'keys-created-fraction',
    about: 'the time of creation of a key is in seconds with a fraction',
    kills: ['KEY-CREATED-TYPE'],
    changes: keys((list) => list.map((key) => ({ ...key, created: Number(key.created) / 1000 + 0.0005 }))),
  },
  {
    name: 'keys-secret-left-out',
    about: 'the list of keys does not show the keys themselves',
    kills: ['KEY-KEY-PRESENT'],
    changes: keys((list) => list.map(({ key: _, ...rest }) => rest)),
  },
  {
    name: 'keys-name-31',
    about: 'a key is made under a name of 31 characters',
    kills: ['KEY-NAME-MAX'],
    changes: {
      state: ({ enterpriseKeys }) => {
        const [first] = enterpriseKeys.values()
        if (first) first.name = 'k'.repeat(31)
      },
    },
  },
  {
    name: 'keys-forgotten',
    about: 'a key that is made is not kept',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: afterwards(
      'create-enterprise-key',
      () => undefined,
      ({ state }, _, { json }) => void state.enterpriseKeys.delete((json as Key).id),
    ),
  },
  {
    name: 'keys-hashed-name',
    about: 'the names of keys are listed as digests',
    kills: ['ENT-KEYS-LIST-ALL'],
    changes: keys((list) =>
      list.map((key) => ({ ...key, name: createHash('sha1').update(String(key.name)).digest('hex').slice(0, 30) })),
    ),
  },
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
