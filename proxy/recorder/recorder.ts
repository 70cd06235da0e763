import type { Capture } from '../../fixtures/recording/capture.ts'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import type { RecordingSummary, RecordingWriter } from '../../fixtures/recording/write.ts'
import { type BodyFolder, spilled } from '../../fixtures/segments/bodies.ts'
import type { Judgement } from '../../rules/core/judgement.ts'
import type { Judge } from '../../rules/oracle.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Requirement } from '../../schemas/ledger.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type Packed, unpack } from '../tee/packing.ts'
import type { Part } from '../tee/queue.ts'
import { findingsIn, type TrafficFinding } from './findings.ts'
import { createFollowers } from './follower.ts'
import { createWholeBodies } from './whole-body.ts'

/** What a recorder has done so far. */
export interface RecorderCounts {
  readonly exchanges: number
  readonly failures: number
  readonly warnings: number
  /** things that were not as they have to be, unless somebody changed them who does not come by here */
  readonly doubted: number
  /** bodies of which only the beginning was kept */
  readonly cut: number
  /** of these, those without hash and lines */
  readonly unfollowed: number
  /** bodies that are kept whole in files of their own */
  readonly whole: number
  /** exchanges whose target gave no whole answer */
  readonly incomplete: number
}

/** What was found about one requirement. */
export interface RequirementCount {
  readonly requirement: string
  readonly level: string
  readonly failure: boolean
  readonly count: number
  /** the first of them */
  readonly example: TrafficFinding
}

export interface RecorderSummary {
  readonly counts: RecorderCounts
  readonly findings: readonly RequirementCount[]
  /** undefined where nothing was written */
  readonly recording: RecordingSummary | undefined
  /** why the recorder ended before its time; its findings are then counted, and not known */
  readonly broken?: string | undefined
}

export interface RecorderOptions {
  /** stands before each id */
  readonly session: string
  readonly binding: Binding
  readonly capture: Capture
  /** where long bodies are kept whole; left out: nowhere */
  readonly bodies?: BodyFolder | undefined
  /** undefined: nothing is written */
  readonly writer: RecordingWriter | undefined
  /** undefined: nothing is judged */
  readonly judge: Judge | undefined
  readonly ledger: ReadonlyMap<string, Requirement>
  readonly strict: boolean
  /** told of each exchange with what it brought to light */
  readonly onExchange?: ((exchange: Exchange, findings: readonly TrafficFinding[]) => void) | undefined
  /** told of what went wrong with assay itself */
  readonly onProblem?: ((message: string) => void) | undefined
  /** told of each finding that is written down: the first of each requirement up to a bound */
  readonly onFinding?: ((finding: TrafficFinding) => void) | undefined
}

/** Decodes, judges, redacts and writes. Stands behind the queue, usually in a thread of its own. */
export interface Recorder {
  exchanges(packed: Packed): void
  part(part: Part): void
  lost(count: number, reason: string): void
  counts(): RecorderCounts
  /** judges what remains to be judged, and closes the recording */
  end(): Promise<RecorderSummary>
}

/** Findings of one requirement that are written down; all are counted. */
const MOST_FINDINGS = 1_000

export function createRecorder(options: RecorderOptions): Recorder {
  const { capture, writer, judge, ledger, strict } = options
  const { bodies } = options
  const problem = options.onProblem ?? (() => undefined)
  const wholes = bodies && createWholeBodies(bodies, capture.pieces, problem)
  const followers = createFollowers(options.binding, wholes)
  const counts = { exchanges: 0, failures: 0, warnings: 0, doubted: 0, cut: 0, unfollowed: 0, whole: 0, incomplete: 0 }
  const found = new Map<string, { count: number; readonly example: TrafficFinding }>()

  const withFollowed = (body: RawBody, number: number, side: Part['side']): RawBody => {
    if (!body.cut) return body
    const followed = body.sha256 === undefined ? followers.finish(number, side, body.bytes) : undefined
    if (followed?.cut === false || followed?.file) counts.whole += 1
    else counts.cut += 1
    if (followed) return { ...body, ...followed }
    if (body.sha256 === undefined) counts.unfollowed += 1
    return body
  }

  const note = (findings: readonly TrafficFinding[]): void => {
    for (const finding of findings) {
      if (finding.failure) counts.failures += 1
      else counts.warnings += 1
      const known = found.get(finding.requirement)
      if (known) known.count += 1
      else found.set(finding.requirement, { count: 1, example: finding })
      if ((known?.count ?? 1) <= MOST_FINDINGS) options.onFinding?.(finding)
    }
  }

  const take = (raw: RawExchange, number: number): void => {
    counts.exchanges += 1
    if (raw.outcome !== 'complete') counts.incomplete += 1
    const sides = { request: raw.requestBody.cut, response: raw.responseBody.cut }
    const followed = sides.request || sides.response ? follow(raw, number) : raw
    const exchange = capture.capture(followed)
    writer?.append(bodies && followed !== raw ? spilled(exchange, sides, bodies) : exchange)
    const judgements = judge?.judge(exchange).judgements ?? []
    const findings = findingsIn(judgements, ledger, strict)
    counts.doubted += doubtedIn(judgements)
    if (findings.length > 0) note(findings)
    options.onExchange?.(exchange, findings)
  }

  const follow = (raw: RawExchange, number: number): RawExchange => ({
    ...raw,
    requestBody: withFollowed(raw.requestBody, number, 'request'),
    responseBody: withFollowed(raw.responseBody, number, 'response'),
  })

  return {
    exchanges(packed) {
      for (const { number, raw } of unpack(packed, options.session)) {
        try {
          take(raw, number)
        } catch (thrown) {
          // One exchange that we cannot deal with must not cost all that follow.
          const said = `${raw.id} could not be recorded: ${thrown instanceof Error ? thrown.message : String(thrown)}`
          writer?.lost(1, said)
          options.onProblem?.(said)
        }
      }
    },
    part: (part) => followers.part(part),
    lost: (count, reason) => writer?.lost(count, reason),
    counts: () => ({ ...counts }),
    async end() {
      followers.end()
      const rest = judge?.end() ?? []
      note(findingsIn(rest, ledger, strict))
      counts.doubted += doubtedIn(rest)
      const recording = await writer?.close()
      const findings = [...found.values()].map(({ count, example }) => {
        const { requirement, level, failure } = example
        return { requirement, level, failure, count, example }
      })
      return { counts: { ...counts }, findings, recording }
    },
  }
}

function doubtedIn(judgements: readonly Judgement[]): number {
  let count = 0
  for (const { outcome } of judgements) if (outcome === 'doubted') count += 1
  return count
}
