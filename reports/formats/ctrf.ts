import type { Report, RequirementResult } from '../../schemas/types/report.ts'
import { labelledRows } from '../finding-rows.ts'
import { plainJson } from '../inert.ts'
import { bounded, visible } from '../text.ts'

const LONGEST_MESSAGE = 1024
const LONGEST_TRACE = 16_384
const MOST_FINDINGS = 5

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other'

/** verdict -> status; a warning is a passed test that says so, as in JUnit */
const STATUSES: Readonly<Record<RequirementResult['verdict'], Status>> = {
  pass: 'passed',
  warn: 'passed',
  fail: 'failed',
  error: 'failed',
  observed: 'other',
  'not-run': 'skipped',
}

/**
 * The report as CTRF JSON (Common Test Report Format): a test for each requirement, whose verdict is `rawStatus`. A run
 * that proved nothing has a failed test of its own, so that no reader of the file takes it for green.
 */
export function renderCtrf(report: Report): string {
  const invalid = report.verdict === 'invalid' || report.problems.length > 0
  const tests = [...report.requirements.map(testOf), ...(invalid ? [runItself(report)] : [])]
  const count = (status: Status): number => tests.filter((test) => test.status === status).length
  const start = Math.max(0, Date.parse(report.startedAt) || 0)
  const stop = start + Math.round(report.durationMs)
  const { target, suite } = report
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: new Date(stop).toISOString(),
    generatedBy: clean(`${suite.name} ${suite.version}`),
    results: {
      tool: { name: clean(suite.name) || 'assay', version: clean(suite.version) },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: count('other'),
        suites: new Set(tests.map(({ suite: [category] }) => category)).size,
        start,
        stop,
        duration: stop - start,
        extra: {
          verdict: report.verdict,
          reason: clean(report.reason),
          seed: report.seed,
          profile: report.profile,
          requests: report.requests,
          serverErrors: report.serverErrors?.count ?? 0,
          specification: report.specification,
          binding: clean(report.binding.name),
        },
      },
      tests,
      environment: {
        appName: clean(target.name),
        appVersion: clean(target.version),
        extra: { baseUrl: clean(target.baseUrl), ...cleaned(report.environment) },
      },
    },
  }
  return `${plainJson(document, 2)}\n`
}

function testOf(result: RequirementResult) {
  const { id, text, verdict, category, level, feature, section, findings } = result
  const message = messageOf(result)
  const trace = findings
    .slice(0, MOST_FINDINGS)
    .map((finding) => labelledRows(finding, (text) => clean(text, 4 * LONGEST_MESSAGE)))
    .join('\n\n')
  return {
    name: clean(`${id}: ${text}`),
    testId: clean(id),
    status: STATUSES[verdict],
    rawStatus: verdict,
    duration: 0,
    suite: [clean(category)],
    ...(message === '' ? {} : { message }),
    ...(trace === '' ? {} : { trace: bounded(trace, LONGEST_TRACE) }),
    tags: [level, clean(category)],
    labels: { requirement: clean(id), level, feature: clean(feature), section: clean(section) },
  }
}

function runItself(report: Report) {
  const said = [report.reason, ...report.problems].filter((text) => text !== '').join('; ')
  return {
    name: 'the run itself',
    testId: 'run',
    status: 'failed' as const,
    rawStatus: report.verdict,
    duration: Math.round(report.durationMs),
    suite: ['run'],
    message: clean(said),
  }
}

function messageOf({ reason, findings, verdict, evidence }: RequirementResult): string {
  if (reason !== '') return clean(reason)
  if (verdict === 'observed') return clean(Object.keys(evidence.observations).join('; '))
  return clean(findings[0]?.message ?? '')
}

function cleaned(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [clean(name), clean(text)]))
}

function clean(text: string, most: number = LONGEST_MESSAGE): string {
  return visible(bounded(text, most))
}
