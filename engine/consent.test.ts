import { describe, expect, test } from 'vitest'
import { resolveBinding, shippedBinding } from '../schemas/binding.ts'
import { allCases } from '../suites/cases/index.ts'
import { requireConsent } from './consent.ts'

const bound = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })
const bare = resolveBinding({ name: '', chain: [], files: [] })
const casesOf = (feature: string): ReturnType<typeof allCases> =>
  allCases().filter(({ features }) => features.includes(feature))

describe('consent', () => {
  const ask = (feature: string, binding = bound, consented = false): void =>
    requireConsent(casesOf(feature), binding, consented, 'http://target.example.com')

  test.each(['pipelines', 'boards', 'keys', 'archiving'])('is asked for what changes %s', (feature) => {
    expect(casesOf(feature).length).toBeGreaterThan(0)
    expect(() => ask(feature)).toThrow('the run would ')
    expect(() => ask(feature, bound, true)).not.toThrow()
  })

  test('is not asked for what the target does not offer', () => {
    expect(() => ask('boards', bare)).not.toThrow()
  })
})
