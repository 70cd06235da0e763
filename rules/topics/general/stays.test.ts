import { describe, expect, test } from 'vitest'
import type { Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll } from '../../testing.ts'

const P = '11111111-1111-4111-8111-111111111111'
const S = '22222222-2222-4222-8222-222222222222'
const read: Intent = { kind: 'read', final: true }
const good: Intent = { kind: 'base' }

function outcomes(history: readonly Exchange[]): string[] {
  return judgeAll(history)
    .filter(({ outcome, message = '' }) => outcome === 'broken' && message.includes('that nobody'))
    .map(({ requirement, message, exchanges }) => `${requirement}: ${message} (${exchanges.length})`)
}

const screen = (id: string, given: Given = {}): Exchange =>
  exchange(`GET /v1/config/screen/${id}`, { intent: read, got: { id, title: id }, ...given })
const rename = (id: string): Exchange =>
  exchange(`PUT /v1/config/screen/${id}`, { intent: good, sent: { title: 'other' }, got: { id, title: 'other' } })
const remove = (id: string): Exchange =>
  exchange(`DELETE /v1/config/screen/${id}`, { intent: good, got: { deleted: true } })
const change = (line: string): Exchange => exchange(line, { intent: good, sent: { title: 'b' } })
const source = (given: Given = {}): Exchange =>
  exchange(`GET /v3/pipeline/${P}/source/${S}`, {
    intent: read,
    got: { data: { id: S, pipeline_id: P, title: 'a' } },
    ...given,
  })
const pipeline = (status: string): Exchange =>
  exchange(`GET /v3/pipeline/${P}`, { intent: read, got: { data: { id: P, processing_status: status } } })

describe('a thing that nobody named', () => {
  test('is as it was', () => {
    expect(outcomes([rename('b'), screen('a'), rename('b'), screen('a')])).toEqual([])
    expect(outcomes([rename('b'), screen('a'), rename('b'), screen('a', { got: { id: 'a', title: 'x' } })])).toEqual([
      'SCREEN-READ: a screen that nobody named shows another title 2.0 s later; requests about others: 1 (3)',
    ])
  })

  test('is not another thing whose id is the same number', () => {
    const made = exchange('POST /v1/config/screen', { intent: good, sent: { title: 'a' }, got: { id: 7 } })
    const keys = (...ids: number[]): Exchange =>
      exchange('GET /v1/enterprise/keys', { intent: read, got: ids.map((id) => ({ id, name: 'k' })) })
    const own = exchange('POST /v1/enterprise/keys?type=ingestion', {
      intent: good,
      sent: { name: 'k' },
      got: { id: 7 },
    })
    expect(outcomes([made, keys(6, 7), keys(6)])).toEqual([])
    expect(outcomes([own, keys(6, 7), keys(6)])).toHaveLength(1)
  })

  test('may change once it was named, and is known again once it was read', () => {
    const other = (): Exchange => screen('a', { got: { id: 'a', title: 'other' } })
    expect(outcomes([rename('b'), screen('a'), rename('a'), other()])).toEqual([])
    expect(outcomes([rename('b'), screen('a'), rename('a'), other(), rename('b'), screen('a')])).toHaveLength(1)
  })

  test('is there until it is removed, by itself or with what holds it', () => {
    const none = { status: 404, got: {} }
    const gone = 'that nobody removed is gone'
    const refused = { response: exchange('DELETE /v1/config/screen/b', { status: 401, got: {} }).response }
    expect(outcomes([screen('a'), remove('b'), screen('a', none)])[0]).toContain(
      `SCREEN-DELETE-REMOVES: a screen ${gone}`,
    )
    expect(outcomes([screen('a'), rename('a'), screen('a', none)])[0]).toContain(`SCREEN-CREATE: a screen ${gone}`)
    expect(outcomes([screen('a'), { ...remove('b'), ...refused }, screen('a', none)])[0]).toContain(
      `SCREEN-CREATE: a screen ${gone}`,
    )
    expect(outcomes([screen('a'), remove('a'), screen('a', none)])).toEqual([])
    expect(outcomes([source(), remove('b'), source(none)])[0]).toContain(`SOURCE-READ: a source ${gone}`)
    expect(outcomes([source(), change(`DELETE /v3/pipeline/${P}`), source(none)])).toEqual([])
  })

  test('is not gone where whoever asks with another credential is told that there is nothing', () => {
    const asked = (state: 'configured' | 'other'): Exchange =>
      source({ status: 404, got: {}, credentials: [{ scheme: 'access-token', state }] })
    expect(outcomes([source(), remove('b'), asked('other')])).toEqual([])
    expect(outcomes([source(), remove('b'), asked('configured')])).toHaveLength(1)
    expect(
      outcomes([source(), remove('b'), source({ status: 404, got: {}, intent: { ...read, kind: 'auth' } })]),
    ).toEqual([])
  })

  test('is judged by what a refused request was refused for, where that one named it', () => {
    const refused = (): Exchange =>
      exchange('PUT /v1/config/screen/a', { intent: good, sent: { title: 'x' }, status: 400, got: {} })
    expect(outcomes([rename('b'), screen('a'), refused(), screen('a', { got: { id: 'a', title: 'x' } })])).toEqual([])
  })

  test.each<[string, boolean]>([
    [`PUT /v3/pipeline/${P}/source/${S}`, true],
    [`POST /v3/pipeline/${P}/source`, true],
    [`PUT /v3/pipeline/${P}`, false],
    [`PUT /v3/pipeline/${P}/processing-status`, false],
  ])('is a pipeline, after %s: %j', (line, blamed) => {
    const found = outcomes([pipeline('enabled'), change(line), pipeline('disabled')])
    expect(found).toHaveLength(blamed ? 1 : 0)
    if (blamed) expect(found[0]).toMatch(/PROCESSING-STATUS-SWITCHES/)
  })

  test('is a node of a pipeline whose parts were changed', () => {
    const sent = { pipeline_id: P, state: { a: 1 } }
    const patch = (): Exchange => exchange('PATCH /v3/pipeline/state-variable', { intent: good, sent })
    expect(outcomes([source(), patch(), source({ status: 404, got: {} })])).toHaveLength(1)
  })
})
