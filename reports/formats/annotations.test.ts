import { describe, expect, test } from 'vitest'
import { aFinding, aReport, aResult, aServerError } from '../testing.ts'
import { renderAnnotations } from './annotations.ts'

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

describe('annotations', () => {
  test('are an error for each failure and a warning for each warning', () => {
    const report = aReport({
      results: [
        aResult(),
        aResult({ id: 'FAIL-IT', verdict: 'fail', findings: [aFinding({ message: '100% wrong', expected: '' })] }),
        aResult({ id: 'WARN-IT', verdict: 'warn', level: 'implied', findings: [aFinding()] }),
      ],
    })
    const [error, warning, ...more] = lines(renderAnnotations(report))
    expect(more).toEqual([])
    expect(error).toMatch(
      /^::error title=FAIL-IT \(stated\)::The title .* \| 100%25 wrong \| actual: 200 \| npx assay certify/,
    )
    expect(warning).toMatch(/^::warning title=WARN-IT \(implied\)::/)
  })
  test('are ten of a kind at most; the last one names the rest', () => {
    const results = Array.from({ length: 30 }, (_, index) => aResult({ id: `FAIL-${index}`, verdict: 'fail' }))
    const all = lines(renderAnnotations(aReport({ results })))
    expect(all).toHaveLength(10)
    expect(all.at(-1)).toMatch(/^::error title=assay%3A 21 more failed::FAIL-9, FAIL-10/)
  })
  test('tell of a run that proved nothing', () => {
    const report = aReport({ verdict: 'invalid', reason: 'no request was answered with success' })
    expect(renderAnnotations(report)).toBe('::error title=assay%3A invalid run::no request was answered with success\n')
  })
  test('tell of server errors: an error where they make the command fail', () => {
    const serverErrors = { count: 4, retried: 0, kinds: [aServerError()] }
    const said = 'title=assay%3A 4 server errors::update-transform, /title: length 512: status 500, 4 times\n'
    expect(renderAnnotations(aReport({ serverErrors }))).toBe(`::warning ${said}`)
    expect(renderAnnotations(aReport({ serverErrors, failOn: ['server-error'] }))).toBe(`::error ${said}`)
    const made = { count: 0, retried: 1, kinds: [aServerError({ count: 0, retried: 1 })] }
    expect(renderAnnotations(aReport({ serverErrors: made }))).toBe('')
  })
  test('of a good run are none', () => {
    expect(renderAnnotations(aReport())).toBe('')
  })
})
