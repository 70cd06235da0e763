import type { IncomingMessage } from 'node:http'
import { Capture } from '../../fixtures/recording/capture.ts'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import { exchangeRules } from '../../rules/all.ts'
import type { Judgement } from '../../rules/core/judgement.ts'
import type { Oracle } from '../../rules/core/rule.ts'
import { createViewer, type Viewer } from '../../rules/core/viewer.ts'
import { createOracle } from '../../rules/oracle.ts'
import { successRule } from '../../rules/topics/general/success.ts'
import { type BindingData, resolveBinding } from '../../schemas/binding.ts'
import { isTooDeep } from '../../schemas/depth.ts'
import { firstOfEach, jsonIn, repeatedField } from '../../schemas/json.ts'
import { createMatcher, type Matcher, type Routed } from '../../schemas/matcher.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { basePathOf, percentDecoded, percentEncoded } from '../../schemas/url.ts'
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

type Request = Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'rawHeaders'>
type Answer = Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders'>

/** Bodies up to this size wait for their judgement. */
const LIMIT = 1 << 20
/** Findings that one answer names. */
const MOST = 20

/** Lets only pass what conforms: for staging, where a wrong client and a wrong server are to be found at once. */
export class Guard implements Gate {
  readonly counts: GuardCounts = { refusedRequests: 0, refusedAnswers: 0, unjudged: 0 }
  readonly limit: number = LIMIT
  readonly #judge: PathJudge

  constructor(judge: PathJudge) {
    this.#judge = judge
  }

  request(request: Request, body: Buffer): OwnAnswer | undefined {
    const { list, unread } = this.#judge.violationsHoweverTaken(rawOf(request, body))
    if (unread) this.unjudged()
    const [first] = list
    if (!first) return undefined
    this.counts.refusedRequests += 1
    return {
      status: 400,
      code: 'BadRequest',
      error: `assay guard: ${first.pointer || 'the body'} ${first.message} (${first.requirement})`,
      more: { findings: list.slice(0, MOST) },
    }
  }

  answer(request: Request, sent: Buffer, answer: Answer, body: Buffer): OwnAnswer | undefined {
    const { list, unread } = this.#judge.findings(rawOf(request, sent, answer, body))
    if (unread) this.unjudged()
    const failures = list.filter(({ failure }) => failure)
    const [first] = failures
    if (!first) return undefined
    this.counts.refusedAnswers += 1
    const findings = failures.slice(0, MOST).map(({ requirement, pointer, message, expected, actual }) => {
      return { requirement, pointer, message, expected, actual }
    })
    return {
      status: 502,
      code: 'BadGateway',
      error: `assay guard: the response does not conform: ${first.message} (${first.requirement})`,
      more: { findings },
    }
  }

  unjudged(): void {
    this.counts.unjudged += 1
  }
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
function rawOf(request: Request, body: Buffer, answer?: Answer, received: Buffer = NONE.kept): RawExchange {
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

export interface PathJudgeOptions {
  readonly binding: BindingData
  readonly baseUrl: string
  readonly strict: boolean
  /** of the pseudonyms that stand for secrets in messages */
  readonly key: Uint8Array
}

/** Bytes of a body without its coding: all that passes waits for it. */
const MOST_DECODED = 2 * 1024 * 1024

/** Judges single exchanges while their client waits: what an exchange shows by itself, no histories. */
export class PathJudge {
  readonly #strict: boolean
  readonly #capture: Capture
  readonly #oracle: Oracle
  readonly #viewer: Viewer
  readonly #match: Matcher<Meant>

  constructor(options: PathJudgeOptions) {
    const binding = resolveBinding(options.binding)
    const basePath = basePathOf(options.baseUrl)
    const { baseUrl, key } = options
    this.#strict = options.strict
    this.#capture = new Capture({ binding, baseUrl, credentials: new Map(), key, mostDecoded: MOST_DECODED })
    this.#oracle = createOracle({ binding, basePath, settleMs: 0 }).oracle
    this.#viewer = createViewer(binding, this.#oracle.validator, basePath)
    this.#match = createMatcher(
      [...binding.operations.values()].map(({ id, method, path }) => {
        return { id, method, template: path, path: path.replaceAll(/\{[^}]*\}|[^{]+/g, inSmallLetters) }
      }),
    )
  }

  /** The rules of the specification that a request breaks, as it was serialised. What the text leaves open binds nobody. */
  violations(raw: RawExchange): Found<BrokenRule> {
    return this.#broken(this.#view(raw))
  }

  #broken({ violations, request }: ReturnType<Viewer['view']>): Found<BrokenRule> {
    const list = violations.flatMap(({ requirement = '', pointer, message }) => {
      const level = this.#oracle.ledger.get(requirement)?.level
      return level === 'stated' || level === 'implied' ? [{ requirement, pointer, message }] : []
    })
    return { list, unread: request.kind === 'cut' }
  }

  /**
   * The same of a request that a target may take for another one than it is by the letter. Whoever lets it pass has to know
   * what it does there.
   */
  violationsHoweverTaken(raw: RawExchange): Found<BrokenRule> {
    const found = readings(this.#capture.capture(this.#meant(raw))).map((one) => this.#broken(this.#viewer.view(one)))
    const list = new Map(found.flatMap(({ list }) => list.map((one) => [`${one.requirement} ${one.pointer}`, one])))
    return { list: [...list.values()], unread: found.some(({ unread }) => unread) }
  }

  /** What an answer breaks. */
  findings(raw: RawExchange): Found<TrafficFinding> {
    const seen = this.#view(raw)
    const list = this.#found(exchangeRules.flatMap((rule) => rule.judge(seen, this.#oracle)))
    return { list, unread: seen.response.kind === 'cut' }
  }

  /** What the status of an answer breaks, before its body is known. */
  statusFindings(raw: RawExchange): readonly TrafficFinding[] {
    const seen = this.#view(raw)
    const about = seen.specified?.response.statusRequirement
    return this.#found(successRule.judge(seen, this.#oracle).filter(({ requirement }) => requirement === about))
  }

  #view(raw: RawExchange): ReturnType<Viewer['view']> {
    return this.#viewer.view(this.#capture.capture(raw))
  }

  /** With the method and path of the operation that a target may find in it. */
  #meant(raw: RawExchange): RawExchange {
    const method = raw.method.toUpperCase()
    const [, path = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(raw.url) ?? []
    for (const segments of [path.split('/').map(percentDecoded), percentDecoded(path).split('/')].map(plainSegments)) {
      const template = this.#match(
        method,
        segments
          .map((one) => one.replaceAll('/', '%2F'))
          .join('/')
          .toLowerCase(),
      )?.operation.template.split('/')
      if (!template) continue
      const named = template.map((one, at) => (one.startsWith('{') ? percentEncoded(segments[at] ?? '') : one))
      return { ...raw, method, url: named.join('/') + query }
    }
    return raw
  }

  #found(judgements: readonly Judgement[]): TrafficFinding[] {
    return findingsIn(judgements, this.#oracle.ledger, this.#strict)
  }
}

/** An operation whose path has small letters; `template`: the path itself. */
interface Meant extends Routed {
  readonly template: string
}

function inSmallLetters(part: string): string {
  return part.startsWith('{') ? part : part.toLowerCase()
}

/** The segments of a path as many targets see them: without parameters, empty ones and dots. */
function plainSegments(segments: readonly string[]): string[] {
  const plain: string[] = []
  for (const segment of segments.flatMap((one) => one.split('\\')).map((one) => one.replace(/;.*/s, ''))) {
    if (segment === '..') plain.pop()
    else if (segment !== '' && segment !== '.') plain.push(segment)
  }
  return ['', ...plain]
}

/** A request whose body names a field twice is read in two ways: the last counts, as for most, or the first. */
function readings(exchange: Exchange): Exchange[] {
  const { request } = exchange
  const { postData } = request
  const text = postData?.encoding === undefined && postData?._cut !== true ? (postData?.text ?? '') : ''
  if (!postData || isTooDeep(text) || repeatedField(text) === undefined) return [exchange]
  return [jsonIn(text), firstOfEach(text)].map((value) => {
    // A text that is no JSON stays as it is.
    const read = value === undefined ? postData : { ...postData, text: JSON.stringify(value) }
    return { ...exchange, request: { ...request, postData: read } }
  })
}
