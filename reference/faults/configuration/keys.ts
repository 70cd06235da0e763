import { isPending } from '../../core/message.ts'
import { invalid } from '../../core/refusal.ts'
import { idIn } from '../../core/things.ts'
import { things } from '../../model/state.ts'
import { asked, askedBody, body, handler, type Json, named, replied, success } from '../core/changes.ts'
import { type Changes, each, type Fault, fault } from '../core/fault.ts'

const listed = each((change: (keys: readonly Json[]) => unknown) =>
  body('list-enterprise-keys', (json) => change(json as unknown as readonly Json[])),
)

const createdKeys = each((change: (created: number, key: Json) => number) =>
  body('list-enterprise-keys', (json) =>
    (json as unknown as Json[]).map((key) => ({ ...key, created: change(Number(key.created), key) })),
  ),
)

/** Refuses new keys of the enterprise with some names. */
const refusedName = each((bad: (name: string) => boolean) =>
  askedBody('create-enterprise-key', (sent) => {
    if (bad(String(sent.name))) throw invalid('/name', 'is too long')
    return sent
  }),
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
    'keys-invalid-ignored',
    'ENT-KEYS-INVALID-REFUSED',
    'a query that is invalid for the list of keys is ignored',
    asked('list-enterprise-keys', (call) => ({ ...call, query: new URLSearchParams() })),
  ),
  listed('keys-first-two', 'ENT-KEYS-LIST-ALL', 'the list of keys ends after the second', (list) => list.slice(0, 2)),
  listed('keys-newest-25', 'ENT-KEYS-LIST-ALL', 'the list of keys holds the newest 25 only', (list) => list.slice(-25)),
  listed('keys-service-only', 'ENT-KEYS-LIST-ALL', 'the list of keys leaves out those for ingestion', (list) =>
    list.filter(({ type }) => type === 'service'),
  ),
  listed('keys-reversed-names', 'ENT-KEYS-LIST-ALL', 'the names of keys are listed in reverse', (list) =>
    list.map((key) => ({ ...key, name: [...String(key.name)].reverse().join('') })),
  ),
  listed('keys-same-id', 'KEY-ID-UNIQUE', 'keys of one type have the same id', (list) =>
    list.map((key) => ({ ...key, id: String(key.type) })),
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
    'keys-created-microseconds',
    'KEY-CREATED-MILLISECONDS',
    'created of a key is in microseconds',
    (created) => created * 1000,
  ),
  refusedName(
    'create-enterprise-key-name-30-refused',
    'KEY-NAME-ACCEPTED',
    'the longest name that an enterprise key may have is refused',
    (name) => name.length >= 30,
  ),
  refusedName(
    'create-enterprise-key-name-in-bytes',
    'KEY-NAME-ACCEPTED',
    'the length of the name of an enterprise key is counted in bytes',
    (name) => Buffer.byteLength(name) > 30,
  ),
  fault(
    'create-enterprise-key-name-cut',
    'KEY-NAME-REFUSED',
    'the name of a new enterprise key is cut to 30 characters, and not refused',
    askedBody('create-enterprise-key', (sent) => ({ ...sent, name: String(sent.name).slice(0, 30) })),
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
  fault(
    'preset-create-nameless',
    'PRESET-CREATE-MAKES',
    'a preset alert is created without its name',
    askedBody('create-preset-alert', ({ name: _, ...sent }) => sent),
  ),
  fault(
    'preset-create-twice',
    'PRESET-CREATE-MAKES',
    'one creation makes two preset alerts',
    replied('create-preset-alert', (_, call, inner) => inner(call)),
  ),
  fault(
    'preset-create-first-channel',
    'PRESET-READ',
    'of the channels of a new preset alert the first one is stored',
    askedBody('create-preset-alert', ({ channels: all, ...sent }) =>
      Array.isArray(all) ? { ...sent, channels: all.slice(0, 1) } : sent,
    ),
  ),
  fault('list-preset-alerts-forgets', 'PRESET-LIST', 'an updated preset alert is not listed any more', forgetful()),
  fault(
    'preset-update-hides-channels',
    'PRESET-READ',
    'a preset alert that was updated is read without its channels',
    askedBody('update-preset-alert', ({ channels: _, ...sent }) => sent),
  ),
  channels('preset-update-no-headers', 'PRESET-READ', 'an update drops the headers of channels', (sent) =>
    sent.map(({ headers: _, ...channel }) => channel),
  ),
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
  channels('preset-update-first-channel', 'PRESET-READ', 'of several channels an update stores the first', (sent) =>
    sent.slice(0, 1),
  ),
  channels('preset-emails-first-only', 'PRESET-READ', 'of the addresses of a channel the first one is stored', (sent) =>
    sent.map((channel) => ({ ...channel, emails: (channel.emails as unknown[] | undefined)?.slice(0, 1) })),
  ),
  channels('preset-always-in-the-end', 'PRESET-READ', 'an updated preset alert is never sent at once', (sent) =>
    sent.map((channel) => ({ ...channel, immediate: false, terminal: true })),
  ),
]
