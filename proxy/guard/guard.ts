import type { IncomingMessage } from 'node:http'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import type { OwnAnswer } from '../forward/answers.ts'
import type { Gate } from '../forward/gate.ts'
import type { PathJudge } from './request-judge.ts'

/** What a guard did. */
export interface GuardCounts {
  /** requests answered with 400 in the target's place */
  refusedRequests: number
  /** answers that became a 502 */
  refusedAnswers: number
  /** bodies that were too long to wait for, or cannot be looked into */
  unjudged: number
}

export interface Guard extends Gate {
  readonly counts: GuardCounts
}

/** Bodies up to this size wait for their judgement. */
const LIMIT = 1 << 20
/** Findings that one answer names. */
const MOST = 20

/** Lets only pass what conforms: for staging, where a wrong client and a wrong server are to be found at once. */
export function createGuard(judge: PathJudge): Guard {
  const counts: GuardCounts = { refusedRequests: 0, refusedAnswers: 0, unjudged: 0 }
  return {
    counts,
    limit: LIMIT,
    request(request, body) {
      const { list: violations, unread } = judge.violations(rawOf(request, body))
      if (unread) counts.unjudged += 1
      const [first] = violations
      if (!first) return undefined
      counts.refusedRequests += 1
      return {
        status: 400,
        code: 'BadRequest',
        error: `assay guard: ${placeOf(first.pointer)} ${first.message} (${first.requirement})`,
        more: { findings: violations.slice(0, MOST) },
      }
    },
    answer(request, sent, answer, body): OwnAnswer | undefined {
      const { list, unread } = judge.findings(rawOf(request, sent, answer, body))
      if (unread) counts.unjudged += 1
      const failures = list.filter(({ failure }) => failure)
      const [first] = failures
      if (!first) return undefined
      counts.refusedAnswers += 1
      const findings = failures.slice(0, MOST).map(({ requirement, pointer, message, expected, actual }) => ({
        requirement,
        pointer,
        message,
        expected,
        actual,
      }))
      return {
        status: 502,
        code: 'BadGateway',
        error: `assay guard: the target's answer does not conform: ${first.message} (${first.requirement})`,
        more: { findings },
      }
    },
    unjudged() {
      counts.unjudged += 1
    },
  }
}

function placeOf(pointer: string): string {
  return pointer === '' ? 'the body' : pointer
}

/** Names the requirements in question, with commas between them. */
const ANNOTATION = 'Assay-Findings'
/** Ids that one header field names. */
const MOST_NAMED = 20

/**
 * The header field that says what a request breaks, and what the status of its answer breaks: what is known before the
 * head of the answer is sent. Undefined where nothing is wrong, or too little of the request was kept.
 */
export function createAnnotator(judge: PathJudge): (raw: RawExchange) => readonly string[] | undefined {
  return (seen) => {
    if (seen.requestBody.cut) return undefined
    // Of an exchange that is still under way the judge would say nothing.
    const raw: RawExchange = { ...seen, outcome: 'complete' }
    const found = [...judge.violations(raw).list, ...judge.statusFindings(raw)].map(({ requirement }) => requirement)
    return found.length === 0 ? undefined : [ANNOTATION, [...new Set(found)].slice(0, MOST_NAMED).join(', ')]
  }
}

const NONE: RawBody = { bytes: 0, kept: Buffer.alloc(0), cut: false }

/** A request as the judge on the path sees it, with as much of its answer as is known. */
function rawOf(
  request: Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'rawHeaders'>,
  body: Buffer,
  answer?: Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders'>,
  received: Buffer = NONE.kept,
): RawExchange {
  return {
    id: '',
    startedAt: 0,
    endedAt: 0,
    method: request.method ?? '',
    url: request.url ?? '/',
    httpVersion: request.httpVersion,
    requestHeaders: request.rawHeaders,
    requestBody: { bytes: body.length, kept: body, cut: false },
    status: answer?.statusCode ?? 0,
    statusText: answer?.statusMessage ?? '',
    responseHeaders: answer?.rawHeaders ?? [],
    responseTrailers: [],
    responseBody: { bytes: received.length, kept: received, cut: false },
    outcome: 'complete',
  }
}
