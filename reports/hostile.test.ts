import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { loadRecordSchemas } from '../schemas/load.ts'
import type { Report } from '../schemas/types/report.ts'
import { createValidator } from '../schemas/validator.ts'
import { compareReports } from './compare/compare.ts'
import { renderComparisonMarkdown, renderComparisonTerminal } from './compare/render.ts'
import { renderAnnotations } from './formats/annotations.ts'
import { formatOf } from './formats/formats.ts'
import { renderHtml } from './formats/html.ts'
import { wholeReport } from './testing/hostile.ts'
import { widthOf } from './text.ts'

// Whatever the schema of reports lets pass may stand in one, and one may come from anywhere.

const validator = createValidator(loadRecordSchemas())
const whole = wholeReport()

type Path = readonly (string | number)[]

/** The places of a report that hold a text, or are named by one, which the schema lets be any. */
function placesIn(value: unknown, path: Path = []): { path: Path; isName: boolean }[] {
  if (typeof value === 'string') return [{ path, isName: false }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [
    ...(Array.isArray(value) ? [] : [{ path: [...path, name], isName: true }]),
    ...placesIn(child, [...path, name]),
  ])
}

/** A copy with another text at a place; a name is replaced by it. */
function changed(report: Report, { path, isName }: { path: Path; isName: boolean }, text: string): Report {
  const copy = structuredClone(report)
  let at = copy as unknown as Record<string, unknown>
  for (const step of path.slice(0, -1)) at = at[step] as Record<string, unknown>
  const last = String(path.at(-1))
  if (isName) {
    Object.defineProperty(at, text, { value: at[last], enumerable: true, configurable: true })
    delete at[last]
  } else at[last] = text
  return copy
}

const free = placesIn(whole).filter(
  (place) => validator.violations('report', changed(whole, place, 'ZZ-9')).length === 0,
)

const ACTS =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/u
const PAGE = '<title>%title%</title><script type="application/json" id="data">%data%</script>'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        '\u001b[2J',
        '\u009b31m',
        '\u202e',
        '\u2028',
        '\r\n::error::x',
        '\n##[group]x',
        ' ::set-output name=x::y',
        '##vso[x]',
        '<script>alert(1)</script>',
        ']]>',
        '-->',
        '&x;',
        '"\' onload=x ',
        '\u0000',
        '\ufffe',
        '\uffff',
        '\ud800',
        '```',
        '|',
        '[x](javascript:x)',
        '\n# x\n',
        '@everyone',
        '__proto__',
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join('')),
)

/** Tags outside of code in Markdown, but for those of its own. */
function shownTags(markdown: string): string[] {
  const prose = markdown.replaceAll(/^(`{3,})[\s\S]*?^\1/gm, '').replaceAll(/(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
  const own = /^<(?:br|details open|\/?(?:details|summary|b|code))>$/
  return (prose.match(/(?<!\\)<[^>]*>?/g) ?? []).filter((tag) => !own.test(tag))
}

const NASTY = '\u001b[2J\u202e\r\n::x::##[x]<script>"\']]>&\u0000\ufffe\ud800`|'

/** What the log of a build takes for a command. */
const COMMAND = /^\s*::[a-z]|##[\w-]*\[/im

function actsNowhere(text: string): void {
  expect(text.replaceAll('\n', '')).not.toMatch(ACTS)
  expect(text).not.toMatch(COMMAND)
}

function rendered(name: string, report: Report): string {
  return name === 'html' ? renderHtml(report, PAGE) : (formatOf(name)?.render(report) ?? '')
}

/** What each kind of output must not hold, whatever stands in a report. */
const KINDS: Readonly<Record<string, (report: Report) => void>> = {
  text: (report) => actsNowhere(rendered('text', report)),
  table: (report) => actsNowhere(rendered('table', report)),
  markdown: (report) => {
    const text = rendered('markdown', report)
    actsNowhere(text)
    expect(shownTags(text)).toEqual([])
  },
  junit: (report) => {
    const text = rendered('junit', report)
    actsNowhere(text)
    expect(() => create(text)).not.toThrow()
  },
  html: (report) => {
    const text = rendered('html', report)
    actsNowhere(text)
    expect(text.match(/<[^>]*>/g)).toHaveLength(4)
  },
  'badge-json': (report) => actsNowhere(rendered('badge-json', report)),
  ctrf: (report) => actsNowhere(rendered('ctrf', report)),
  json: (report) => {
    const text = rendered('json', report)
    actsNowhere(text)
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(report)))
  },
  annotations: (report) => {
    const text = renderAnnotations(report)
    expect(text.replaceAll('\n', '')).not.toMatch(ACTS)
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .every((line) => /^::(error|warning) title=[^:,]*::/.test(line)),
    ).toBe(true)
  },
  'the comparison on a terminal': (report) => {
    const comparison = compareReports([
      { name: report.target.name, report },
      { name: 'b', report: whole },
    ])
    const text = renderComparisonTerminal(comparison, { columns: 80, color: false })
    expect(text.split('\n').filter((line) => widthOf(line) > 80)).toEqual([])
    actsNowhere(text)
  },
  'the comparison as Markdown': (report) => {
    const comparison = compareReports([
      { name: 'a', report: whole },
      { name: report.target.name, report },
    ])
    const text = renderComparisonMarkdown(comparison)
    actsNowhere(text)
    expect(shownTags(text)).toEqual([])
    expect(text.split('\n').filter((line) => line.startsWith('| ') && !line.endsWith(' |'))).toEqual([])
  },
}

describe('a report in which any text is hostile', () => {
  test('has many such places', () => {
    expect(free.length).toBeGreaterThan(150)
  })
  test.each(Object.entries(KINDS))('cannot break out of %s', (_, holds) => {
    const texts = free.filter(({ isName }) => !isName)
    holds(texts.reduce((report, place) => changed(report, place, NASTY), whole))
    fc.assert(
      fc.property(fc.constantFrom(...free), hostile, (place, text) => {
        holds(changed(whole, place, text))
      }),
      { numRuns: 40 },
    )
  })
})
