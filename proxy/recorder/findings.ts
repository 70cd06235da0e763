import type { OpenGroup } from '../../fixtures/live/messages.ts'
import { type Judgement, wordsOf } from '../../rules/core/judgement.ts'
import type { OpenJudgement } from '../../rules/traffic/traffic.ts'
import type { Requirement } from '../../schemas/ledger.ts'

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
