import type { Call, Handler } from '../../core/route.ts'
import type { State } from '../../model/state.ts'
import { askedBody, handler, type Json, named, rule, stored } from '../core/changes.ts'
import { type Changes, type Fault, fault } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

/** What the last update sent is what this one stores. */
function late(): Changes {
  const waiting = new WeakMap<State, Map<string, Json>>()
  return askedBody('update-source', (sent, call) => {
    const bodies = waiting.get(call.state) ?? new Map<string, Json>()
    waiting.set(call.state, bodies)
    const id = named(call, 'source')?.id ?? ''
    const before = bodies.get(id) ?? sent
    bodies.set(id, sent)
    return before
  })
}

/** Fields of which a new node may hold any text, and what forbids that. */
const FREE = [
  ['title', 'NODE-TITLE-MAX NODE-TITLE-PATTERN'],
  ['description', 'NODE-DESCRIPTION-PATTERN'],
  ['deploy_type', 'NODE-DEPLOY-TYPE-VALUES'],
] as const

/** A field of a new node is not looked at: neither by the form of the reference nor by what the text says. */
function anyText(word: string, field: string): Changes {
  const loosen = (name: string) => rule(name, `/properties/${field}`, () => ({ type: 'string' })).schemas
  return {
    schemas: (all) => [`${word}-body`, 'node-create'].reduce((known, name) => loosen(name)?.(known) ?? known, all),
  }
}

/** A kind that nobody knows is carried out as another one. */
const anyKind = (usual: string) => (inner: Handler) => (call: Call) => {
  try {
    return inner(call)
  } catch {
    return inner({ ...call, body: { ...(call.body as Json), type: usual } })
  }
}

/** Whether an update leaves a node of its kind. */
type Kinds = 'any' | 'same' | 'other'

/** An update merges the configuration of a node, of which the kind stays or not. */
function merging(word: string, kinds: Kinds): Changes {
  return askedBody(`update-${word}`, (sent, call) => {
    const node = named(call, word)?.body
    if (!node || (kinds !== 'any' && (sent.type === node.type) !== (kinds === 'same'))) return sent
    return { ...sent, user_config: { ...(node.user_config as Json), ...(sent.user_config as Json) } }
  })
}

/** A node that stays of its kind keeps its configuration. */
function keeping(word: string): Changes {
  return askedBody(`update-${word}`, (sent, call) => {
    const node = named(call, word)?.body
    return node && sent.type === node.type ? { ...sent, user_config: node.user_config } : sent
  })
}

/** Lists in the configuration of a source are not stored. */
const flat = stored('update-source', (node) => {
  const kept = Object.entries(node.user_config as Json).filter(([, value]) => !Array.isArray(value))
  return { ...node, user_config: Object.fromEntries(kept) }
})

/** Faults in what updates of sources and transforms store. */
export const nodeFaults: Coded = {
  'source-update-late': late(),
  'source-config-flat': flat,
  'transform-config-kept-of-kind': keeping('transform'),
  'source-config-kept-of-kind': keeping('source'),
  'transform-config-merged': merging('transform', 'any'),
  'source-config-merged': merging('source', 'any'),
  'transform-config-merged-of-kind': merging('transform', 'same'),
  'source-config-merged-of-kind': merging('source', 'same'),
  'transform-config-merged-across-kinds': merging('transform', 'other'),
  'source-config-merged-across-kinds': merging('source', 'other'),
}

/** Faults in what new nodes may hold. */
export const newNodeFaults: readonly Fault[] = ['transform', 'source'].flatMap((word) => [
  ...FREE.map(([field, requirements]) =>
    fault(`create-${word}-any-${field}`, requirements, `a new ${word} may have any ${field}`, anyText(word, field)),
  ),
  fault(`create-${word}-any-kind`, `NODE-${word.toUpperCase()}-KIND`, `a new ${word} may be of any kind`, {
    ...rule(`${word}-body`, '/properties/type', () => ({ type: 'string' })),
    ...handler(`create-${word}`, anyKind(word === 'source' ? 'http' : 'filter')),
  }),
])
