import type { JudgedCounts, OpenGroup } from '../../fixtures/live/messages.ts'
import { type BodySide, mapBodies } from '../../fixtures/map-bodies.ts'
import type { Capture } from '../../fixtures/recording/capture.ts'
import type { RawBody, RawExchange } from '../../fixtures/recording/raw.ts'
import type { RecordingSummary, RecordingWriter } from '../../fixtures/recording/write.ts'
import { type BodyStore, spilled } from '../../fixtures/segments/bodies.ts'
import type { Judgement } from '../../rules/core/judgement.ts'
import { Unjudged, type UnjudgedGroup } from '../../rules/core/unjudged.ts'
import type { Judge } from '../../rules/oracle.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Requirement } from '../../schemas/ledger.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Part } from '../tee/queue.ts'
import type { Side } from '../tee/tee.ts'
import { Examples, type FindingExample, findingsIn, openGroups, type TrafficFinding } from './findings.ts'
import { Followers, WholeBodies } from './follower.ts'

/** What a recorder has done so far. */
export interface RecorderCounts extends JudgedCounts {
  /** things that are broken as far as is known, and may still turn out otherwise */
  readonly open: number
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
  /** the one that `check` shows first */
  readonly example: FindingExample
}

export interface RecorderSummary {
  readonly counts: RecorderCounts
  readonly findings: readonly RequirementCount[]
  /** exchanges that were not judged, by reason */
  readonly unjudged: readonly UnjudgedGroup[]
  /** undefined where nothing was written */
  readonly recording: RecordingSummary | undefined
  /** why the recorder ended before its time; its findings are then counted, and not known */
  readonly broken?: string | undefined
}

type Told = (exchange: Exchange, findings: readonly TrafficFinding[], unjudged: string) => void

export interface RecorderOptions {
  readonly binding: Binding
  readonly capture: Pick<Capture, 'capture' | 'key'>
  /** where long bodies are kept whole; left out: nowhere */
  readonly bodies?: BodyStore | undefined
  /** undefined: nothing is written */
  readonly writer: Pick<RecordingWriter, 'append' | 'lost' | 'close'> | undefined
  /** undefined: nothing is judged */
  readonly judge: Judge | undefined
  readonly ledger: ReadonlyMap<string, Requirement>
  readonly strict: boolean
  /** told of each exchange with what it breaks by itself, and why nothing was judged, where nothing was */
  readonly onExchange?: Told | undefined
  /** told of each finding about an exchange that passed before */
  readonly onLate?: ((finding: TrafficFinding) => void) | undefined
  /** told of what went wrong with assay itself */
  readonly onProblem?: ((message: string) => void) | undefined
  /** told of the first finding of each requirement */
  readonly onFirst?: ((finding: TrafficFinding) => void) | undefined
  /** told of each finding that is written down: the first of each requirement up to a bound */
  readonly onFinding?: ((finding: TrafficFinding) => void) | undefined
}

/** Findings of one requirement that are written down; all are counted. */
const MOST_FINDINGS = 1_000

/** Decodes, judges, redacts and writes. Stands behind the queue, usually in a thread of its own. */
export class Recorder {
  readonly #options: RecorderOptions
  readonly #followers: Followers
  readonly #counts = {
    ...{ exchanges: 0, known: 0, judged: 0, failures: 0, warnings: 0, open: 0, doubted: 0 },
    ...{ cut: 0, unfollowed: 0, whole: 0, incomplete: 0 },
  }
  /** when the last exchange ended, milliseconds since the epoch */
  #last = 0
  #isIdle = true
  readonly #found = new Map<string, { count: number; readonly first: TrafficFinding }>()
  readonly #examples = new Examples()
  readonly #unjudged = new Unjudged()

  constructor(options: RecorderOptions) {
    this.#options = options
    const { bodies, binding } = options
    this.#followers = new Followers(binding, options.capture.key, bodies && new WholeBodies())
  }

  exchange(raw: RawExchange): void {
    try {
      this.#take(raw)
    } catch (thrown) {
      // One exchange that we cannot deal with must not cost all that follow.
      const said = `${raw.id} could not be recorded: ${thrown instanceof Error ? thrown.message : String(thrown)}`
      this.lost(1, said)
      this.#options.onProblem?.(said)
    }
  }

  part(part: Part): void {
    this.#followers.part(part)
  }

  lost(count: number, reason: string): void {
    this.#options.writer?.lost(count, reason)
  }

  counts(): RecorderCounts {
    return { ...this.#counts }
  }

  /**
   * Says what became certain since, called from time to time; returns what is still open. `now`: milliseconds since the
   * epoch. While exchanges come, those that ended before `now` may still wait for their turn.
   */
  look(now: number): readonly OpenGroup[] {
    const { judge, ledger, strict } = this.#options
    if (!judge) return []
    this.#notePassed(judge.ripen(this.#isIdle ? now : this.#last))
    this.#isIdle = true
    const open = openGroups(judge.open(), ledger, strict)
    this.#counts.open = open.reduce((sum, { count }) => sum + count, 0)
    return open
  }

  /** Judges what remains to be judged, and closes the recording. */
  async end(): Promise<RecorderSummary> {
    const { judge, writer } = this.#options
    this.#followers.end()
    this.#notePassed(judge?.end() ?? [])
    this.#counts.open = 0
    const recording = await writer?.close()
    const findings = [...this.#found.values()].map(({ count, first }) => {
      const { requirement, level, failure } = first
      return { requirement, level, failure, count, example: this.#examples.of(requirement) ?? first }
    })
    return { counts: this.counts(), findings, unjudged: this.#unjudged.groups(), recording }
  }

  #take(raw: RawExchange): void {
    const { capture, writer, bodies, judge, onExchange } = this.#options
    this.#counts.exchanges += 1
    if (raw.outcome !== 'complete') this.#counts.incomplete += 1
    const cut = { sent: raw.requestBody.cut, received: raw.responseBody.cut }
    const isCut = cut.sent || cut.received
    const exchange = capture.capture(isCut ? this.#followed(raw) : raw)
    const written = isCut && bodies ? spilled(exchange, cut, bodies) : exchange
    this.#countKept(written, cut)
    writer?.append(written)
    const own: TrafficFinding[] = []
    const before: TrafficFinding[] = []
    let unjudged = ''
    if (judge) {
      const judged = judge.judge(exchange)
      const { view, judgements, waits } = judged
      if (view.operation) this.#counts.known += 1
      unjudged = this.#unjudged.add(judged)
      if (unjudged === '') this.#counts.judged += 1
      if (waits === true || judgements.some(isBroken)) this.#examples.remember(exchange)
      this.#last = Math.max(this.#last, exchange._end)
      this.#isIdle = false
      for (const finding of this.#note(judgements)) {
        ;(finding.exchanges.at(-1) === exchange._id ? own : before).push(finding)
      }
    }
    onExchange?.(exchange, own, unjudged)
    for (const finding of before) this.#options.onLate?.(finding)
  }

  /** Of exchanges that passed before. */
  #notePassed(judgements: readonly Judgement[]): void {
    for (const finding of this.#note(judgements)) this.#options.onLate?.(finding)
  }

  /** With what is known of the bodies that are cut. */
  #followed(raw: RawExchange): RawExchange {
    return {
      ...raw,
      requestBody: this.#followedBody(raw.requestBody, raw.id, 'request'),
      responseBody: this.#followedBody(raw.responseBody, raw.id, 'response'),
    }
  }

  #followedBody(body: RawBody, id: string, side: Side): RawBody {
    return body.cut && body.sha256 === undefined ? { ...body, ...this.#followers.finish(id, side, body.bytes) } : body
  }

  /** Counts long bodies by what is written of them, which may be less than came. */
  #countKept(exchange: Exchange, long: Readonly<Record<BodySide, boolean>>): void {
    mapBodies(exchange, (body, side) => {
      const isCut = body._cut === true && body._body === undefined
      const isBlind = isCut && !exchange._digest?.[side]
      if (!isCut && long[side]) this.#counts.whole += 1
      if (isBlind || (isCut && long[side])) this.#counts.cut += 1
      if (isBlind && body._sha256 === undefined) this.#counts.unfollowed += 1
      return body
    })
  }

  /** Counts what was found, and returns it. */
  #note(judgements: readonly Judgement[]): TrafficFinding[] {
    const { ledger, strict, onFinding, onFirst } = this.#options
    const findings: TrafficFinding[] = []
    for (const judgement of judgements) {
      if (judgement.outcome === 'doubted') this.#counts.doubted += 1
      if (!isBroken(judgement)) continue
      const [finding] = findingsIn([judgement], ledger, strict)
      if (!finding) continue
      findings.push(finding)
      this.#examples.add(finding, judgement)
      if (finding.failure) this.#counts.failures += 1
      else this.#counts.warnings += 1
      const known = this.#found.get(finding.requirement)
      if (known) known.count += 1
      else {
        this.#found.set(finding.requirement, { count: 1, first: finding })
        onFirst?.(finding)
      }
      if ((known?.count ?? 1) <= MOST_FINDINGS) onFinding?.(finding)
    }
    return findings
  }
}

function isBroken({ outcome }: Judgement): boolean {
  return outcome === 'broken'
}
