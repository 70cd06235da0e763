import { invalid } from '../core/refusal.ts'
import type { Call, Handler } from '../core/route.ts'
import { afterwards } from '../faults/core/changes.ts'
import type { Changes } from '../faults/core/fault.ts'
import type { Node } from '../model/pipelines.ts'
import type { Variant } from './variant.ts'

const HIDDEN = /key|secret|password|token|connection_string/

/** Changes every object of a value, the inner ones first. */
function everywhere(value: unknown, change: (object: Readonly<Record<string, unknown>>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => everywhere(one, change))
  if (value === null || typeof value !== 'object') return value
  return change(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, everywhere(one, change)])))
}

/** Changes every object in the good answers of pipeline operations. */
function shown(change: (object: Readonly<Record<string, unknown>>) => unknown): Changes {
  return {
    answer: (answer, { path }) =>
      path.startsWith('/v3/') && answer.status < 300 && answer.json !== undefined
        ? { ...answer, json: everywhere(answer.json, change) }
        : answer,
  }
}

function masked(config: unknown): unknown {
  return everywhere(config, (object) =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, HIDDEN.test(name) ? '***' : value])),
  )
}

/** An update leaves the kind as it is, and the configuration with it where it is that of another one. */
function kindsKept(): Changes {
  const of = (word: 'transform' | 'source'): Changes => {
    const find = ({ state, params }: Call): Node | undefined =>
      state.pipelines.get(params.pipeline_id ?? '')?.[`${word}s`].get(params[`pipeline_${word}_id`] ?? '')
    return afterwards(
      `update-${word}`,
      (call) => ({ ...find(call) }) as Node,
      (call, { kind, userConfig }) => {
        const node = find(call)
        if (node && node.kind !== kind) Object.assign(node, { kind, userConfig })
      },
    )
  }
  return { handlers: { ...of('transform').handlers, ...of('source').handlers } }
}

/** Operations whose texts have no stated bounds and no pattern. */
const UNBOUND = [
  'update-gateway-route',
  'update-preset-alert',
  'update-state-variables',
  ...['board', 'view', 'category', 'alert', 'screen', 'pipeline'].map((word) => `update-${word}`),
]

function isOdd(value: unknown): boolean {
  if (typeof value === 'string') return /[^ -~]|[&'\\]/u.test(value) || value.length > 255
  return value !== null && typeof value === 'object' && Object.values(value).some(isOdd)
}

function choosy(): Changes {
  const check = (inner: Handler) => (call: Call) => {
    if (isOdd(call.body)) throw invalid('', 'must be plainer')
    return inner(call)
  }
  return { handlers: Object.fromEntries(UNBOUND.map((operation) => [operation, check])) }
}

/** Changes the configuration that a node is updated with. */
function configured(change: (config: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): Changes {
  const update = (inner: Handler) => (call: Call) => {
    const body = call.body as Readonly<Record<string, unknown>>
    return inner({ ...call, body: { ...body, user_config: change((body.user_config ?? {}) as typeof body) } })
  }
  return { handlers: { 'update-transform': update, 'update-source': update } }
}

/** Whether a field of a configuration may be one that a target knows. */
function isPlain(name: string): boolean {
  return /^[a-z_]+$/.test(name)
}

/** Refuses what `bad` says of a body. */
function refusing(operations: readonly string[], bad: (body: Readonly<Record<string, unknown>>) => boolean): Changes {
  const check = (inner: Handler) => (call: Call) => {
    if (bad(call.body as Readonly<Record<string, unknown>>)) throw invalid('', 'is not taken here')
    return inner(call)
  }
  return { handlers: Object.fromEntries(operations.map((operation) => [operation, check])) }
}

/** Other ways to keep and to show what was written. */
export const storedVariants: readonly Variant[] = [
  {
    name: 'configs-masked',
    about: 'configurations of nodes are shown with their secrets hidden and with defaults filled in',
    changes: () =>
      shown(({ user_config: config, ...rest }) =>
        config === undefined ? rest : { ...rest, user_config: { ...(masked(config) as object), version: 1 } },
      ),
  },
  {
    name: 'kinds-kept',
    about: 'the kind of a node stays what it was made as, whatever an update says',
    changes: kindsKept,
  },
  {
    name: 'kinds-kept-hidden',
    about: 'the kind of a node stays what it was made as, and no answer shows it',
    changes: () => ({
      ...kindsKept(),
      ...shown(({ type, ...rest }) => ('user_config' in rest ? rest : { ...rest, type })),
    }),
  },
  {
    name: 'inputs-sorted',
    about: 'the inputs of a node are kept in an order of their own',
    changes: () =>
      shown((object) => (Array.isArray(object.inputs) ? { ...object, inputs: object.inputs.sort() } : object)),
  },
  {
    name: 'signing-keys-later',
    about: 'the addition of a signing key is answered with those that were there before',
    changes: () => ({
      answer: (answer, request, operation) =>
        operation === 'add-signing-key'
          ? (shown((object) =>
              Array.isArray(object.signing_keys)
                ? { ...object, signing_keys: object.signing_keys.slice(0, -1) }
                : object,
            ).answer?.(answer, request, operation) ?? answer)
          : answer,
    }),
  },
  {
    name: 'key-names-plain',
    about: 'names of keys may hold no letters outside ASCII',
    changes: () =>
      refusing(['create-key', 'create-enterprise-key', 'update-key'], ({ name }) => /[^ -~]/u.test(String(name))),
  },
  {
    name: 'presets-one-channel',
    about: 'a preset alert has one channel of a kind at most',
    changes: () =>
      refusing(['create-preset-alert', 'update-preset-alert'], ({ channels }) => {
        const kinds = Array.isArray(channels) ? channels.map((channel) => channel?.integration) : []
        return new Set(kinds).size < kinds.length
      }),
  },
  {
    name: 'transforms-fed',
    about: 'a transform is not left without inputs once it had some',
    changes: () => refusing(['update-transform'], ({ inputs }) => Array.isArray(inputs) && inputs.length === 0),
  },
  {
    name: 'configs-closed',
    about: 'a configuration with a field that nobody knows is refused',
    changes: () =>
      refusing(['update-transform', 'update-source'], ({ user_config: config }) =>
        Object.keys((config ?? {}) as object).some((name) => !isPlain(name)),
      ),
  },
  {
    name: 'configs-known',
    about: 'fields that nobody knows are left out of a configuration',
    changes: () => configured((config) => Object.fromEntries(Object.entries(config).filter(([name]) => isPlain(name)))),
  },
  {
    name: 'choosy-texts',
    about: 'texts without a stated pattern may hold no marks, no letters outside ASCII and 255 characters at most',
    changes: choosy,
  },
]
