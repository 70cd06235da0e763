import type { Evidence, Finding, Report, RequirementResult, ServerErrorKind } from '../../schemas/types/report.ts'
import { labelledRows } from '../finding-rows.ts'
import { xmlContent } from '../markup.ts'
import { failsForServerErrors, serverErrorLine } from '../server-errors.ts'
import { exchangeLine } from '../shown-exchange.ts'
import { bounded } from '../text.ts'

const LONGEST_TEXT = 16_384
const LONGEST_ATTRIBUTE = 1024
const MOST_FINDINGS = 10

/** An element, with its attributes and what is in it: text that is escaped already, or elements. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: string | readonly string[] = [],
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`)
  const open = `<${name}${given.join('')}`
  if (typeof inside === 'string') return `${open}>${inside}</${name}>`
  if (inside.length === 0) return `${open}/>`
  const lines = inside.map((one) => one.replaceAll(/^(?=<)/gm, '  '))
  return `${open}>\n${lines.join('\n')}\n</${name}>`
}

/**
 * The report as JUnit XML, valid by the schema that Jenkins publishes. It has a suite for each topic and a test for
 * each requirement. The id begins the name of the test, and names a property of the suite. A broken requirement is a
 * failure, and an error if assay itself went wrong. A warning is a passed test that says so in `system-out`. Anything
 * that was not run or only observed is skipped, with the reason. A run that proved nothing has an error of its own, so
 * that no reader of the file takes it for green.
 */
export function renderJunit(report: Report): string {
  const suites = new Map<string, RequirementResult[]>()
  for (const result of report.requirements) {
    const topic = topicOf(result.category)
    suites.set(topic, [...(suites.get(topic) ?? []), result])
  }
  const times = timesOf(report)
  const invalid = report.verdict === 'invalid' || report.problems.length > 0
  const totals = tally(report.requirements)
  const errors = report.serverErrors?.kinds ?? []

  const parts = [...suites].map(([topic, results]) => {
    const ms = results.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0)
    const cases = results.map((result) => testcase(result, times.get(result.id) ?? 0))
    return suiteOf(report, topic, tally(results), ms, [properties(report, results), ...cases])
  })
  if (errors.length > 0) parts.push(serverErrorSuite(report, errors))
  if (invalid) parts.push(runItself(report))
  const attributes = {
    name: `assay: ${report.target.name}`,
    tests: totals.tests + errors.length + (invalid ? 1 : 0),
    failures: totals.failures + (failsForServerErrors(report) ? failing(errors) : 0),
    errors: totals.errors + (invalid ? 1 : 0),
    time: inSeconds(report.durationMs),
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, parts)}\n`
}

/** Categories that have the name of no topic -> the topic that they belong to. */
const TOPICS: Readonly<Record<string, string>> = {
  errors: 'general',
  authentication: 'general',
  limits: 'general',
  versioning: 'general',
  board: 'configuration',
  enterprise: 'configuration',
  archiving: 'configuration',
  exclusions: 'ingestion',
  suspensions: 'ingestion',
  export: 'exports',
  'usage-v1': 'usage',
  'usage-v2': 'usage',
}

function topicOf(category: string): string {
  return Object.hasOwn(TOPICS, category) ? (TOPICS[category] ?? category) : category
}

/**
 * Requirement -> milliseconds. A case is about several requirements: each has an equal share of its time, so that the
 * times add up to those of the cases. In recorded traffic they are unknown.
 */
function timesOf({ basis }: Report): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { requirements, durationMs = 0 } of basis?.cases ?? []) {
    for (const id of requirements) times.set(id, (times.get(id) ?? 0) + durationMs / requirements.length)
  }
  return times
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function tally(results: readonly RequirementResult[]) {
  const count = (...verdicts: string[]): number => results.filter(({ verdict }) => verdicts.includes(verdict)).length
  return {
    tests: results.length,
    failures: count('fail'),
    errors: count('error'),
    skipped: count('not-run', 'observed'),
  }
}

/**
 * The schemas of the format know properties of suites only: first those of the run, then one for each requirement, whose
 * name is its id.
 */
function properties(report: Report, results: readonly RequirementResult[]): string {
  const { verdict, seed, profile, specification, binding } = report
  const ofRun = Object.entries({ verdict, seed, profile, specification, binding: binding.name })
  const ofEach = results.map(({ id, level, feature, section, evidence, ...result }): [string, string] => {
    const told = {
      verdict: result.verdict,
      level,
      feature,
      section,
      operations: Object.keys(evidence.operations).join(', '),
      evidence: evidenceLine(evidence),
    }
    const texts = Object.entries(told).filter(([, text]) => text !== '')
    return [id, texts.map(([name, text]) => `${name}: ${text}`).join('; ')]
  })
  const pairs = [...ofRun.map(([name, value]): [string, string] => [`assay.${name}`, String(value)]), ...ofEach]
  return element(
    'properties',
    {},
    pairs.map(([name, value]) => element('property', { name, value })),
  )
}

function testcase(result: RequirementResult, ms: number): string {
  const { verdict, reason, findings, level } = result
  const attributes = {
    name: `${result.id}: ${result.text}`,
    classname: `assay.${result.category}`,
    time: inSeconds(ms),
  }
  const said = (): string => {
    if (verdict === 'fail') {
      return element('failure', { message: findings[0]?.message ?? result.text, type: level }, findingsText(findings))
    }
    if (verdict === 'error') return element('error', { message: reason, type: 'assay' }, content(reason))
    if (verdict === 'warn') return element('system-out', {}, `warning (${level}): ${findingsText(findings)}`)
    return element('skipped', { message: verdict === 'observed' ? observedReason(result) : reason })
  }
  return element('testcase', attributes, verdict === 'pass' ? [] : [said()])
}

/** A test for each kind of server error: it fails where they count, and else says in `system-out` what was seen. */
function serverErrorSuite(report: Report, kinds: readonly ServerErrorKind[]): string {
  const fails = failsForServerErrors(report)
  const counts = { tests: kinds.length, failures: fails ? failing(kinds) : 0, errors: 0, skipped: 0 }
  const cases = kinds.map((kind) => {
    const name = `server error: ${kind.operation}, ${kind.kind}`
    const { requestBody } = kind.smallest
    const body = requestBody === '' ? '' : `\n${bounded(requestBody, LONGEST_ATTRIBUTE)}`
    const text = content(`${serverErrorLine(kind)}\n${exchangeLine(kind.smallest)}${body}`)
    const said =
      fails && kind.count > 0
        ? element('failure', { message: serverErrorLine(kind), type: 'server-error' }, text)
        : element('system-out', {}, text)
    return element('testcase', { name, classname: 'assay.server-errors', time: '0.000' }, [said])
  })
  return suiteOf(report, 'server errors', counts, 0, cases)
}

function failing(kinds: readonly ServerErrorKind[]): number {
  return kinds.filter(({ count }) => count > 0).length
}

function runItself(report: Report): string {
  const counts = { tests: 1, failures: 0, errors: 1, skipped: 0 }
  const attributes = { name: 'the run itself', classname: 'assay.run', time: inSeconds(report.durationMs) }
  const reason = [report.reason, ...report.problems].filter((text) => text !== '')
  const said = { message: reason[0] ?? report.verdict, type: report.verdict }
  const error = element('error', said, content(reason.join('\n')))
  return suiteOf(report, 'run', counts, report.durationMs, [element('testcase', attributes, [error])])
}

function observedReason({ evidence }: RequirementResult): string {
  const seen = Object.entries(evidence.observations).map(([what, times]) => `${what} (${times})`)
  return `observed, not judged${seen.length > 0 ? `: ${seen.join(', ')}` : ''}`
}

function evidenceLine(evidence: Evidence): string {
  const { judged, accepted, refused, inconclusive, broken, edges } = evidence
  const counted = Object.entries({ judged, accepted, refused, inconclusive, broken }).filter(([, count]) => count > 0)
  const parts = counted.map(([name, count]) => `${name} ${count}`)
  return [...parts, ...(edges.length > 0 ? [`edges ${edges.join('; ')}`] : [])].join(', ')
}

function findingsText(findings: readonly Finding[]): string {
  const shown = findings.slice(0, MOST_FINDINGS).map((finding) => labelledRows(finding, xmlContent))
  const rest = findings.length - shown.length
  return content([...shown, ...(rest > 0 ? [`and ${rest} more, in report.json`] : [])].join('\n\n'), 4 * LONGEST_TEXT)
}

function suiteOf(
  { startedAt }: Report,
  name: string,
  counts: ReturnType<typeof tally>,
  ms: number,
  inside: readonly string[],
): string {
  // Whole seconds, without a zone: so the schemas want it.
  const timestamp = new Date(Date.parse(startedAt) || 0).toISOString().slice(0, 19)
  return element('testsuite', { name, ...counts, time: inSeconds(ms), timestamp }, inside)
}

/** Text of any origin, in lines. */
function content(text: string, most?: number): string {
  return escaped(xmlContent(text, most))
}

function attribute(text: string): string {
  return escaped(xmlContent(text, LONGEST_ATTRIBUTE).replaceAll(/\s+/g, ' '))
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
