import { bodyOf } from '../core/route.ts'
import type { Node } from '../model/pipelines.ts'
import type { State } from '../model/state.ts'
import { afterwards, askedBody, notApplied } from './core/changes.ts'
import type { Fault } from './core/fault.ts'

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

/** Something that is wrong with a gateway route once it was updated. */

/** Faults in what updates of transforms and sources change and leave. */
export const nodeFaults: readonly Fault[] = [
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
]

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
