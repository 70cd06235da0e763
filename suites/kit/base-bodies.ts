/**
 * Good bodies of the operations that the specification gives a path for, used where the binding gives none.
 * Every field is present (which ones are required is a gap); placeholders are ids, names and the generation counter.
 */
export const BASE_BODIES: Readonly<Record<string, unknown>> = {
  'update-transform': {
    user_config: {},
    generation_id: '{{generation_id}}',
    inputs: [],
    title: '{{label}}',
    description: 'made by a conformance run',
    deploy_type: 'saas',
  },
  'update-source': {
    user_config: {},
    generation_id: '{{generation_id}}',
    title: '{{label}}',
    description: 'made by a conformance run',
    deploy_type: 'saas',
  },
  'create-group-from-pipeline': {
    title: '{{label}}',
    pipeline_id: '{{pipeline_id}}',
    pipeline_transform_ids: ['{{pipeline_transform_id}}'],
    description: 'made by a conformance run',
    deploy_type: 'saas',
  },
  'start-tap': { limit: 1, timeout: 2 },
  'add-group-to-pipeline': { transform_group_id: '{{transform_group_id}}', deploy_type: 'saas', inputs: [] },
  'switch-group-revision': { transform_group_revision_id: '{{transform_group_revision_id}}', inputs: [] },
  'update-gateway-route': { title: '{{label}}', description: 'made by a conformance run', legacy_routing: false },
  'add-signing-key': { key: '{{label}}' },
  'update-state-variables': { pipeline_id: '{{pipeline_id}}', state: { assay: 'made by a conformance run' } },
}
