import type { JsonSchema } from '../../schemas/load.ts'
import { type Answer, empty, isPending } from '../core/message.ts'
import { invalid, Refusal } from '../core/refusal.ts'
import { bodyOf, type Call, type Handler } from '../core/route.ts'
import { admission, askedBody } from '../faults/core/changes.ts'
import type { Changes } from '../faults/core/fault.ts'
import { routes } from '../routes.ts'
import type { Variant } from './variant.ts'

/** Wraps every operation. */
function all(wrap: (inner: Handler, operation: string) => Handler): Changes {
  return {
    handlers: Object.fromEntries(
      routes.map(({ operation }) => [operation, (inner: Handler) => wrap(inner, operation)]),
    ),
  }
}

/** Answers every nth request with `answer`, without carrying it out. */
function nowAndThen(n: number, answer: Answer, applies: (call: Call) => boolean): () => Changes {
  return () => {
    let count = 0
    return all((inner) => (call) => {
      count += 1
      return count % n === 0 && applies(call) ? answer : inner(call)
    })
  }
}

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
const IDEMPOTENT = new Set(['GET', 'PUT', 'DELETE'])

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

/** Other ways to carry requests out, and to refuse what need not be taken. */
export const behaviourVariants: readonly Variant[] = [
  {
    name: 'unknown-fields-refused',
    about: 'request fields that are not documented are refused',
    changes: stricter(Object.keys(BODIES), (schema, file) => ({
      ...schema,
      properties: { ...schema.properties, ...Object.fromEntries((BODIES[file] ?? []).map((name) => [name, {}])) },
      additionalProperties: false,
    })),
  },
  {
    name: 'missing-fields-refused',
    about: 'request fields that are documented must be there',
    changes: stricter(REQUIRED, (schema) => ({ ...schema, required: Object.keys(schema.properties ?? {}) })),
  },
  {
    name: 'utf-16-lengths',
    about: 'lengths are counted in UTF-16 units',
    changes: () =>
      all((inner) => (call) => {
        const { title } = (call.body ?? {}) as { title?: unknown }
        if (typeof title === 'string' && title.length > 512) throw invalid('/title', 'is too long')
        return inner(call)
      }),
  },
  {
    name: 'server-error-on-strange-values',
    about: 'values that nobody judges break the server',
    changes: () =>
      all((inner, operation) => (call) => {
        if (isUnjudged(call.body, TITLED.has(operation))) throw new Refusal('InternalServerError', 'something broke')
        return inner(call)
      }),
  },
  {
    name: 'stale-generation-refused',
    about: 'an update of a node with another than its newest generation is refused',
    changes: () => ({
      handlers: Object.fromEntries(
        (['transform', 'source'] as const).map((word) => [
          `update-${word}`,
          (inner: Handler) => (call: Call) => {
            const node = call.state.pipelines
              .get(call.params.pipeline_id ?? '')
              ?.[`${word}s`].get(call.params[`pipeline_${word}_id`] ?? '')
            const sent = bodyOf(call).generation_id
            if (node && sent !== undefined && sent !== node.generation)
              throw new Refusal('Conflict', 'somebody else was faster')
            return inner(call)
          },
        ]),
      ),
    }),
  },
  {
    name: 'too-many-requests',
    about: 'a request is put off now and then',
    changes: nowAndThen(
      60,
      { status: 429, headers: { 'retry-after': '0' }, json: { error: 'later', code: 'TooManyRequests' } },
      () => true,
    ),
  },
  {
    name: 'too-many-requests-bare',
    about: 'a request is put off now and then, without a word about when to come back',
    changes: nowAndThen(900, { status: 429 }, () => true),
  },
  {
    name: 'unavailable',
    about: 'the service is not there for a moment now and then',
    changes: nowAndThen(
      70,
      { status: 503, headers: { 'content-type': 'text/html' }, text: ['<h1>503</h1>'] },
      ({ request }) => IDEMPOTENT.has(request.method),
    ),
  },
  {
    name: 'bad-gateway',
    about: 'something on the way fails now and then',
    changes: nowAndThen(80, { status: 502 }, ({ request }) => IDEMPOTENT.has(request.method)),
  },
  {
    name: 'reads-behind',
    about: 'reads show what was there a moment ago',
    settleTimeout: 400,
    changes: behind,
  },
  {
    name: 'enterprise-both-keys',
    about: 'enterprise operations need a key of the organisation beside their own',
    enterprise: 'both',
    changes: () =>
      admission((access, { authorization }, { credentials }) =>
        access === 'enterprise' && authorization !== `Token ${credentials.accessToken}` ? false : undefined,
      ),
  },
  {
    name: 'service-key-on-v3',
    about: 'service keys open pipeline operations too',
    changes: () =>
      admission((access, { servicekey }, { credentials }) =>
        access === 'v3' && servicekey === credentials.serviceKey ? true : undefined,
      ),
  },
  {
    name: 'tap-fewer-events',
    about: 'a tap returns half of what was asked for',
    changes: () => askedBody('start-tap', (sent) => ({ ...sent, limit: Math.ceil(Number(sent.limit) / 2) })),
  },
  {
    name: 'tap-gives-up-early',
    about: 'a tap gives up at once where there is nothing yet',
    changes: () => askedBody('start-tap', (sent) => ({ ...sent, timeout: 0.05 })),
  },
  {
    name: 'exclusion-deletion-200',
    about: 'the deletion of an exclusion rule is answered with 200',
    changes: () => ({
      answer: (answer, _, operation) =>
        operation === 'delete-exclusion' && answer.status === 204 ? empty(200) : answer,
    }),
  },
  {
    name: 'exclusion-deletion-202',
    about: 'the deletion of an exclusion rule is answered with 202',
    changes: () => ({
      answer: (answer, _, operation) =>
        operation === 'delete-exclusion' && answer.status === 204 ? empty(202) : answer,
    }),
  },
  {
    name: 'exclusion-deletion-again',
    about: 'the deletion of an exclusion rule that is not there is a success',
    changes: () => ({
      answer: (answer, _, operation) =>
        operation === 'delete-exclusion' && answer.status === 404 ? empty(204) : answer,
    }),
  },
  {
    name: 'usage-other-zone',
    about: 'usage is cut into days at another hour',
    binding: () => ({
      formatVersion: 1,
      name: 'usage-other-zone',
      answers: { 'GAP-USAGE-DAY-ZONE': 'Asia/Kathmandu' },
    }),
    changes: () =>
      all((inner, operation) => (call) => {
        if (!operation.startsWith('list-usage-')) return inner(call)
        const query = new URLSearchParams(call.query)
        for (const name of ['from', 'to']) {
          const value = query.get(name)
          // What Kathmandu is ahead of UTC, in seconds.
          if (value !== null && /^-?\d+$/.test(value)) query.set(name, String(Number(value) + 20_700))
        }
        return inner({ ...call, query })
      }),
  },
  {
    name: 'nothing-there',
    about: 'the account holds nothing but its owner, and no key of the enterprise can be made',
    binding: () => ({
      formatVersion: 1,
      name: 'nothing-there',
      operations: { 'create-enterprise-key': { offered: false }, 'delete-enterprise-key': { offered: false } },
    }),
    changes: () => ({
      state: (state) => {
        for (const list of [state.enterpriseKeys, state.screens, state.exclusions, state.presets]) list.clear()
        for (const [email, { role }] of state.members) if (role !== 'owner') state.members.delete(email)
      },
    }),
  },
  {
    name: 'suspension-token-same',
    about: 'the first call to suspend always gives the same token',
    changes: () => ({
      handlers: {
        'suspend-ingestion': (inner) => (call) => {
          const reply = inner(call)
          const { guard } = call.state.suspension
          if (guard) call.state.suspension.guard = { ...guard, token: 'confirm-it' }
          return isPending(reply) ? reply : { ...reply, json: { token: 'confirm-it' } }
        },
      },
    }),
  },
  {
    name: 'tap-of-nothing-empty',
    about: 'a tap of a component that is not there is carried out, and finds no events',
    changes: () => ({
      handlers: {
        'start-tap': (inner) => (call) => {
          try {
            return inner(call)
          } catch (error) {
            if (!(error instanceof Refusal) || error.code !== 'NotFound') throw error
            return { status: 200, json: { data: { events: [] } } }
          }
        },
      },
    }),
  },
  {
    name: 'created-201',
    about: 'operations that the specification has no path for answer 201 when they make something',
    changes: () => ({
      answer: (answer, { method }, operation) => {
        const stated = ['create-preset-alert', 'create-group-from-pipeline', 'add-group-to-pipeline', 'start-tap']
        const makes = method === 'POST' && operation?.startsWith('create-') === true && !stated.includes(operation)
        return makes && answer.status === 200 ? { ...answer, status: 201 } : answer
      },
    }),
  },
]

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
