import { createRequire } from 'node:module'
import type { create } from 'xmlbuilder2'
import type {
  Evidence,
  Finding,
  FindingExchange,
  Report,
  RequirementResult,
  ServerErrorKind,
} from '../../schemas/types/report.ts'
import { xmlContent } from '../markup.ts'
import { failsForServerErrors, serverErrorLine } from '../server-errors.ts'
import { answerOf, labelled } from '../shown-exchange.ts'
import { bounded } from '../text.ts'

const LONGEST_TEXT = 16_384
const LONGEST_ATTRIBUTE = 1024
const MOST_FINDINGS = 10

/** Loaded when it is first needed: it takes long, and a run has better things to do before. */
const load = createRequire(import.meta.url)

type Element = ReturnType<ReturnType<typeof create>['ele']>

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

  const xml = load('xmlbuilder2') as { readonly create: typeof create }
  const document = xml.create({ version: '1.0', encoding: 'UTF-8' })
  const root = document.ele('testsuites', {
    name: attribute(`assay: ${report.target.name}`),
    tests: totals.tests + errors.length + (invalid ? 1 : 0),
    failures: totals.failures + (failsForServerErrors(report) ? failing(errors) : 0),
    errors: totals.errors + (invalid ? 1 : 0),
    time: inSeconds(report.durationMs),
  })
  for (const [topic, results] of suites) {
    const ms = results.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0)
    const suite = suiteIn(root, report, topic, tally(results), ms)
    properties(suite, report, results)
    for (const result of results) testcase(suite, result, times.get(result.id) ?? 0)
  }
  if (errors.length > 0) serverErrorSuite(root, report, errors)
  if (invalid) runItself(root, report)
  return `${document.end({ prettyPrint: true })}\n`
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
function properties(suite: Element, report: Report, results: readonly RequirementResult[]): void {
  const element = suite.ele('properties')
  const { verdict, seed, profile, specification, binding } = report
  for (const [name, value] of Object.entries({ verdict, seed, profile, specification, binding: binding.name })) {
    element.ele('property', { name: `assay.${name}`, value: attribute(String(value)) })
  }
  for (const result of results) {
    const { id, level, feature, section, evidence } = result
    const told = {
      verdict: result.verdict,
      level,
      feature,
      section,
      operations: Object.keys(evidence.operations).join(', '),
      evidence: evidenceLine(evidence),
    }
    const value = Object.entries(told)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => `${name}: ${text}`)
      .join('; ')
    element.ele('property', { name: attribute(id), value: attribute(value) })
  }
}

function testcase(suite: Element, result: RequirementResult, ms: number): void {
  const element = suite.ele('testcase', {
    name: attribute(`${result.id}: ${result.text}`),
    classname: attribute(`assay.${result.category}`),
    time: inSeconds(ms),
  })
  const { verdict, reason, findings, level } = result
  if (verdict === 'fail') {
    const message = attribute(findings[0]?.message ?? result.text)
    element.ele('failure', { message, type: level }).txt(findingsText(findings))
  } else if (verdict === 'error') {
    element.ele('error', { message: attribute(reason), type: 'assay' }).txt(content(reason))
  } else if (verdict === 'warn') {
    element.ele('system-out').txt(`warning (${level}): ${findingsText(findings)}`)
  } else if (verdict !== 'pass') {
    element.ele('skipped', { message: attribute(verdict === 'observed' ? observedReason(result) : reason) })
  }
}

/** A test for each kind of server error: it fails where they count, and else says in `system-out` what was seen. */
function serverErrorSuite(root: Element, report: Report, kinds: readonly ServerErrorKind[]): void {
  const fails = failsForServerErrors(report)
  const counts = { tests: kinds.length, failures: fails ? failing(kinds) : 0, errors: 0, skipped: 0 }
  const suite = suiteIn(root, report, 'server errors', counts, 0)
  for (const kind of kinds) {
    const name = attribute(`server error: ${kind.operation}, ${kind.kind}`)
    const element = suite.ele('testcase', { name, classname: 'assay.server-errors', time: '0.000' })
    const text = content(`${serverErrorLine(kind)}\n${exchangeText(kind.smallest)}`)
    if (fails && kind.count > 0)
      element.ele('failure', { message: attribute(serverErrorLine(kind)), type: 'server-error' }).txt(text)
    else element.ele('system-out').txt(text)
  }
}

function failing(kinds: readonly ServerErrorKind[]): number {
  return kinds.filter(({ count }) => count > 0).length
}

function runItself(root: Element, report: Report): void {
  const counts = { tests: 1, failures: 0, errors: 1, skipped: 0 }
  const suite = suiteIn(root, report, 'run', counts, report.durationMs)
  const time = inSeconds(report.durationMs)
  const element = suite.ele('testcase', { name: 'the run itself', classname: 'assay.run', time })
  const reason = [report.reason, ...report.problems].filter((text) => text !== '')
  element
    .ele('error', { message: attribute(reason[0] ?? report.verdict), type: report.verdict })
    .txt(content(reason.join('\n')))
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
  const shown = findings.slice(0, MOST_FINDINGS).map((finding) => labelled(finding, exchangeText, xmlContent))
  const rest = findings.length - shown.length
  return content([...shown, ...(rest > 0 ? [`and ${rest} more, in report.json`] : [])].join('\n\n'), 4 * LONGEST_TEXT)
}

function exchangeText(exchange: FindingExchange): string {
  const body = exchange.requestBody === '' ? '' : ` ${bounded(exchange.requestBody, LONGEST_ATTRIBUTE)}`
  return `${exchange.method} ${exchange.url}${body} -> ${answerOf(exchange)}`
}

function suiteIn(
  root: Element,
  { startedAt }: Report,
  name: string,
  counts: ReturnType<typeof tally>,
  ms: number,
): Element {
  // Whole seconds, without a zone: so the schemas want it.
  const timestamp = new Date(Date.parse(startedAt) || 0).toISOString().slice(0, 19)
  return root.ele('testsuite', { name: attribute(name), ...counts, time: inSeconds(ms), timestamp })
}

/** Text of any origin. The writer takes what looks like a reference for one: an `&lt;` of a response would be read as `<`. */
function content(text: string, most?: number): string {
  return xmlContent(text, most).replaceAll('&', '&amp;')
}

function attribute(text: string): string {
  return content(text, LONGEST_ATTRIBUTE).replaceAll(/\s+/g, ' ')
}
