import type { CaseEnd, RequirementVerdict } from '../rules/core/verdict.ts'
import type { Basis, Bodies, CaseOutcome, Report, RunInfo, SelectedPart } from '../schemas/types/report.ts'
import { bounded } from './text.ts'

/** What a report's basis is made from. */
export interface BasisPieces {
  readonly runs: readonly RunInfo[]
  readonly successes: number
  readonly bodies?: Bodies | undefined
  /** ids of the cases that were to run */
  readonly expected: readonly string[]
  readonly cases: readonly CaseEnd[]
  readonly verdicts: readonly RequirementVerdict[]
  readonly selected?: SelectedPart
}

const LONGEST_DETAIL = 1024

/** What the verdicts of a report follow from beside its evidence. The same for the same things, in whatever order they came. */
export function basisOf({ runs, successes, bodies, expected, cases, verdicts, selected }: BasisPieces): Basis {
  const sides: Basis['sides'] = {}
  const broken: Basis['broken'] = {}
  const failed: Basis['failed'] = {}
  for (const { requirement, tally } of verdicts) {
    if (tally.sides.size > 0) {
      sides[requirement.id] = Object.fromEntries(sorted([...tally.sides].map(([id, seen]) => [id, [...seen].sort()])))
    }
    if (tally.brokenAt.size > 0) broken[requirement.id] = Object.fromEntries(sorted([...tally.brokenAt]))
    if (tally.failedAt.size > 0) failed[requirement.id] = Object.fromEntries(sorted([...tally.failedAt]))
  }
  return {
    runs: [...runs],
    successes,
    ...(bodies ? { bodies: { ...bodies } } : {}),
    expected: [...expected].sort(),
    cases: cases.map(outcomeOf).sort((a, b) => (a.case < b.case ? -1 : 1)),
    sides,
    broken,
    ...(Object.keys(failed).length > 0 ? { failed } : {}),
    ...(selected
      ? { selected: { requirements: [...selected.requirements].sort(), operations: [...selected.operations].sort() } }
      : {}),
  }
}

function outcomeOf({
  case: id,
  requirements,
  state,
  durationMs,
  reason,
  gap,
  detail,
  notOffered,
}: CaseEnd): CaseOutcome {
  return {
    case: id,
    requirements: [...requirements],
    state,
    ...(durationMs === undefined ? {} : { durationMs: Math.round(durationMs) }),
    ...(reason === undefined ? {} : { reason }),
    ...(gap === undefined ? {} : { gap }),
    ...(detail === undefined ? {} : { detail: bounded(detail, LONGEST_DETAIL) }),
    ...(notOffered === undefined ? {} : { notOffered: { ...notOffered } }),
  }
}

/** Whether the report is about recorded traffic alone. */
export function isTraffic({ basis }: Pick<Report, 'basis'>): boolean {
  return basis !== undefined && basis.runs.length > 0 && basis.runs.every(({ verb }) => verb === 'check')
}

function sorted<T>(entries: [string, T][]): [string, T][] {
  return entries.sort(([a], [b]) => (a < b ? -1 : 1))
}
