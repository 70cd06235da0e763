import { type BindingFile, shippedBinding } from '../../../schemas/binding.ts'
import type { BoundOperation } from '../../../schemas/types/binding.ts'
import { type Answer, bodyOf } from '../../core/route.ts'
import { askedBody, refused, stored } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { type CodedVariants, everywhere, isFields, shownBy, together } from '../core/variant.ts'

/** Within configurations, fields that say nothing are left out. */
function withoutEmpty(value: unknown, inside = false): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutEmpty(element, inside))
  if (!isFields(value)) return value
  const kept = Object.entries(value).map(([name, child]) => [
    name,
    withoutEmpty(child, inside || name === 'user_config'),
  ])
  return Object.fromEntries(inside ? kept.filter(([, child]) => !isEmpty(child)) : kept)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

const HIDDEN = /key|secret|password|token|connection_string/

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
  return together(
    ...['transform', 'source'].map((word) =>
      stored(`update-${word}`, (node, { type, user_config }) =>
        node.type === type ? node : { ...node, type, user_config },
      ),
    ),
  )
}

const UPDATES = 'update-transform update-source'

/** Changes the configuration that a node is updated with. */
function configured(change: (config: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): Changes {
  return askedBody(UPDATES, ({ user_config: config = {}, ...body }) => ({
    ...body,
    user_config: change(config as Readonly<Record<string, unknown>>),
  }))
}

/** Whether a field of a configuration may be one that a target knows. */
function isPlain(name: string): boolean {
  return /^[a-z_]+$/.test(name)
}

/** A transform group that is read has a node of its own beside the copies. */
const withOwnNode = shownBy('get-group', (json) => {
  const { data } = json as { data?: { transforms?: readonly unknown[] } }
  if (!data?.transforms) return json
  const own = { id: '0a0a0a0a-0000-4000-8000-000000000000', title: 'entry', type: 'entry', user_config: {} }
  return { data: { ...data, transforms: [own, ...data.transforms] } }
})

/** Secrets in configurations are hidden, and defaults filled in. */
function configsMasked(): Changes {
  return shown(({ user_config: config, ...rest }) =>
    config === undefined ? rest : { ...rest, user_config: { ...(masked(config) as object), version: 1 } },
  )
}

/** The addition of a signing key is answered with those that were there before. */
const keysLater = shownBy('add-signing-key', (json) =>
  everywhere(json, (object) =>
    Array.isArray(object.signing_keys) ? { ...object, signing_keys: object.signing_keys.slice(0, -1) } : object,
  ),
)

/** Changes the good answers of pipeline operations, whose bodies the specification does not show. */
function shaped(change: (answer: Answer) => Answer): () => Changes {
  return () => ({
    answer: (answer, { path }, operation) =>
      path.startsWith('/v3/') && answer.status < 300 && operation !== undefined ? change(answer) : answer,
  })
}

/** The binding of the reference with other pointers into the answers of pipeline operations. */
function pointing(name: string, move: (pointer: string) => string): () => BindingFile {
  return () => {
    const operations: Record<string, BoundOperation> = {}
    for (const file of [shippedBinding('default'), shippedBinding('reference')]) {
      for (const [id, { answer }] of Object.entries(file.operations ?? {})) {
        for (const [what, pointer] of Object.entries(answer ?? {})) {
          if (pointer === null || !/^\/data(\/|$)/.test(pointer)) continue
          operations[id] = { answer: { ...operations[id]?.answer, [what]: move(pointer) } }
        }
      }
    }
    const events = { events: move('/data/events') }
    return { formatVersion: 1, name, operations, answers: { 'GAP-TAP-ANSWER': events } }
  }
}

/** Other ways to keep and to show what pipelines hold, and other shapes of answers. */
export const pipelineKeptVariants: CodedVariants = {
  'group-with-own-node': withOwnNode,
  'configurations-without-empty': shownBy('get-transform get-source list-transforms list-sources', (json) => {
    return withoutEmpty(json)
  }),
  'configs-masked': configsMasked,
  'kinds-kept': kindsKept,
  'kinds-kept-hidden': () => ({
    ...kindsKept(),
    ...shown(({ type, ...rest }) => ('user_config' in rest ? rest : { ...rest, type })),
  }),
  'inputs-sorted': () =>
    shown((object) => (Array.isArray(object.inputs) ? { ...object, inputs: object.inputs.sort() } : object)),
  'signing-keys-later': keysLater,
  'configs-closed': () =>
    refused(UPDATES, (call) => Object.keys(bodyOf(call).user_config ?? {}).some((name) => !isPlain(name))),
  'configs-known': () =>
    configured((config) => Object.fromEntries(Object.entries(config).filter(([name]) => isPlain(name)))),
  'v3-bare': {
    changes: shaped((answer) => ({ ...answer, json: (answer.json as { data: unknown }).data })),
    binding: pointing('v3-bare', (pointer) => pointer.replace('/data', '')),
  },
  'v3-deeper': {
    changes: shaped((answer) => ({ ...answer, json: { result: [answer.json] } })),
    binding: pointing('v3-deeper', (pointer) => `/result/0${pointer}`),
  },
}
