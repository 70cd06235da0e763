import { bodyOf } from '../../core/route.ts'
import type { Node } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards, askedBody, notApplied, rule, status } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** Something that is wrong with a node once it was updated. */
function spoiltNode(
  word: 'transform' | 'source',
  spoil: (node: Node, before: Node, sent: Readonly<Record<string, unknown>>) => void,
): Fault['changes'] {
  const find = (state: State, params: Readonly<Record<string, string>>): Node | undefined =>
    state.pipelines.get(params.pipeline_id ?? '')?.[`${word}s`].get(params[`pipeline_${word}_id`] ?? '')
  return afterwards(
    `update-${word}`,
    ({ state, params }) => ({ ...find(state, params) }) as Node,
    (call, before) => {
      const node = find(call.state, call.params)
      if (node) spoil(node, before, bodyOf(call))
    },
  )
}

/** What the last update sent is what this one stores. */
function late(): Fault['changes'] {
  const waiting = new WeakMap<State, Map<string, unknown>>()
  return askedBody('update-source', (sent, { state, params }) => {
    const bodies = waiting.get(state) ?? new Map<string, unknown>()
    waiting.set(state, bodies)
    const id = params.pipeline_source_id ?? ''
    const before = bodies.get(id) ?? sent
    bodies.set(id, sent)
    return before
  })
}

type Json = Readonly<Record<string, unknown>>

/** An update of a node, told how the node was. */
function replacing(word: 'transform' | 'source', name: string, about: string, keep: (sent: Json, node: Node) => Json) {
  return {
    name: `${word}-${name}`,
    about,
    kills: [`${word.toUpperCase()}-UPDATE-REPLACES`],
    changes: askedBody(`update-${word}`, (sent, { state, params }) => {
      const pipeline = state.pipelines.get(params.pipeline_id ?? '')
      const node = pipeline?.[`${word}s`].get(params[`pipeline_${word}_id`] ?? '')
      return node ? keep(sent, node) : sent
    }),
  }
}

/** The configuration stays as long as the kind does. */
function configOfKind(word: 'transform' | 'source'): Fault {
  return replacing(
    word,
    'config-kept-of-kind',
    `a ${word} that stays of its kind keeps its configuration`,
    (sent, node) => (sent.type === node.kind ? { ...sent, user_config: node.userConfig } : sent),
  )
}

/** What the configuration was before stays where the new one does not name it. `when`: for which updates that is so. */
function merged(
  word: 'transform' | 'source',
  name: string,
  about: string,
  when: (sent: Json, node: Node) => boolean,
): Fault {
  return replacing(word, name, about, (sent, node) =>
    when(sent, node) ? { ...sent, user_config: { ...node.userConfig, ...(sent.user_config as object) } } : sent,
  )
}

/** Faults in what updates of transforms and sources change and leave. */
export const nodeFaults: readonly Fault[] = [
  {
    name: 'transform-update-accepted',
    about: 'the update of a transform is answered with 202',
    kills: ['TRANSFORM-UPDATE-STATUS'],
    changes: status('update-transform', 202),
  },
  {
    name: 'transform-update-not-applied',
    about: 'an update of a transform changes nothing',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: notApplied('update-transform'),
  },
  {
    name: 'transform-title-kept',
    about: 'an update of a transform keeps the title',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node, before) => {
      node.title = before.title
    }),
  },
  {
    name: 'transform-title-cut',
    about: 'the title of a transform is cut to 16 characters',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => {
      node.title = node.title?.slice(0, 16) ?? null
    }),
  },
  {
    name: 'transform-description-kept',
    about: 'an update of a transform keeps the description',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node, before) => {
      node.description = before.description
    }),
  },
  {
    name: 'transform-deploy-type-fixed',
    about: 'the deploy type of a transform is saas whatever is sent',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => {
      node.deployType = 'saas'
    }),
  },
  {
    name: 'transform-config-emptied',
    about: 'an update of a transform empties its configuration',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => {
      node.userConfig = {}
    }),
  },
  {
    name: 'transform-description-upper-case',
    about: 'the description of a transform is stored in upper case',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => {
      node.description = node.description?.toUpperCase() ?? null
    }),
  },
  {
    name: 'transform-description-hidden',
    about: 'a transform that was updated is read without its description',
    kills: ['TRANSFORM-UPDATE-REPLACES'],
    changes: spoiltNode('transform', (node) => void Reflect.deleteProperty(node, 'description')),
  },
  {
    name: 'source-description-hidden',
    about: 'a source that was updated is read without its description',
    kills: ['SOURCE-UPDATE-REPLACES'],
    changes: spoiltNode('source', (node) => void Reflect.deleteProperty(node, 'description')),
  },
  {
    name: 'source-title-in-description',
    about: 'the title of a source is stored as its description',
    kills: ['SOURCE-UPDATE-REPLACES'],
    changes: spoiltNode('source', (node) => {
      node.description = node.title
    }),
  },
  {
    name: 'source-deploy-type-kept',
    about: 'an update of a source keeps the deploy type',
    kills: ['SOURCE-UPDATE-REPLACES'],
    changes: spoiltNode('source', (node, before) => {
      node.deployType = before.deployType
    }),
  },
  {
    name: 'source-update-late',
    about: 'an update of a source shows with the next one only',
    kills: ['SOURCE-UPDATE-REPLACES'],
    changes: late(),
  },
  {
    name: 'transform-kind-unchecked',
    about: 'a transform is given any kind',
    kills: ['NODE-TRANSFORM-KIND'],
    changes: rule('node', '/$defs/transform_kind', ({ enum: _, ...kind }) => kind),
  },
  {
    name: 'source-kind-unchecked',
    about: 'a source is given any kind',
    kills: ['NODE-SOURCE-KIND'],
    changes: rule('node', '/$defs/source_kind', ({ enum: _, ...kind }) => kind),
  },
  {
    name: 'transform-kind-missing',
    about: 'a transform cannot be of the kind trace-sampling',
    kills: ['NODE-TRANSFORM-KIND-ACCEPTED'],
    changes: rule('node', '/$defs/transform_kind', (kind) => ({ ...kind, enum: kind.enum?.slice(0, -1) ?? [] })),
  },
  {
    name: 'source-kind-missing',
    about: 'a source cannot be of the kind open-telemetry-traces',
    kills: ['NODE-SOURCE-KIND-ACCEPTED'],
    changes: rule('node', '/$defs/source_kind', (kind) => ({ ...kind, enum: kind.enum?.slice(0, -1) ?? [] })),
  },
  configOfKind('transform'),
  configOfKind('source'),
  ...(['transform', 'source'] as const).flatMap((word) => [
    merged(word, 'config-merged', `an update of a ${word} merges its configuration with the old one`, () => true),
    merged(
      word,
      'config-merged-of-kind',
      `a ${word} that stays of its kind merges its configuration with the old one`,
      (sent, node) => sent.type === node.kind,
    ),
    merged(
      word,
      'config-merged-across-kinds',
      `a ${word} that becomes one of another kind keeps what it was configured with as well`,
      (sent, node) => sent.type !== node.kind,
    ),
  ]),
  replacing('transform', 'last-input-kept', 'the last inputs of a transform cannot be taken away', (sent, node) =>
    Array.isArray(sent.inputs) && sent.inputs.length === 0 ? { ...sent, inputs: node.inputs } : sent,
  ),
]
