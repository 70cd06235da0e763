import { describe, expect, test } from 'vitest'
import { aFinding, aReport, aResult } from '../testing.ts'
import { renderBadgeEndpoint } from './badge.ts'

const failing = aReport({
  verdict: 'non-conformant',
  results: ['A', 'B'].map((id) => aResult({ id, verdict: 'fail', findings: [aFinding()] })),
})

describe('a badge', () => {
  test('for a service is JSON of the form that it asks for', () => {
    expect(JSON.parse(renderBadgeEndpoint(failing))).toEqual({
      schemaVersion: 1,
      label: 'conformance 2.1',
      message: '2 failed',
      color: 'b3261e',
      isError: false,
    })
    expect(JSON.parse(renderBadgeEndpoint(aReport({ verdict: 'invalid' })))).toMatchObject({ isError: true })
  })
})
