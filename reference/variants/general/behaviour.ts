import type { BindingFile } from '../../../schemas/binding.ts'
import type { JsonSchema } from '../../../schemas/load.ts'
import { invalid, Refusal } from '../../core/refusal.ts'
import { type Answer, isPending } from '../../core/route.ts'
import { admission } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { parallelFaults } from '../../faults/general/parallel.ts'
import { all, type CodedVariants, together } from '../core/variant.ts'

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
