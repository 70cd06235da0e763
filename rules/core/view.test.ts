import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll, said } from '../testing.ts'

const NODE = '/v3/pipeline/00000000-0000-4000-8000-000000000001/transform/00000000-0000-4000-8000-000000000002'
const put = (title: string, more: Given = {}): Exchange =>
  exchange(`PUT ${NODE}`, { sent: { title }, got: {}, ...more })
const read = (title: string): Exchange =>
  exchange(`GET ${NODE}`, { got: { data: { id: '2', title } }, intent: { kind: 'read', final: true } })

describe('a change that was not carried out', () => {
  test.each<[string, Given]>([
    ['because it was refused', { status: 400 }],
    ['because it was put off', { status: 429 }],
  ])('%s leaves what is known', (_, given) => {
    const outcomes = (shown: string): string[] =>
      said('TRANSFORM-UPDATE-REPLACES', [put('one'), put('two', given), read(shown)])
    expect(outcomes('one')).toEqual(['held'])
    expect(outcomes('two')).toEqual(['broken'])
  })

  test.each<[string, Given]>([
    ['a server error', { status: 500 }],
    ['that the service was not there', { status: 503 }],
    ['no answer', { outcome: 'timeout' }],
  ])('is not known by %s', (_, given) => {
    expect(said('TRANSFORM-UPDATE-REPLACES', [put('one'), put('two', given), read('two')])).toEqual([])
  })
})

describe('a body that is nested too deep to be looked into', () => {
  const deep = '['.repeat(9_000) + ']'.repeat(9_000)

  test('says nothing of what it holds', () => {
    expect(judgeAll([exchange('GET /v1/enterprise/keys', { got: [1] })])).toContainEqual(
      expect.objectContaining({ outcome: 'broken' }),
    )
    const judged = judgeAll([
      exchange('GET /v1/enterprise/keys', { got: deep }),
      exchange(`PUT ${NODE}`, { sent: deep, got: deep }),
    ])
    expect(judged.filter(({ outcome }) => outcome === 'broken')).toEqual([])
  })
})
