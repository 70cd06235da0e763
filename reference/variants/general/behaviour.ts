import type { BindingFile } from '../../../schemas/binding.ts'
import type { JsonSchema } from '../../../schemas/load.ts'
import { operationRow } from '../../../schemas/service.ts'
import { invalid, Refusal } from '../../core/refusal.ts'
import { type Answer, isPending } from '../../core/route.ts'
import { admission } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { parallelFaults } from '../../faults/general/parallel.ts'
import type { State, Thing } from '../../model/state.ts'
import { all, type CodedVariants, generator, together } from '../core/variant.ts'

const BODIES: Readonly<Record<string, readonly string[]>> = {
  'transform-update': ['type'],
  'source-update': ['type'],
  'group-from-pipeline': [],
  'group-placement': [],
  'revision-switch': [],
  'signing-key': [],
  'state-variable-patch': [],
  'preset-alert': ['viewid'],
  'tap-request': [],
  'gateway-route-patch': [],
}

function stricter(files: readonly string[], edit: (schema: JsonSchema, file: string) => JsonSchema): () => Changes {
  return () => ({
    schemas: (schemas) =>
      new Map([...schemas].map(([file, schema]) => [file, files.includes(file) ? edit(schema, file) : schema])),
  })
}

const REQUIRED = [
  'transform-update',
  'source-update',
  'group-from-pipeline',
  'group-placement',
  'revision-switch',
  'signing-key',
  'state-variable-patch',
  'preset-alert',
]

/** Operations whose titles and descriptions have a pattern that lets letters of all scripts in. */
const TITLED = new Set(['update-transform', 'update-source', 'create-group-from-pipeline'])

/** Whether a body holds a value whose acceptance nobody judges. `letters`: those outside ASCII are judged. */
function isUnjudged(value: unknown, letters: boolean): boolean {
  if (typeof value === 'string') {
    const known = letters ? value.replace(/[\u{80}-\u{ffff}]/gu, (one) => (/\p{L}/u.test(one) ? 'a' : one)) : value
    return /[^\u0020-\u007e]/u.test(known) || value.length > 2_000
  }
  if (value === null || typeof value !== 'object') return value === null
  return Object.values(value).some((one) => isUnjudged(one, letters))
}

/** Each address shows for a while what it showed before. */
function behind(): Changes {
  const shown = new Map<string, { readonly answer: Answer; readonly at: number }>()
  const LAG_MS = 60
  return {
    reply: (reply, { method, path, search }, env) => {
      if (method !== 'GET' || isPending(reply) || reply.status !== 200 || reply.json === undefined) return reply
      const key = `${path}?${search}`
      const before = shown.get(key)
      if (before && env.now() - before.at < LAG_MS) return before.answer
      shown.set(key, { answer: { ...reply, json: structuredClone(reply.json) }, at: env.now() })
      return reply
    },
  }
}

/** The kept things of an account, as they were at a time. */
interface Past {
  readonly at: number
  readonly things: State['things']
}

/**
 * Lists show what was there so many milliseconds ago. `varies`: or less, another time for each list, so that one may be
 * older than the one before it.
 */
export function listsBehind(lagMs: number, varies: boolean, seed: number = 1): Changes {
  const random = generator(seed)
  let past: readonly Past[] = []
  return all((inner, operation) => {
    const { verb, resource } = operationRow(operation) ?? {}
    if (verb === 'list') {
      return (call) => {
        const shown = call.env.now() - lagMs * (varies ? random() : 1)
        const then = past.findLast(({ at }) => at <= shown)?.things.get(resource ?? '') ?? new Map<string, Thing>()
        return inner({
          ...call,
          state: { ...call.state, things: new Map(call.state.things).set(resource ?? '', then) },
        })
      }
    }
    return (call) => {
      if (call.request.method === 'GET') return inner(call)
      if (past.length === 0) past = [{ at: 0, things: copied(call.state) }]
      const reply = inner(call)
      const at = call.env.now()
      const oldest = past.findLastIndex((one) => one.at <= at - lagMs)
      past = [...past.slice(Math.max(0, oldest)), { at, things: copied(call.state) }]
      return reply
    }
  })
}

function copied({ things }: State): State['things'] {
  return new Map([...things].map(([type, kept]) => [type, new Map([...kept].map(([id, one]) => [id, { ...one }]))]))
}

const noUnknownFields = stricter(Object.keys(BODIES), (schema, file) => ({
  ...schema,
  properties: { ...schema.properties, ...Object.fromEntries((BODIES[file] ?? []).map((name) => [name, {}])) },
  additionalProperties: false,
}))

/** Lengths are counted in UTF-16 units. */
const inUnits: Wrap = (inner) => (call) => {
  const { title } = (call.body ?? {}) as { title?: unknown }
  if (typeof title === 'string' && title.length > 512) throw invalid('/title', 'is too long')
  return inner(call)
}

const breaks: Wrap = (inner, operation) => (call) => {
  if (isUnjudged(call.body, TITLED.has(operation))) throw new Refusal('InternalServerError', 'something broke')
  return inner(call)
}

type Wrap = Parameters<typeof all>[0]

/** The account holds nothing but its owner, and no key of the enterprise can be made. */
const nothingThere = {
  binding: (): BindingFile => ({
    formatVersion: 1,
    name: 'nothing-there',
    operations: { 'create-enterprise-key': { offered: false }, 'delete-enterprise-key': { offered: false } },
  }),
  changes: (): Changes => ({
    state: (state) => {
      for (const kept of state.things.values())
        for (const [id, { body }] of kept) if (body.role !== 'owner') kept.delete(id)
    },
  }),
}

/** Other ways to carry requests out, and to refuse what need not be taken. */
export const behaviourVariants: CodedVariants = {
  'unknown-fields-refused': noUnknownFields,
  'missing-fields-refused': stricter(REQUIRED, (schema) => {
    return { ...schema, required: Object.keys(schema.properties ?? {}) }
  }),
  'utf-16-lengths': () => all(inUnits),
  'server-error-on-strange-values': () => all(breaks),
  'reads-behind': behind,
  'lists-behind': () => listsBehind(200, false),
  'lists-waver': () => listsBehind(200, true),
  'enterprise-both-keys': () =>
    admission((access, { authorization }, { credentials }) =>
      access === 'enterprise' && authorization !== `Token ${credentials.accessToken}` ? false : undefined,
    ),
  'service-key-on-v3': () =>
    admission((access, { servicekey }, { credentials }) =>
      access === 'v3' && servicekey === credentials.serviceKey ? true : undefined,
    ),
  'service-key-not-for-ingestion': () => ({
    routes: { 'delete-exclusion': (route) => ({ ...route, access: 'v3' }) },
  }),
  'nothing-there': nothingThere,
  'requests-overlap': () => together(...Object.values(parallelFaults)),
}
