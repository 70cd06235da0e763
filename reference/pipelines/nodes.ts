import { violated } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route } from '../core/route.ts'
import type { Node, Pipeline } from '../model/pipelines.ts'
import { deployTypeOf, disconnect, found, inputsOf, pipelineOf, textOf } from './lookup.ts'
import { sourceRecord, transformRecord, wrapped, wrappedList } from './views.ts'

/** What tells sources and transforms apart; all else about them is the same. */
interface Kind {
  readonly word: 'source' | 'transform'
  readonly id: string
  readonly kinds: string
  readonly createSchema: string
  readonly updateSchema: string
  readonly of: (pipeline: Pipeline) => Map<string, Node>
  readonly record: (pipeline: Pipeline, node: Node) => Record<string, unknown>
}

const TRANSFORM: Kind = {
  word: 'transform',
  id: 'pipeline_transform_id',
  kinds: 'node#transform_kind',
  createSchema: 'transform-body',
  updateSchema: 'transform-update',
  of: (pipeline) => pipeline.transforms,
  record: transformRecord,
}

const SOURCE: Kind = {
  word: 'source',
  id: 'pipeline_source_id',
  kinds: 'node#source_kind',
  createSchema: 'source-body',
  updateSchema: 'source-update',
  of: (pipeline) => pipeline.sources,
  record: sourceRecord,
}

function create(kind: Kind): Handler {
  return (call) => {
    const pipeline = pipelineOf(call)
    const now = call.env.now()
    const node: Node = {
      id: call.env.newId(),
      kind: String(bodyOf(call).type),
      ...written(call, kind, pipeline),
      generation: 1,
      createdAt: now,
      updatedAt: now,
    }
    kind.of(pipeline).set(node.id, node)
    return wrapped(kind.word, kind.record(pipeline, node))
  }
}

/**
 * Rules 1 and 2: replaces the configuration with the fields of the body. A field that is not sent gets its default
 * again: no title, no description, an empty `user_config`, no inputs, `saas`. The kind stays where the body names none.
 * Any `generation_id` is taken; the answer carries the node's own count of writes.
 */
function update(kind: Kind): Handler {
  return (call) => {
    const pipeline = pipelineOf(call)
    const node = found(kind.of(pipeline), param(call, kind.id), kind.word)
    const { type } = bodyOf(call)
    if (type !== undefined) {
      const violations = call.env.validator.violations(kind.kinds, type)
      if (violations.length > 0) throw violated(violations.map((one) => ({ ...one, pointer: `/type${one.pointer}` })))
    }
    Object.assign(node, written(call, kind, pipeline))
    if (type !== undefined) node.kind = String(type)
    node.generation += 1
    node.updatedAt = call.env.now()
    return wrapped(kind.word, kind.record(pipeline, node))
  }
}

function written(
  call: Call,
  kind: Kind,
  pipeline: Pipeline,
): Pick<Node, 'title' | 'description' | 'userConfig' | 'inputs' | 'deployType'> {
  const body = bodyOf(call)
  return {
    title: textOf(body.title),
    description: textOf(body.description),
    userConfig: (body.user_config ?? {}) as Record<string, unknown>,
    inputs: kind.word === 'transform' ? inputsOf(pipeline, body.inputs) : [],
    deployType: deployTypeOf(body.deploy_type),
  }
}

function get(kind: Kind): Handler {
  return (call) => {
    const pipeline = pipelineOf(call)
    return wrapped(kind.word, kind.record(pipeline, found(kind.of(pipeline), param(call, kind.id), kind.word)))
  }
}

function list(kind: Kind): Handler {
  return (call) => {
    const pipeline = pipelineOf(call)
    return wrappedList(
      kind.word,
      [...kind.of(pipeline).values()].map((node) => kind.record(pipeline, node)),
    )
  }
}

function remove(kind: Kind): Handler {
  return (call) => {
    const pipeline = pipelineOf(call)
    const node = found(kind.of(pipeline), param(call, kind.id), kind.word)
    kind.of(pipeline).delete(node.id)
    disconnect(pipeline, node.id)
    return wrapped(kind.word, { id: node.id, deleted: true })
  }
}

const v3 = family('v3', 'v3')

function routesOf(kind: Kind): Route[] {
  const all = `/v3/pipeline/{pipeline_id}/${kind.word}`
  const one = `${all}/{${kind.id}}`
  return [
    v3(`create-${kind.word}`, 'POST', all, create(kind), kind.createSchema),
    v3(`list-${kind.word}s`, 'GET', all, list(kind)),
    v3(`get-${kind.word}`, 'GET', one, get(kind)),
    v3(`update-${kind.word}`, 'PUT', one, update(kind), kind.updateSchema),
    v3(`delete-${kind.word}`, 'DELETE', one, remove(kind)),
  ]
}

export const nodeRoutes: readonly Route[] = [...routesOf(SOURCE), ...routesOf(TRANSFORM)]
