import { describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { hostileReport } from '../testing/hostile.ts'
import { aFinding, aReport, aResult } from '../testing.ts'
import { renderBadge, renderBadgeEndpoint } from './badge.ts'

const failing = aReport({
  verdict: 'non-conformant',
  results: ['A', 'B'].map((id) => aResult({ id, verdict: 'fail', findings: [aFinding()] })),
})

describe('a badge', () => {
  test('says the verdict, and of failures how many there are', () => {
    expect(renderBadge(aReport())).toContain('>conformant</text>')
    expect(renderBadge(failing)).toContain('>2 failed</text>')
    expect(renderBadge(aReport({ verdict: 'partial' }))).toContain('>partial</text>')
  })
  test('is a picture that loads nothing and runs nothing, whatever the target is called', () => {
    const svg = renderBadge(hostileReport(50))
    const names: string[] = []
    const attributes: string[] = []
    create(svg)
      .root()
      .each(
        ({ node }) => {
          names.push(node.nodeName)
          const own = 'attributes' in node ? (node.attributes as Iterable<{ name: string }>) : []
          for (const { name } of own) attributes.push(name)
        },
        true,
        true,
      )
    expect(new Set(names)).toEqual(new Set(['svg', 'title', '#text', 'clipPath', 'rect', 'g', 'text']))
    expect(attributes.length).toBeGreaterThan(20)
    expect(attributes.filter((name) => /href|^on|style/.test(name))).toEqual([])
    expect(svg.length).toBeLessThan(6000)
  })
  test('is told to people who cannot see it', () => {
    expect(renderBadge(failing)).toContain('aria-label="example 1.0: conformance 2.1: 2 failed"')
  })
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
