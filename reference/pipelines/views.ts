import { type Answer, ok } from '../core/message.ts'
import type { GatewayRoute, Group, Node, Pipeline, PlacedGroup, Revision } from '../model/pipelines.ts'
import { edgesOf } from './lookup.ts'

type Record_ = Record<string, unknown>

/** A record as the pipeline operations wrap it. */
export function wrapped(type: string, data: Record_): Answer {
  return ok({ meta: { type, pk: 'id' }, data })
}

/** A list of records, all on one page. */
export function wrappedList(type: string, data: readonly Record_[]): Answer {
  return ok({ meta: { type, pk: 'id', page: { total: data.length, limit: data.length, offset: 0 } }, data })
}

export function pipelineSummary(pipeline: Pipeline): Record_ {
  return {
    id: pipeline.id,
    title: pipeline.title,
    description: pipeline.description,
    deploy_type: pipeline.deployType,
    processing_status: pipeline.processing,
    created_at: time(pipeline.createdAt),
    updated_at: time(pipeline.updatedAt),
    published_at: pipeline.publishedAt === null ? null : time(pipeline.publishedAt),
  }
}

/** The pipeline with everything that stands in it. */
export function pipelineRecord(pipeline: Pipeline): Record_ {
  return {
    ...pipelineSummary(pipeline),
    sources: [...pipeline.sources.values()].map((node) => sourceRecord(pipeline, node)),
    transforms: [...pipeline.transforms.values()].map((node) => transformRecord(pipeline, node)),
    transform_groups: [...pipeline.placedGroups.values()].map((group) => placedGroupRecord(pipeline, group)),
    edges: edgesOf(pipeline),
  }
}

export function sourceRecord(pipeline: Pipeline, node: Node): Record_ {
  const { inputs: _none, ...record } = transformRecord(pipeline, node)
  return record
}

export function transformRecord(pipeline: Pipeline, node: Node): Record_ {
  return {
    pipeline_id: pipeline.id,
    ...nodeRecord(node),
    created_at: time(node.createdAt),
    updated_at: time(node.updatedAt),
  }
}

function nodeRecord(node: Node): Record_ {
  return {
    id: node.id,
    type: node.kind,
    title: node.title,
    description: node.description,
    user_config: node.userConfig,
    generation_id: node.generation,
    inputs: node.inputs,
    deploy_type: node.deployType,
  }
}

export function groupRecord(group: Group): Record_ {
  const latest = group.revisions.at(-1)
  return {
    id: group.id,
    title: group.title,
    description: group.description,
    deploy_type: group.deployType,
    pipeline_id: group.pipelineId,
    transform_group_revision_id: latest?.id,
    revision: latest?.number,
    transforms: latest?.transforms.map(nodeRecord),
    created_at: time(group.createdAt),
  }
}

export function revisionRecord(revision: Revision): Record_ {
  return {
    id: revision.id,
    transform_group_id: revision.groupId,
    revision: revision.number,
    description: revision.description,
    transforms: revision.transforms.map(nodeRecord),
    created_at: time(revision.createdAt),
  }
}

export function placedGroupRecord(pipeline: Pipeline, placed: PlacedGroup): Record_ {
  return {
    id: placed.id,
    pipeline_id: pipeline.id,
    transform_group_id: placed.groupId,
    transform_group_revision_id: placed.revisionId,
    inputs: placed.inputs,
    deploy_type: placed.deployType,
    created_at: time(placed.createdAt),
    updated_at: time(placed.updatedAt),
  }
}

/** Secrets are shown once, in the answer that makes them, and never read back. */
export function gatewayRouteRecord(route: GatewayRoute): Record_ {
  return {
    id: route.id,
    title: route.title,
    description: route.description,
    legacy_routing: route.legacyRouting,
    signing_keys: route.signingKeys.map(({ id, createdAt }) => ({ id, created_at: time(createdAt) })),
    access_keys: route.accessKeys.map(({ id, createdAt }) => ({ id, created_at: time(createdAt) })),
    created_at: time(route.createdAt),
    updated_at: time(route.updatedAt),
  }
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
