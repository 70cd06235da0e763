import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect } from 'vitest'
import type * as Assay from '../../library/assay.ts'
import { test } from '../testing/world.ts'

// As a program would import it: the compiled entry.
const dist = resolve(import.meta.dirname, '../..', process.env.ASSAY_DIST ?? 'dist')
const entry = pathToFileURL(join(dist, 'library/assay.js')).href
const { certify, compareReports, mergeReports, renderReport, startReference } = (await import(entry)) as typeof Assay

const target = await startReference()
afterAll(() => target.stop())

const short = { profile: 'quick', walks: 0, only: ['NODE-TITLE-MAX'], seed: 3 } as const

describe('the library', () => {
  test('certifies a target that is described by an object, and writes reports where it is told to', async ({
    world,
  }) => {
    const out = join(world.folder, 'out')
    const steps: number[] = []
    const { url: baseUrl, credentials, resources } = target
    const ours = { name: 'ours', baseUrl, credentials, resources, binding: 'reference' }
    const report = await certify({
      ...short,
      target: { ...ours, features: ['pipelines'], consent: { modifyTarget: true } },
      out,
      onProgress: ({ cases }) => steps.push(cases),
    })
    expect(report).toMatchObject({ verdict: 'partial', seed: 3, profile: 'quick', target: { name: 'ours' } })
    expect(report.features).toEqual(['pipelines'])
    expect(report.requirements.find(({ id }) => id === 'NODE-TITLE-MAX')?.verdict).toBe('pass')
    expect(steps.length).toBeGreaterThan(0)
    expect(['report.json', 'junit.xml', 'evidence'].filter((name) => !existsSync(join(out, name)))).toEqual([])
  })

  test('stops when it is told to, with a report of what was done', async () => {
    const stop = new AbortController()
    const onProgress = (): void => stop.abort()
    const long = { target: 'embedded', profile: 'thorough', only: ['pipelines'] } as const
    const report = await certify({ ...long, signal: stop.signal, onProgress })
    expect(report.reason).toContain('interrupted')
  })

  test('merges, compares and renders reports', async () => {
    const first = await certify({ ...short, target: 'embedded', shard: '1/2' })
    const merged = mergeReports([{ name: 'first', report: first }])
    expect(merged).toMatchObject({
      requests: first.requests,
      reason: expect.stringContaining('shard 2 of 2 is missing'),
    })
    const comparison = compareReports([
      { name: 'part', report: first },
      { name: 'whole', report: merged },
    ])
    expect(comparison.reports.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['part', first.verdict],
      ['whole', merged.verdict],
    ])
    expect(renderReport(merged, 'markdown')).toContain(merged.verdict)
    expect(() => renderReport(merged, 'word')).toThrow('there is no format "word"')
  })
})
