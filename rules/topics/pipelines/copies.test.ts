import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, judgeAll, SETTLE_MS } from '../../testing.ts'

const P = '11111111-1111-4111-8111-111111111111'
const A = '22222222-2222-4222-8222-222222222222'
const B = '33333333-3333-4333-8333-333333333333'
const C = '44444444-4444-4444-8444-444444444444'

const records: Record<string, object> = {
  [A]: { type: 'drop-fields', user_config: { fields: ['.a'] } },
  [B]: { type: 'sample', user_config: { rate: 100 } },
  [C]: { type: 'drop-fields', user_config: { fields: ['.c'] } },
}

const read = (id: string, record: object = records[id] ?? {}): Exchange =>
  exchange(`GET /v3/pipeline/${P}/transform/${id}`, {
    got: { data: { id, title: id, ...record } },
    intent: { kind: 'read', final: true },
  })
const all = (): Exchange[] => [read(A), read(B), read(C)]
const copy = (ids: readonly string[]): Exchange =>
  exchange('POST /v3/transform-group/from-pipeline', {
    sent: { title: 'g', pipeline_id: P, pipeline_transform_ids: ids, description: 'd', deploy_type: 'saas' },
    got: { data: { id: 'g' } },
    intent: { kind: 'base' },
  })
const group = (transforms: readonly unknown[]): Exchange =>
  exchange('GET /v3/transform-group/g', { got: { data: { id: 'g', transforms } }, intent: { kind: 'read' } })

function outcomes(history: readonly Exchange[], settleMs = 0): string[] {
  return judgeAll(history, settleMs)
    .filter(({ requirement, edge }) => requirement === 'GROUP-CREATE-COPIES' && edge?.startsWith('the content'))
    .map(({ outcome }) => outcome)
}

const shown = (id: string, more: object = {}): object => ({ id: `copy-${id}`, ...records[id], ...more })

describe('a new group', () => {
  const right: [string, unknown[]][] = [
    ['the copies, in another order', [shown(B), shown(A)]],
    [
      'copies with other titles, more fields and defaults',
      [
        { ...shown(A, { title: 'copy of a', user_config: { fields: ['.a'], enabled: true } }), revision: 1 },
        shown(B, { inputs: ['copy-a'] }),
      ],
    ],
    ['a node of its own beside them', [shown(A), { type: 'router', user_config: { own: 1 } }, shown(B)]],
    ['configurations without kinds', [{ user_config: { rate: 100 } }, { user_config: { fields: ['.a'] } }]],
    ['kinds without configurations', [{ type: 'sample' }, { type: 'drop-fields' }]],
    [
      'what its elements are, in the field of the kind',
      [shown(A, { type: 'transform' }), shown(B, { type: 'transform' })],
    ],
  ]
  test.each(right)('that shows %s holds what was listed', (_, transforms) => {
    expect(outcomes([...all(), copy([A, B]), group(transforms)])).toEqual(['held'])
  })

  const wrong: [string, unknown[]][] = [
    ['another transform in place of a listed one', [shown(A), shown(C)]],
    ['another transform, of which only the configuration is shown', [{ user_config: { fields: ['.c'] } }, shown(B)]],
    ['one of them twice', [shown(B), shown(B)]],
    ['a copy of another beside them', [shown(A), shown(B), shown(C)]],
    ['copies without a configuration', [shown(A, { user_config: {} }), shown(B, { user_config: {} })]],
    ['another value in a configuration', [shown(A), shown(B, { user_config: { rate: 1 } })]],
    ['another kind', [shown(A), shown(B, { type: 'filter' })]],
    [
      'configurations of each other',
      [shown(A, { user_config: { rate: 100 } }), shown(B, { user_config: { fields: ['.a'] } })],
    ],
    ['kinds of which one was not listed', [{ type: 'sample' }, { type: 'sample' }]],
  ]
  test.each(wrong)('that shows %s does not', (_, transforms) => {
    expect(outcomes([...all(), copy([A, B]), group(transforms)])).toEqual(['broken'])
  })

  const silent: [string, unknown[]][] = [
    ['ids', [{ id: 'a' }, { id: 'b' }]],
    ['words in place of elements', ['a', 'b']],
    [
      'configurations in a shape of their own',
      [{ user_config: { wrapped: records[A] } }, { user_config: { wrapped: 1 } }],
    ],
    ['configurations as text', [{ user_config: '{}' }, { user_config: '{}' }]],
    ['hidden configurations', [{ user_config: null }, { user_config: null }]],
    ['another number of elements, which is judged by itself', [shown(C)]],
  ]
  test.each(silent)('that shows %s says nothing', (_, transforms) => {
    expect(outcomes([...all(), copy([A, B]), group(transforms)])).toEqual([])
  })

  test('may still be old where a later read follows', () => {
    const history = [...all(), copy([A, B]), group([shown(C), shown(B)]), group([shown(A), shown(B)])]
    expect(outcomes(history, SETTLE_MS)).toEqual(['inconclusive', 'held'])
  })

  test('is not compared with what was not read, or was changed since', () => {
    const update = (status: number): Exchange =>
      exchange(`PUT /v3/pipeline/${P}/transform/${B}`, { status, sent: {}, intent: { kind: 'base' } })
    const bad = (): Exchange => group([shown(C), shown(C)])
    expect(outcomes([read(A), read(C), copy([A, B]), bad()])).toEqual([])
    expect(outcomes([...all(), update(200), copy([A, B]), bad()])).toEqual([])
    expect(outcomes([...all(), update(400), copy([A, B]), bad()])).toEqual(['broken'])
    expect(outcomes([...all(), update(200), read(B), copy([A, B]), bad()])).toEqual(['broken'])
  })

  test('is not known any more once it has another revision', () => {
    const line = 'POST /v3/transform-group/g/revision'
    const revision = (): Exchange => exchange(line, { sent: {}, got: { data: { id: 'r' } }, intent: { kind: 'setup' } })
    expect(outcomes([...all(), copy([A, B]), revision(), group([shown(C), shown(C)])])).toEqual([])
  })

  test('may be made in the background: what changed within the settle time is copied in either form', () => {
    const change = (): Exchange =>
      exchange(`PUT /v3/pipeline/${P}/transform/${A}`, { sent: {}, got: { data: {} }, intent: { kind: 'setup' } })
    const history = (): Exchange[] => [...all(), copy([A]), change(), group([shown(C)])]
    expect(outcomes(history(), 500)).toEqual(['broken'])
    expect(outcomes(history(), 5_000)).toEqual(['inconclusive'])
  })

  test('may hide what lets somebody in', () => {
    const secret = { type: 'encrypt-fields', user_config: { field: '.a', key: 'abc' } }
    const hidden = { type: 'encrypt-fields', user_config: { field: '.a', key: '***' } }
    expect(outcomes([read(A, secret), copy([A]), group([hidden])])).toEqual(['held'])
  })
})
