import type { Call, Handler } from '../../core/route.ts'
import type { State } from '../../model/state.ts'
import { askedBody, handler, type Json, named, rule, stored } from '../core/changes.ts'
import { type Changes, each, type Fault, fault } from '../core/fault.ts'

/** A node that was updated holds something else than was sent. */
const spoilt = (word: string): ReturnType<typeof each<Parameters<typeof stored>[1]>> =>
  each((spoil) => stored(`update-${word}`, spoil))

/** An update stores something else than was sent; `keep` knows how the node was. */
const replacing = (word: string): ReturnType<typeof each<(sent: Json, node: Json) => Json>> =>
  each((keep) =>
    askedBody(`update-${word}`, (sent, call) => {
      const node = named(call, word)?.body
      return node ? keep(sent, node) : sent
    }),
  )

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

function mergedConfig(sent: Json, { user_config: before }: Json): Json {
  return { ...sent, user_config: { ...(before as Json), ...(sent.user_config as Json) } }
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

const source = spoilt('source')
const [TRANSFORM, SOURCE] = ['TRANSFORM-UPDATE-REPLACES', 'SOURCE-UPDATE-REPLACES']

/** Faults in what updates of sources and transforms store. */
export const nodeFaults: readonly Fault[] = [
  fault('source-update-late', SOURCE, 'an update of a source is stored with the next one only', late()),
  source('source-config-flat', SOURCE, 'lists in the configuration of a source are not stored', (node) => ({
    ...node,
    user_config: Object.fromEntries(
      Object.entries(node.user_config as Json).filter(([, value]) => !Array.isArray(value)),
    ),
  })),
  ...(['transform', 'source'] as const).flatMap((word) => {
    const requirement = `${word.toUpperCase()}-UPDATE-REPLACES`
    const [kept, replaces] = [`a ${word} that stays of its kind`, replacing(word)]
    return [
      replaces(`${word}-config-kept-of-kind`, requirement, `${kept} keeps its configuration`, (sent, node) =>
        sent.type === node.type ? { ...sent, user_config: node.user_config } : sent,
      ),
      ...FREE.map(([field, requirements]) =>
        fault(`create-${word}-any-${field}`, requirements, `a new ${word} may have any ${field}`, anyText(word, field)),
      ),
      fault(`create-${word}-any-kind`, `NODE-${word.toUpperCase()}-KIND`, `a new ${word} may be of any kind`, {
        ...rule(`${word}-body`, '/properties/type', () => ({ type: 'string' })),
        ...handler(`create-${word}`, anyKind(word === 'source' ? 'http' : 'filter')),
      }),
      replaces(`${word}-config-merged`, requirement, `an update of a ${word} merges its configuration`, mergedConfig),
      replaces(`${word}-config-merged-of-kind`, requirement, `${kept} merges its configuration`, (sent, node) =>
        sent.type === node.type ? mergedConfig(sent, node) : sent,
      ),
      replaces(
        `${word}-config-merged-across-kinds`,
        requirement,
        `a ${word} that becomes one of another kind keeps what it was configured with as well`,
        (sent, node) => (sent.type === node.type ? sent : mergedConfig(sent, node)),
      ),
    ]
  }),
  replacing('transform')(
    'transform-last-input-kept',
    TRANSFORM,
    'the last inputs of a transform cannot be taken away',
    (sent, node) => (Array.isArray(sent.inputs) && sent.inputs.length === 0 ? { ...sent, inputs: node.inputs } : sent),
  ),
]
