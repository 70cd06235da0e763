import type { Requirement } from '../../schemas/ledger.ts'
import type { NotRunReason } from '../../schemas/types/case.ts'
import type { Verdict } from '../../schemas/types/report.ts'

/** Why a requirement was not judged, as a report says it. By itself: the page of reports, too, has to know it. */
export function notRun(reason: NotRunReason, detail: string): string {
  return `${reason}: ${detail}`
}

/** The entry of a binding that a reason names as what would help: `set \`operations.get-board.fields.title\``. */
export function entryToSet(reason: string): string | undefined {
  return /: set `(operations\.[^`]+)`/.exec(reason)?.[1]
}

/** The reason of what nobody selected, where only a part was to be run. */
export const LEFT_OUT: string = notRun('disabled', 'left out by --only')

/** How a requirement came out, and what the ledger says of it. */
interface Outcome {
  readonly level: Requirement['level']
  /** undefined: the ledger does not know it */
  readonly provoke: Requirement['provoke'] | undefined
  readonly verdict: Verdict
  readonly reason: string
}

/** Whether a run is only partial, because this requirement was not judged. */
export function leavesOpen({ level, provoke, verdict, reason }: Outcome): boolean {
  if (verdict !== 'not-run' || level !== 'stated' || provoke !== 'always') return false
  // Nothing else could show it, and the text gives no path for it.
  return !/^not-(claimed|offered)\b/.test(reason) && reason !== LEFT_OUT
}
