import { describe, expect, test } from 'vitest'
import type { Exchange } from '../schemas/types/exchange.ts'
import { exchange, type Given, said } from './testing.ts'

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
