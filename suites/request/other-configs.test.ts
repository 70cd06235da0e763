import { describe, expect, test } from 'vitest'
import type { CaseContext } from '../case.ts'
import { otherConfigs } from './other-configs.ts'

function contextWith(samples: unknown, field: unknown = 'type'): CaseContext {
  const answers = new Map([
    ['GAP-USER-CONFIG', { value: { source: samples } }],
    ['GAP-SOURCE-KIND-FIELD', { value: field }],
  ])
  return { binding: { answers } } as unknown as CaseContext
}

describe('another configuration', () => {
  test('is the usual one with another name of ours', () => {
    expect(otherConfigs(contextWith({}), { user_config: { fields: ['.assay'] } }, 'source')).toEqual([
      { user_config: { fields: ['.assayb'] } },
    ])
  })
  test('is that of a kind that names something of ours, after the same as the binding has it', () => {
    const samples = { http: { decoding: 'bytes' }, 'vendor-hec': { name: 'assay' }, kafka: { topics: ['assay'] } }
    expect(otherConfigs(contextWith(samples), { user_config: {} }, 'source')).toEqual([
      { type: 'kafka', user_config: { topics: ['assay'] } },
      { type: 'kafka', user_config: { topics: ['assayb'] } },
    ])
  })
  test('is none where the binding knows none, or not how a kind is named', () => {
    expect(otherConfigs(contextWith({ http: {} }), { user_config: {} }, 'source')).toEqual([])
    expect(otherConfigs(contextWith({ kafka: { topics: ['assay'] } }, null), {}, 'source')).toEqual([])
  })
})
