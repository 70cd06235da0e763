import { expect, test } from 'vitest'
import type { Request } from './client.ts'
import { searchPipelines } from './pipelines.ts'
import { NOTHING, probeOf, type Reply } from './testing/probe.ts'
import type { Found } from './things.ts'

const TEXTS = { '{{odd}}': '{{more}}', app: 'shop', host: 'web', level: 'info', env: 'prod', source: 's', region: 'eu' }
const EVENT = { ...TEXTS, message: 'GET /', edge_id: 'north' }

/** Events pass where a filter asks for a text that they have, and on their own edge. */
function tapped({ method, path, body }: Request): Reply {
  if (method !== 'POST' || path !== '/v3/pipeline/p/tap/s') return NOTHING
  const { filter, edge_id: edge } = body as { filter?: { expressions?: object[] }; edge_id?: string }
  const [asked] = (filter?.expressions ?? []) as { field?: string; operator?: string }[]
  const fits = !filter || (asked?.field === 'host' && asked.operator === 'exists')
  return [200, { events: fits && (edge === undefined || edge === EVENT.edge_id) ? [EVENT] : [] }]
}

test('filters and edges of a tap are found by what its first event shows, however late in it', async () => {
  const { probe } = probeOf(tapped, {})
  Object.assign(probe.ids, { pipeline_id: 'p', pipeline_source_id: 's', pipeline_transform_id: 't' })
  await searchPipelines(probe, new Map([['source', {} as Found]]))
  expect(probe.answers.get('GAP-TAP-EDGE')?.value).toEqual({ busy: 'event:/edge_id', idle: 'nowhere' })
  expect(probe.answers.get('GAP-TAP-FILTER')?.value).toMatchObject({
    matching: { operator: 'and', expressions: [{ field: 'host', operator: 'exists' }] },
  })
})
