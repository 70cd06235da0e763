import type { Call } from '../../core/route.ts'
import type { Node } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards, askedBody, type Json, notApplied, rule, status } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'

type Word = 'transform' | 'source'

function find(word: Word, { state, params }: Call): Node | undefined {
  return state.pipelines.get(params.pipeline_id ?? '')?.[`${word}s`].get(params[`pipeline_${word}_id`] ?? '')
}

/** An update of a node that does not store what it was sent. */
function broken(word: Word, name: string, about: string, changes: Changes): Fault {
  return { name: `${word}-${name}`, about, kills: [`${word.toUpperCase()}-UPDATE-REPLACES`], changes }
}

/** Fields of a node are others once it was updated. */
export function spoiltNode(
  word: Word,
  name: string,
  about: string,
  spoil: (node: Node, before: Node) => Partial<Node>,
): Fault {
  const changes = afterwards(
    `update-${word}`,
    (call) => ({ ...find(word, call) }) as Node,
    (call, before) => {
      const node = find(word, call)
      if (node) Object.assign(node, spoil(node, before))
    },
  )
  return broken(word, name, about, changes)
}

/** A node that was updated is read without its description. */
function hidden(word: Word): Fault {
  const about = `a ${word} that was updated is read without its description`
  const changes = afterwards(
    `update-${word}`,
    () => undefined,
    (call) => void Reflect.deleteProperty(find(word, call) ?? {}, 'description'),
  )
  return broken(word, 'description-hidden', about, changes)
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

/** An update of a node that stores something else than was sent; `keep` knows how the node was. */
function replacing(word: Word, name: string, about: string, keep: (sent: Json, node: Node) => Json): Fault {
  const changes = askedBody(`update-${word}`, (sent, call) => {
    const node = find(word, call)
    return node ? keep(sent, node) : sent
  })
  return broken(word, name, about, changes)
}

/** What the configuration was before stays where the new one does not name it. `when`: for which updates that is so. */
function merged(word: Word, name: string, about: string, when: (sent: Json, node: Node) => boolean): Fault {
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
  broken('transform', 'update-not-applied', 'an update of a transform changes nothing', notApplied('update-transform')),
  broken('source', 'update-late', 'an update of a source shows with the next one only', late()),
  spoiltNode('transform', 'title-kept', 'an update of a transform keeps the title', (_, { title }) => ({ title })),
  spoiltNode('transform', 'title-cut', 'the title of a transform is cut to 16 characters', ({ title }) => ({
    title: title?.slice(0, 16) ?? null,
  })),
  spoiltNode('transform', 'description-kept', 'an update of a transform keeps the description', (_, before) => ({
    description: before.description,
  })),
  spoiltNode('transform', 'deploy-type-fixed', 'the deploy type of a transform is saas whatever is sent', () => ({
    deployType: 'saas',
  })),
  spoiltNode('transform', 'config-emptied', 'an update of a transform empties its configuration', () => ({
    userConfig: {},
  })),
  spoiltNode(
    'transform',
    'description-upper-case',
    'the description of a transform is stored in upper case',
    ({ description }) => ({ description: description?.toUpperCase() ?? null }),
  ),
  spoiltNode('source', 'title-in-description', 'the title of a source is stored as its description', ({ title }) => ({
    description: title,
  })),
  spoiltNode('source', 'deploy-type-kept', 'an update of a source keeps the deploy type', (_, { deployType }) => ({
    deployType,
  })),
  hidden('transform'),
  hidden('source'),
  ...[
    ['transform', 'trace-sampling'],
    ['source', 'open-telemetry-traces'],
  ].flatMap(([word = '', last]): Fault[] => [
    {
      name: `${word}-kind-unchecked`,
      about: `a ${word} is given any kind`,
      kills: [`NODE-${word.toUpperCase()}-KIND`],
      changes: rule('node', `/$defs/${word}_kind`, ({ enum: _, ...kind }) => kind),
    },
    {
      name: `${word}-kind-missing`,
      about: `a ${word} cannot be of the kind ${last}`,
      kills: [`NODE-${word.toUpperCase()}-KIND-ACCEPTED`],
      changes: rule('node', `/$defs/${word}_kind`, (kind) => ({ ...kind, enum: kind.enum?.slice(0, -1) ?? [] })),
    },
  ]),
  ...(['transform', 'source'] as const).flatMap((word) => [
    replacing(word, 'config-kept-of-kind', `a ${word} that stays of its kind keeps its configuration`, (sent, node) =>
      sent.type === node.kind ? { ...sent, user_config: node.userConfig } : sent,
    ),
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
