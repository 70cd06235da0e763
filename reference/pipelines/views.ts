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
  const { id, title, description, deployType, processing, publishedAt } = pipeline
  const published_at = publishedAt === null ? null : time(publishedAt)
  return {
    id,
    title,
    description,
    deploy_type: deployType,
    processing_status: processing,
    ...times(pipeline),
    published_at,
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
  return { pipeline_id: pipeline.id, ...nodeRecord(node), ...times(node) }
}

function nodeRecord({ id, kind, title, description, userConfig, generation, inputs, deployType }: Node): Record_ {
  const written = { user_config: userConfig, generation_id: generation, inputs, deploy_type: deployType }
  return { id, type: kind, title, description, ...written }
}

export function groupRecord({ id, title, description, deployType, pipelineId, revisions, createdAt }: Group): Record_ {
  const latest = revisions.at(-1)
  return {
    id,
    title,
    description,
    deploy_type: deployType,
    pipeline_id: pipelineId,
    transform_group_revision_id: latest?.id,
    revision: latest?.number,
    transforms: latest?.transforms.map(nodeRecord),
    created_at: time(createdAt),
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
    ...times(placed),
  }
}

/** Secrets are shown once, in the answer that makes them, and never read back. */
export function gatewayRouteRecord(route: GatewayRoute): Record_ {
  const { id, title, description, legacyRouting, signingKeys, accessKeys } = route
  const keys = { signing_keys: signingKeys.map(keyRecord), access_keys: accessKeys.map(keyRecord) }
  return { id, title, description, legacy_routing: legacyRouting, ...keys, ...times(route) }
}

function keyRecord({ id, createdAt }: { readonly id: string; readonly createdAt: number }): Record_ {
  return { id, created_at: time(createdAt) }
}

function times(made: { readonly createdAt: number; readonly updatedAt: number }): Record_ {
  return { created_at: time(made.createdAt), updated_at: time(made.updatedAt) }
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
