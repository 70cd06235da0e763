import { isPending } from '../../core/route.ts'
import { idIn } from '../../core/things.ts'
import { things } from '../../model/state.ts'
import { askedBody, handler, type Json, named, refused, rows, success } from '../core/changes.ts'
import { type Changes, each, type Fault, fault } from '../core/fault.ts'

const createdKeys = each((change: (created: number, key: Json) => number) =>
  rows('list-enterprise-keys', (list) => list.map((key) => ({ ...key, created: change(Number(key.created), key) }))),
)

/** Service keys of the organisation can be made. */
const serviceKeys = handler('create-key', (inner) => (call) => {
  if (call.query.get('type') !== 'service') return inner(call)
  const reply = inner({ ...call, query: new URLSearchParams({ type: 'ingestion' }) })
  const made = [...things(call.state, 'key').values()].at(-1)
  if (isPending(reply) || !made) return reply
  made.body = { ...made.body, type: 'service' }
  return { ...reply, json: { ...(reply.json as Json), type: 'service' } }
})

/** Faults of keys. */
export const keyFaults: readonly Fault[] = [
  fault(
    'keys-reversed-names',
    'ENT-KEYS-LIST-ALL',
    'the names of keys are listed in reverse',
    rows('list-enterprise-keys', (list) =>
      list.map((key) => ({ ...key, name: [...String(key.name)].reverse().join('') })),
    ),
  ),
  createdKeys('keys-created-seconds', 'KEY-CREATED-MILLISECONDS', 'created of a key is in seconds', (created) =>
    Math.floor(created / 1000),
  ),
  createdKeys(
    'keys-created-seconds-of-old',
    'KEY-CREATED-UNIT',
    'created of keys that were there from the start is in seconds',
    (created, { name }) => (/^first /.test(String(name)) ? Math.floor(created / 1000) : created),
  ),
  createdKeys(
    'keys-created-half-a-day-off',
    'KEY-CREATED-MILLISECONDS',
    'created of a key is twelve hours late',
    (created) => created + 43_200_000,
  ),
  createdKeys(
    'keys-created-microseconds',
    'KEY-CREATED-MILLISECONDS',
    'created of a key is in microseconds',
    (created) => created * 1000,
  ),
  fault(
    'create-enterprise-key-name-in-bytes',
    'KEY-NAME-ACCEPTED',
    'the length of the name of an enterprise key is counted in bytes',
    refused('create-enterprise-key', (call) => Buffer.byteLength(String((call.body as Json).name)) > 30),
  ),
  fault('create-key-service', 'AUTH-SERVICE-KEY-CLOSED', 'service keys can still be created', serviceKeys),
]

/** A preset alert that was updated is not listed any more. */
function forgetful(): Changes {
  const updated = new Set<string>()
  return {
    ...handler('update-preset-alert', (inner) => (call) => {
      updated.add(idIn(call))
      return inner(call)
    }),
    ...success('list-preset-alerts', ({ json, ...answer }) => ({
      ...answer,
      json: (json as Json[]).filter(({ presetid }) => !updated.has(String(presetid))),
    })),
  }
}

/** The channels that an update of a preset alert sends, and those that are there. */
const channels = each((change: (sent: readonly Json[], before: readonly Json[]) => readonly unknown[]) =>
  askedBody('update-preset-alert', (sent, call) => {
    const before = named(call, 'preset-alert')?.body.channels
    return { ...sent, channels: change((sent.channels ?? []) as Json[], (before ?? []) as Json[]) }
  }),
)

/** Faults of preset alerts. */
export const presetFaults: readonly Fault[] = [
  fault('list-preset-alerts-forgets', 'PRESET-LIST', 'an updated preset alert is not listed any more', forgetful()),
  channels(
    'preset-update-keeps-more',
    'PRESET-READ',
    'an update with fewer channels leaves the others',
    (now, before) => [...now, ...before.slice(now.length)],
  ),
  channels('preset-update-adds-channels', 'PRESET-READ', 'an update adds its channels to others', (now, before) => [
    ...before,
    ...now,
  ]),
]
