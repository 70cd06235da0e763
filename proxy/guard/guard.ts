import type { IncomingMessage } from 'node:http'
import { createCapture } from '../../fixtures/recording/capture.ts'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import { exchangeRules } from '../../rules/all.ts'
import type { Judgement } from '../../rules/core/judgement.ts'
import { createViewer } from '../../rules/core/viewer.ts'
import { createOracle } from '../../rules/oracle.ts'
import { successRule } from '../../rules/topics/general/success.ts'
import { type BindingData, resolveBinding } from '../../schemas/binding.ts'
import { basePathOf } from '../../schemas/url.ts'
import type { OwnAnswer } from '../forward/answers.ts'
import type { Gate } from '../forward/gate.ts'
import { findingsIn, type TrafficFinding } from '../recorder/findings.ts'

/** What a guard did. */
export interface GuardCounts {
  /** requests answered with 400 in the target's place */
  refusedRequests: number
  /** answers that became a 502 */
  refusedAnswers: number
  /** bodies that were too long to wait for, or cannot be inspected */
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
        error: `assay guard: the response does not conform: ${first.message} (${first.requirement})`,
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
 * The header field that says what a request and the status of its answer break. No more is known before the head of the
 * answer is sent. Undefined where nothing is wrong, or too little of the request was kept.
 */
export function createAnnotator(judge: PathJudge): (raw: RawExchange) => readonly string[] | undefined {
  return (seen) => {
    if (seen.requestBody.cut) return undefined
    // The judge would say nothing about an exchange that is still under way.
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

/** A rule that a request breaks, and where. */
export interface BrokenRule {
  readonly requirement: string
  /** JSON pointer into the body, `path:name` or `query:name` */
  readonly pointer: string
  readonly message: string
}

/** What was found in an exchange. */
export interface Found<T> {
  readonly list: readonly T[]
  /** the body was not inspected: it is nested too deep, or in an unknown coding */
  readonly unread: boolean
}

/** Judges single exchanges while their client waits: what an exchange shows by itself, no histories. */
export interface PathJudge {
  /** the rules of the specification that a request breaks, as it was serialised */
  violations(raw: RawExchange): Found<BrokenRule>
  /** what an answer breaks */
  findings(raw: RawExchange): Found<TrafficFinding>
  /** what the status of an answer breaks, before its body is known */
  statusFindings(raw: RawExchange): readonly TrafficFinding[]
}

export interface PathJudgeOptions {
  readonly binding: BindingData
  readonly baseUrl: string
  readonly strict: boolean
  /** of the pseudonyms that stand for secrets in messages */
  readonly key: Uint8Array
}

/** Bytes of a body without its coding: all that passes waits for it. */
const MOST_DECODED = 2 * 1024 * 1024

export function createPathJudge(options: PathJudgeOptions): PathJudge {
  const binding = resolveBinding(options.binding)
  const basePath = basePathOf(options.baseUrl)
  const { baseUrl, key } = options
  const capture = createCapture({ binding, baseUrl, credentials: new Map(), key, mostDecoded: MOST_DECODED })
  const { oracle } = createOracle({ binding, basePath, settleMs: 0 })
  const viewer = createViewer(binding, oracle.validator, basePath)
  const view = (raw: RawExchange): ReturnType<typeof viewer.view> => viewer.view(capture.capture(raw))
  const found = (judgements: readonly Judgement[]): TrafficFinding[] =>
    findingsIn(judgements, oracle.ledger, options.strict)
  return {
    violations(raw) {
      const { violations, request } = view(raw)
      const list = violations.flatMap(({ requirement, pointer, message }) =>
        requirement !== undefined && isRule(requirement) ? [{ requirement, pointer, message }] : [],
      )
      return { list, unread: request.kind === 'cut' }
    },
    findings(raw) {
      const seen = view(raw)
      const list = found(exchangeRules.flatMap((rule) => rule.judge(seen, oracle)))
      return { list, unread: seen.response.kind === 'cut' }
    },
    statusFindings(raw) {
      const seen = view(raw)
      const about = seen.specified?.response.statusRequirement
      return found(successRule.judge(seen, oracle).filter(({ requirement }) => requirement === about))
    },
  }

  /** What the text states or implies; what it leaves open binds nobody. */
  function isRule(requirement: string): boolean {
    const level = oracle.ledger.get(requirement)?.level
    return level === 'stated' || level === 'implied'
  }
}
