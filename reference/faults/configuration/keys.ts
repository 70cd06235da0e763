import { createHash } from 'node:crypto'
import { invalid } from '../../core/refusal.ts'
import type { Key } from '../../model/configuration.ts'
import { afterwards, askedBody, body, type Json } from '../core/changes.ts'
import { type Changes, each, type Fault } from '../core/fault.ts'

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

const listed = each(keys)

/** Faults of the keys of an enterprise. */
export const keyFaults: readonly Fault[] = [
  listed('keys-wrapped', 'ENT-KEYS-LIST-BODY', 'the list of keys stands in a field keys', (list) => ({ keys: list })),
  listed('keys-by-id', 'ENT-KEYS-LIST-BODY', 'the keys are the values of an object, their ids its names', (list) =>
    Object.fromEntries(list.map((key) => [key.id, key])),
  ),
  listed('keys-ids-only', 'KEY-OBJECT', 'the list of keys holds their ids only', (list) => list.map(({ id }) => id)),
  listed('keys-first-two', 'ENT-KEYS-LIST-ALL', 'the list of keys ends after the second', (list) => list.slice(0, 2)),
  listed('keys-newest-25', 'ENT-KEYS-LIST-ALL', 'the list of keys holds the newest 25 only', (list) => list.slice(-25)),
  listed('keys-newest-left-out', 'ENT-KEYS-LIST-ALL', 'the key that was made last is not in the list of keys', (list) =>
    list.slice(0, -1),
  ),
  listed('keys-service-only', 'ENT-KEYS-LIST-ALL', 'the list of keys leaves out those for ingestion', (list) =>
    list.filter(({ type }) => type === 'service'),
  ),
  listed('keys-same-id', 'KEY-ID-UNIQUE', 'keys of one type have the same id', (list) =>
    list.map((key) => ({ ...key, id: String(key.type) })),
  ),
  listed('keys-number-id', 'KEY-ID-TYPE', 'the id of a key is a number', (list) =>
    list.map((key, index) => ({ ...key, id: index + 1 })),
  ),
  listed('keys-type-capital', 'KEY-TYPE-VALUES', 'the type of a key is written with a capital', (list) =>
    list.map((key) => ({ ...key, type: String(key.type).replace(/^./, (one) => one.toUpperCase()) })),
  ),
  listed('keys-type-account', 'KEY-TYPE-VALUES', 'keys have a third type', (list) =>
    list.map((key, index) => (index === 0 ? { ...key, type: 'account' } : key)),
  ),
  listed('keys-created-date', 'KEY-CREATED-TYPE', 'the time of creation of a key is a date in text', (list) =>
    list.map((key) => ({ ...key, created: new Date(Number(key.created)).toISOString() })),
  ),
  listed('keys-created-seconds', 'KEY-CREATED-MILLISECONDS', 'created of a key is in seconds', (list) =>
    list.map((key) => ({ ...key, created: Math.floor(Number(key.created) / 1000) })),
  ),
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
  listed('keys-created-microseconds', 'KEY-CREATED-MILLISECONDS', 'created of a key is in microseconds', (list) =>
    list.map((key) => ({ ...key, created: Number(key.created) * 1000 })),
  ),
  {
    name: 'keys-created-fraction',
    about: 'the time of creation of a key is in seconds with a fraction',
    kills: ['KEY-CREATED-TYPE'],
    changes: keys((list) => list.map((key) => ({ ...key, created: Number(key.created) / 1000 + 0.0005 }))),
  },
  listed('keys-secret-left-out', 'KEY-KEY-PRESENT', 'the list of keys does not show the keys themselves', (list) =>
    list.map(({ key: _, ...rest }) => rest),
  ),
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
  listed('keys-hashed-name', 'ENT-KEYS-LIST-ALL', 'the names of keys are listed as digests', (list) =>
    list.map((key) => ({ ...key, name: createHash('sha1').update(String(key.name)).digest('hex').slice(0, 30) })),
  ),
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
