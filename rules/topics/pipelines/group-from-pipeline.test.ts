import { describe } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { eachSays } from '../../_testing/says.ts'
import { exchange, type Given } from '../../testing.ts'

const PIPELINE = '11111111-1111-4111-8111-111111111111'
const A = '22222222-2222-4222-8222-222222222222'
const B = '33333333-3333-4333-8333-333333333333'
const path = (id: string): string => `/v3/pipeline/${PIPELINE}/transform/${id}`
const read = (id: string, given: Given = {}): Exchange =>
  exchange(`GET ${path(id)}`, { got: { data: { id } }, start: 9_000, ...given })
const first = (id: string): Exchange => read(id, { start: 1 })
const copy = (given: Given = {}): Exchange =>
  exchange('POST /v3/transform-group/from-pipeline', {
    sent: { title: 't', pipeline_id: PIPELINE, pipeline_transform_ids: [A], description: 'd', deploy_type: 'saas' },
    got: { data: { id: 'g' } },
    start: 1_000,
    ...given,
  })
const gone: Given = { status: 404 }

describe('a transform that was copied into a group', () => {
  eachSays({ told: 'GROUP-CREATE-KEEPS', settles: true }, [
    ['stays', [first(A), copy(), read(A)], 'held'],
    ['is gone', [first(A), copy(), read(A, gone)], 'broken'],
    ['is found to be gone once', [first(A), copy(), read(A, gone), read(A, gone)], 'broken'],
    ['was not read before', [copy(), read(A, gone)], ''],
    ['was removed since', [first(A), copy(), exchange(`DELETE ${path(A)}`, { start: 5_000 }), read(A, gone)], ''],
    ['was not removed since', [first(A), copy(), exchange(`DELETE ${path(A)}`, gone), read(A)], 'held'],
    ['is another one', [first(A), first(B), copy(), read(B, gone)], ''],
    ['was not copied', [first(A), copy({ status: 400 }), read(A, gone)], ''],
    ['is not to be read', [first(A), copy(), read(A, { status: 403 })], ''],
    ['was read while it was copied', [first(A), copy({ end: 9_500 }), read(A, gone)], ''],
  ])
})

describe('a group from a pipeline', () => {
  const COPIES = 'GROUP-CREATE-COPIES'
  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
  const make = (given: Given = {}, list = ids): Exchange =>
    exchange('POST /v3/transform-group/from-pipeline', {
      sent: { title: 't', pipeline_id: ids[0], pipeline_transform_ids: list, description: 'd', deploy_type: 'saas' },
      got: { data: { id: 'g1' } },
      start: 1_000,
      ...given,
    })
  const get = (count: number, given: Given = {}): Exchange =>
    exchange('GET /v3/transform-group/g1', {
      got: { data: { transforms: Array(count).fill({}) } },
      start: 9_000,
      ...given,
    })
  eachSays({ told: COPIES, settles: true }, [
    ['holds what was listed', [make(), get(2)], 'held'],
    ['holds less', [make(), get(1)], 'broken'],
    ['holds a node of its own beside it', [make(), get(3)], 'held'],
    ['with one listed twice', [make({}, [ids[0] ?? '', ids[0] ?? '']), get(1)], ''],
    ['with a new revision', [make(), exchange('POST /v3/transform-group/g1/revision', { got: {} }), get(1)], ''],
    ['that is only observed', [make({ intent: { kind: 'observe' } }), get(0)], ''],
    ['with a read that is refused', [make(), get(0, { status: 500 })], ''],
    ['with a read that broke off', [make(), get(0, { outcome: 'truncated', status: 200 })], ''],
  ])
})
