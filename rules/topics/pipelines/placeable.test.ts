import { expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, said } from '../../testing.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const OTHER = '22222222-2222-4222-8222-222222222222'
const make = exchange('POST /v3/transform-group/from-pipeline', {
  sent: { title: 'a', pipeline_id: ID, pipeline_transform_ids: [ID], description: 'd', deploy_type: 'saas' },
  got: { data: { id: ID } },
})
const place = (id: string, status = 200): Exchange =>
  exchange(`POST /v3/pipeline/${ID}/transform-group`, {
    sent: { transform_group_id: id, deploy_type: 'saas', inputs: [] },
    status,
    got: { data: { id: OTHER } },
  })

const histories: [string, Exchange[], string[]][] = [
  ['that was created is placed', [make, place(ID)], ['held']],
  ['that nobody saw created is placed', [make, place(OTHER)], []],
  ['that was created is refused, for whatever reason', [make, place(ID, 400)], []],
]
test.each(histories)('a processor group %s', (_, history, expected) => {
  expect(said('PLACEMENT-OF-PROCESSOR-GROUP', history)).toEqual(expected)
})
