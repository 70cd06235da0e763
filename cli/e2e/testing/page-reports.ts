import { readFileSync } from 'node:fs'
import { aFinding, anExchange, aReport, aResult, aServerError } from '../../../reports/testing.ts'
import type { FindingExchange, Report, RequirementResult } from '../../../schemas/types/report.ts'

interface Entry {
  readonly id: string
  readonly level: RequirementResult['level']
  readonly category: string
  readonly feature: string
  readonly section: string
  readonly text: string
}

const { requirements: LEDGER } = JSON.parse(
  readFileSync(new URL('../../../schemas/requirements.json', import.meta.url), 'utf8'),
) as { requirements: Entry[] }

/** Markup, script, terminal escapes, marks that turn the direction, and more than anybody reads. */
const HOSTILE: string = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2"><b>bold</b> \u202eevil\u2066 \u001b[31mred\u0007 ${'long '.repeat(2_000_000)}`

type Given = Parameters<typeof aResult>[0]

// Enough of the ledger for what a reader does; all of it takes a browser longer.
const SHOWN = new Set(['general', 'exclusions', 'enterprise', 'usage-v1', 'errors', 'limits'])
const NAMED = /^(NODE-TITLE-|ROUTE-PATCH-PARTIAL$)/

/** A report on a good part of the ledger in which everything passes, but for what `given` says of single requirements. */
export function wholeReport(
  given: Readonly<Record<string, Given>>,
  pieces: Parameters<typeof aReport>[0] = {},
): Report {
  return aReport({
    ...pieces,
    results: LEDGER.filter(({ id, category }) => SHOWN.has(category) || NAMED.test(id)).map(
      ({ id, level, category, feature, section, text }) =>
        aResult({
          id,
          level,
          category,
          feature,
          section,
          text,
          verdict: level === 'open' ? 'not-run' : 'pass',
          reason: level === 'open' ? 'not-provoked: nothing was observed' : '',
          evidence: level === 'open' ? {} : { judged: 12, accepted: 4, refused: 8, edges: ['length 512'] },
          ...given[id],
        }),
    ),
    operations: [
      {
        operation: 'update-transform',
        requests: 30,
        accepted: 20,
        refused: 10,
        inconclusive: 0,
        p50Ms: 4,
        p99Ms: 900,
        maxMs: 1200,
        latencies: { 300: 12, 303: 10, 330: 7, 580: 1 },
      },
    ],
    traffic: {
      startedAt: '2026-01-01T00:00:00.000Z',
      stepMs: 100,
      accepted: [3, 9, 4],
      refused: [0, 5, 2],
      limited: [0, 0, 1],
      failed: [0, 1, 0],
      lost: [0, 0, 2],
    },
    slowest: [
      {
        id: 'a/1',
        operation: 'update-transform',
        case: 'update-transform/title',
        method: 'PUT',
        url: 'http://127.0.0.1:8080/v3/pipeline/1/transform/2',
        status: 503,
        outcome: 'complete',
        ms: 1200,
        startedAt: '2026-01-01T00:00:00.100Z',
      },
    ],
    configuration: { baseUrl: 'http://127.0.0.1:8080', 'credentials.accessToken': '(given)' },
    command: 'npx assay certify http://127.0.0.1:8080 --seed 42',
  })
}

/** Two failures, a warning, an observation. */
export function brokenReport(): Report {
  return wholeReport(
    {
      'NODE-TITLE-MAX': { verdict: 'fail', findings: [aFinding(), aFinding({ edge: 'length 600' })] },
      'ROUTE-PATCH-PARTIAL': {
        verdict: 'fail',
        findings: [aFinding({ requirement: 'ROUTE-PATCH-PARTIAL', exchanges: [anExchange()] })],
      },
      'NODE-TITLE-TYPE': { verdict: 'warn', findings: [aFinding({ requirement: 'NODE-TITLE-TYPE' })] },
      'GAP-USAGE-DAY-ZONE': { verdict: 'observed', reason: '', evidence: { observations: { 'days of UTC': 3 } } },
    },
    { verdict: 'non-conformant', reason: 'NODE-TITLE-MAX, ROUTE-PATCH-PARTIAL failed' },
  )
}

const at = (id: string, ms: number, took: number, given: Parameters<typeof anExchange>[0]): FindingExchange =>
  anExchange({ id, startedAt: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(), ms: took, ...given })

/** A race of two clients, and an export that loses a line between two pages. */
export function tellingReport(): Report {
  const patch = { method: 'PATCH', url: 'http://127.0.0.1:8080/v3/pipeline/state-variable', role: 'parallel' }
  const race = [
    at('1', 0, 20, { method: 'POST', url: 'http://127.0.0.1:8080/v3/pipeline', role: 'setup', meant: 'making it' }),
    at('2', 900, 35, { ...patch, requestBody: '{"state":{"a":1}}' }),
    at('3', 901, 35, { ...patch, requestBody: '{"state":{"b":2}}' }),
    at('4', 950, 5, { ...patch, method: 'GET', role: 'deciding', responseBody: '{"state":{"b":2}}' }),
  ]
  const page = (token: string): Parameters<typeof anExchange>[0] => ({
    method: 'GET',
    url: `http://127.0.0.1:8080/v2/export?size=2&pagination_id=${token}`,
    role: 'page',
  })
  const export2 = [
    at('5', 0, 4, page('null')),
    at('6', 10, 4, page('A')),
    at('7', 20, 4, { ...page('B'), role: 'deciding' }),
  ]
  const lines = [
    { line: 'assay-0.2', state: 'there', page: 1, exchange: '5' },
    { line: 'assay-0.3', state: 'missing' },
    { line: 'assay-0.4', state: 'there', page: 2, exchange: '6' },
  ] as const
  return wholeReport(
    {
      'NODE-TITLE-MAX': {
        verdict: 'fail',
        findings: [aFinding({ message: 'no order of the requests explains what is read', exchanges: race })],
        evidence: { unclear: { 'not judged: status 503 says nothing of the value': 2 } },
      },
      'ROUTE-PATCH-PARTIAL': {
        verdict: 'fail',
        findings: [aFinding({ message: 'the pages do not hold every line', exchanges: export2, lines: [...lines] })],
      },
    },
    { verdict: 'non-conformant', reason: 'NODE-TITLE-MAX, ROUTE-PATCH-PARTIAL failed' },
  )
}

/** Ten failures with long bodies, five warnings and much that was not judged. */
export function redReport(): Report {
  const body = (title: string): string =>
    JSON.stringify({
      ...Object.fromEntries([...'abcdefghijklmnopq'].map((name) => [name, `made by assay ${name}`])),
      title,
    })
  const exchanges = [
    anExchange({ id: '1', role: 'control', requestBody: body('a'.repeat(512)), responseBody: body('answered') }),
    anExchange({ id: '2', requestBody: body('a'.repeat(513)), responseBody: body('answered') }),
  ]
  const ids = wholeReport({}).requirements.flatMap(({ id, level }) => (level === 'open' ? [] : [id]))
  const finding = aFinding({ exchanges })
  const of = (from: number, to: number, given: Given): [string, Given][] =>
    ids
      .slice(from, to)
      .map((id) => [id, { ...given, findings: given?.verdict === 'not-run' ? [] : [finding, finding] }])
  return wholeReport(
    Object.fromEntries([
      ...of(0, 10, { verdict: 'fail' }),
      ...of(10, 15, { verdict: 'warn' }),
      ...of(15, 40, {
        verdict: 'not-run',
        reason: 'no-consent: exclusion rules act on the whole account (consent.exclusions)',
        evidence: {},
      }),
    ]),
    {
      verdict: 'non-conformant',
      reason: 'much failed',
      serverErrors: { count: 4, retried: 0, kinds: [aServerError()] },
    },
  )
}

/** Everything that a target has a hand in is hostile. */
export function hostileReport(): Report {
  const exchange = anExchange({
    method: HOSTILE.slice(0, 100),
    url: `http://127.0.0.1/${HOSTILE}`,
    requestBody: HOSTILE,
    responseBody: HOSTILE,
    outcome: HOSTILE.slice(0, 60),
  })
  const finding = aFinding({
    message: HOSTILE,
    expected: HOSTILE,
    actual: `${HOSTILE.slice(0, 200)}!`,
    pointer: HOSTILE.slice(0, 2000),
    edge: HOSTILE,
    exchanges: [{ ...exchange, role: 'control' }, exchange],
    curl: HOSTILE.slice(0, 30_000),
  })
  return wholeReport(
    {
      'NODE-TITLE-MAX': { verdict: 'fail', findings: [finding, finding] },
      'NODE-TITLE-PATTERN': { verdict: 'error', reason: HOSTILE },
      'GAP-USAGE-DAY-ZONE': {
        verdict: 'observed',
        reason: '',
        evidence: { observations: { [HOSTILE.slice(0, 2000)]: 1 } },
      },
    },
    {
      verdict: 'invalid',
      reason: HOSTILE.slice(0, 5000),
      target: { name: HOSTILE.slice(0, 500), version: '\u202e', baseUrl: HOSTILE.slice(0, 2000), embedded: false },
      leftovers: [HOSTILE.slice(0, 2000)],
      problems: [HOSTILE],
      serverErrors: {
        count: 1,
        retried: 0,
        kinds: [aServerError({ kind: HOSTILE.slice(0, 2000), smallest: exchange })],
      },
      environment: { node: HOSTILE.slice(0, 2000) },
    },
  )
}
