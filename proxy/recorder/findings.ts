import type { OpenGroup } from '../../fixtures/live/messages.ts'
import { type Judgement, wordsOf } from '../../rules/core/judgement.ts'
import { nameOfBroken } from '../../rules/core/tally.ts'
import { sizeOf } from '../../rules/core/view.ts'
import type { OpenJudgement } from '../../rules/traffic/traffic.ts'
import type { Requirement } from '../../schemas/ledger.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { withoutOrigin } from '../../schemas/url.ts'

/** A requirement that traffic broke, as it is shown and written. */
export interface TrafficFinding {
  readonly requirement: string
  readonly level: string
  /** a failure; otherwise a warning */
  readonly failure: boolean
  readonly operation: string
  readonly message: string
  readonly expected: string
  readonly actual: string
  readonly pointer: string
  /** ids, the deciding one last */
  readonly exchanges: readonly string[]
}

/** One finding of a requirement, with the request that it is about as far as that is known. */
export interface FindingExample extends TrafficFinding {
  readonly request?: { readonly method: string; readonly path: string }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly size: number
}

/** Requests that are remembered: a finding that comes late is about one of the last half minute. */
const MOST_ASKED = 10_000
const LONGEST_PATH = 300

/** Chooses the finding of each requirement that `check` shows first: with the smallest request, the last one of its kind. */
export class Examples {
  readonly #asked = new Map<string, Asked>()
  /** requirement -> what is broken, and at which edge -> the last one */
  readonly #last = new Map<string, Map<string, { readonly finding: FindingExample; readonly size: number }>>()

  /** An exchange at which something broken was seen. */
  remember(exchange: Exchange): void {
    const { method, url } = exchange.request
    const path = withoutOrigin(url).slice(0, LONGEST_PATH)
    this.#asked.set(exchange._id, { method, path, size: sizeOf(exchange) })
    const [oldest] = this.#asked.keys()
    if (oldest !== undefined && this.#asked.size > MOST_ASKED) this.#asked.delete(oldest)
  }

  add(finding: TrafficFinding, judgement: Judgement): void {
    const { requirement, exchanges } = finding
    const asked = this.#asked.get(exchanges.at(-1) ?? '')
    const { method = '', path = '', size = Number.POSITIVE_INFINITY } = asked ?? {}
    const own = this.#last.get(requirement) ?? new Map()
    this.#last.set(requirement, own)
    own.set(nameOfBroken(judgement), { finding: asked ? { ...finding, request: { method, path } } : finding, size })
  }

  of(requirement: string): FindingExample | undefined {
    const all = [...(this.#last.get(requirement) ?? [])]
    all.sort(([a, one], [b, other]) => (one.size === other.size ? (a < b ? -1 : 1) : one.size - other.size))
    return all[0]?.[1].finding
  }
}

/** The findings among judgements. `strict`: implied and declared requirements count like stated ones. */
export function findingsIn(
  judgements: readonly Judgement[],
  ledger: ReadonlyMap<string, Requirement>,
  strict: boolean,
): TrafficFinding[] {
  const found: TrafficFinding[] = []
  for (const judgement of judgements) {
    if (judgement.outcome !== 'broken') continue
    const level = ledger.get(judgement.requirement)?.level ?? 'open'
    if (level === 'open') continue
    found.push({
      requirement: judgement.requirement,
      level,
      failure: level === 'stated' || strict,
      operation: judgement.operation,
      ...wordsOf(judgement),
      exchanges: judgement.exchanges,
    })
  }
  return found
}

/** What may still turn out otherwise, by requirement and by what could explain it. */
export function openGroups(
  open: readonly OpenJudgement[],
  ledger: ReadonlyMap<string, Requirement>,
  strict: boolean,
): OpenGroup[] {
  const groups = new Map<string, OpenGroup>()
  for (const { judgement, by } of open) {
    const [finding] = findingsIn([{ ...judgement, outcome: 'broken' }], ledger, strict)
    if (!finding) continue
    const { requirement, failure, message } = finding
    const key = `${requirement} ${by}`
    const count = (groups.get(key)?.count ?? 0) + 1
    groups.set(key, { requirement, failure, count, message, last: finding.exchanges.at(-1) ?? '', by })
  }
  return [...groups.values()]
}
