import { specifiedOperations } from '../schemas/operations.ts'
import type { OverallVerdict, Report } from '../schemas/types/report.ts'

/** What the process says when it ends. The same for every verb. */
export const EXIT = {
  /** conformant; no difference; the verb did what it was asked */
  ok: 0,
  /** non-conformant; a difference was found */
  nonConformant: 1,
  /** wrong arguments, configuration or binding; an output that cannot be written */
  usage: 2,
  /** the target is not reachable, or preflight failed: no verdict is given */
  unreachable: 3,
  /** nothing failed, but some that could be provoked was not run */
  partial: 4,
  /** nothing was really tested, or assay itself went wrong */
  invalid: 5,
  /** Ctrl-C; the report of what was done is written */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The exit code of a verdict. `allowPartial` lets a partial one count as good. */
export function exitCodeOf(verdict: OverallVerdict, allowPartial = false): ExitCode {
  switch (verdict) {
    case 'conformant':
      return EXIT.ok
    case 'partial':
      return allowPartial ? EXIT.ok : EXIT.partial
    case 'non-conformant':
      return EXIT.nonConformant
    case 'invalid':
      return EXIT.invalid
  }
}

/**
 * Whether a partial run may count as a good one where somebody allows that: not where an operation of a claimed feature
 * never worked. `known`: requirements whose failure somebody has listed.
 */
export function mayBePartial(
  { neverSucceeded = [] }: Pick<Report, 'neverSucceeded'>,
  known: ReadonlySet<string> = new Set(),
): boolean {
  const stated = new Map(specifiedOperations().map(({ id, response }) => [id, response.statusRequirement]))
  return neverSucceeded.every((id) => known.has(stated.get(id) ?? ''))
}
