import { noEvidence } from '../rules/core/tally.ts'
import type { DifferenceGroup, ReplayReport } from '../schemas/types/replay.ts'
import type {
  Evidence,
  Finding,
  FindingExchange,
  Report,
  RequirementResult,
  ServerErrorKind,
} from '../schemas/types/report.ts'
import { buildReport, type ReportPieces } from './build.ts'

/** A finding of the kind that a loosened length bound gives, changed as a test needs it. */
export function aFinding(given: Partial<Finding> = {}): Finding {
  return {
    requirement: 'NODE-TITLE-MAX',
    operation: 'update-transform',
    case: 'transform.title',
    message: 'a title of 513 characters was accepted',
    expected: 'refused, as the same request with 512 characters was accepted',
    actual: '200',
    pointer: '/title',
    edge: 'length 513',
    exchanges: [
      anExchange({ id: '1', role: 'control', requestBody: `{"title":"${'a'.repeat(512)}"}` }),
      anExchange({ id: '2', role: 'deciding', requestBody: `{"title":"${'a'.repeat(513)}"}` }),
    ],
    curl: `curl -sS -i -g -X PUT -H "authorization: Token $ASSAY_ACCESS_TOKEN" --data-raw '{"title":"${'a'.repeat(513)}"}' http://127.0.0.1:8080/v3/pipeline/1/transform/2`,
    reproduce: 'npx assay certify http://127.0.0.1:8080 --only NODE-TITLE-MAX --seed 42',
    ...given,
  }
}

/** A finding about an update that a later read does not show. */
export function anUpdateFinding(given: Partial<Finding> = {}): Finding {
  return aFinding({
    message: 'an update was accepted, but a later read shows nothing of it',
    exchanges: [
      anExchange({ id: '1', role: 'setup', method: 'POST' }),
      anExchange({ id: '2', role: 'before', requestBody: '{"title":"new"}' }),
      anExchange({ id: '3', role: 'deciding', method: 'GET', responseBody: '{"title":"old"}' }),
    ],
    ...given,
  })
}

export function anExchange(given: Partial<FindingExchange> = {}): FindingExchange {
  return {
    id: '1',
    role: 'deciding',
    method: 'PUT',
    url: 'http://127.0.0.1:8080/v3/pipeline/1/transform/2',
    requestBody: '',
    status: 200,
    responseBody: '{"data":{"id":"2"}}',
    outcome: 'complete',
    ...given,
  }
}

/** A kind of server error: a good title that breaks the server. */
export function aServerError(given: Partial<ServerErrorKind> = {}): ServerErrorKind {
  return {
    operation: 'update-transform',
    kind: '/title: length 512',
    count: 4,
    retried: 0,
    statuses: [500],
    size: 600,
    smallest: anExchange({ role: 'smallest', requestBody: '{"title":"a"}', status: 500, responseBody: 'oops' }),
    ...given,
  }
}

const NO_EVIDENCE: Evidence = noEvidence()

export function aResult(
  given: Partial<Omit<RequirementResult, 'evidence'>> & { evidence?: Partial<Evidence> } = {},
): RequirementResult {
  return {
    id: 'NODE-TITLE-MAX',
    level: 'stated',
    category: 'pipelines',
    feature: 'pipelines',
    section: 'Resources and their fields > Pipeline node common fields',
    text: 'The title of a pipeline node is at most 512 characters long.',
    verdict: 'pass',
    reason: '',
    findings: [],
    ...given,
    evidence: { ...NO_EVIDENCE, ...given.evidence },
  }
}

export function aReport(given: Partial<ReportPieces> = {}): Report {
  return buildReport({
    specification: '2.1',
    suite: { name: 'assay', version: '0.1.0' },
    verdict: 'conformant',
    reason: '',
    strict: false,
    target: { name: 'example', version: '1.0', baseUrl: 'http://127.0.0.1:8080', embedded: false },
    binding: { name: 'reference', chain: ['reference', 'default'], answered: ['GAP-TAP-ANSWER'], unanswered: [] },
    features: ['pipelines'],
    seed: 42,
    profile: 'standard',
    only: [],
    requests: 10_482,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 9810,
    operations: [],
    environment: { node: '20.20.2' },
    leftovers: [],
    problems: [],
    results: [aResult()],
    ...given,
  })
}

/** A group of differences, in which a name is another one. */
export function aGroup(given: Partial<DifferenceGroup> = {}): DifferenceGroup {
  return {
    operation: 'get-view',
    pointer: '/name',
    kind: 'changed',
    recorded: '"one"',
    replayed: '"\u001b[31mtwo"',
    count: 50,
    example: { recorded: 'a', replayed: 'b', request: 'GET http://target.example.com/v1/config/view/1' },
    ...given,
  }
}

/** What a replay found: one group of differences, something not sent, something not carried over. */
export function aReplay(given: Partial<ReplayReport> = {}): ReplayReport {
  return {
    formatVersion: 1,
    suite: { name: 'assay', version: '0' },
    recording: { path: 'today', exchanges: 120, firstAt: '', lastAt: '' },
    target: { name: '', baseUrl: 'http://target.example.com', embedded: false },
    binding: 'reference',
    speed: 'max',
    concurrency: 16,
    shift: { exactMs: 3_600_000, daysMs: 86_400_000 },
    startedAt: '',
    durationMs: 2_000,
    broke: '',
    counts: { sent: 100, notSent: 20, compared: 90, different: 50, raced: 10, inconclusive: 0, notKept: 0, ignored: 2 },
    differences: [aGroup()],
    moreDifferences: 0,
    notSent: [{ reason: 'no consent: consent.suspend', count: 20, example: 'c POST /x' }],
    notCarried: [{ operation: 'create-view', pointer: '/viewid', count: 3, value: 'old', seenIn: 'a', usedIn: 'd' }],
    ignored: [],
    stale: [{ operation: 'get-view', pointer: '/gone' }],
    rules: {
      verdict: 'non-conformant',
      reason: 'VIEW-READ failed',
      findings: [{ requirement: 'VIEW-READ', level: 'stated', message: 'changed', count: 2, fresh: true }],
    },
    ...given,
  }
}
