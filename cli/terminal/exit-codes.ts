import type { FaultKind } from '../../engine/errors.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { OverallVerdict } from '../../schemas/types/report.ts'

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

/** The exit code of an outcome. */
export const OUTCOME_EXIT: Readonly<Record<OverallVerdict, ExitCode>> = {
  conformant: EXIT.ok,
  'non-conformant': EXIT.nonConformant,
  partial: EXIT.partial,
  invalid: EXIT.invalid,
}

/** The exit code of an end that is none of our doing. */
export const FAULT_EXIT: Readonly<Record<FaultKind, ExitCode>> = {
  usage: EXIT.usage,
  unreachable: EXIT.unreachable,
  interrupted: EXIT.interrupted,
}

/** The exit code of a replay. `strict`: what the specification implies counts like what it states. */
export function replayExit({ broke, rules, counts, notSent }: ReplayReport, strict: boolean): ExitCode {
  if (broke !== '') return EXIT.unreachable
  const worse = rules.findings.some(({ fresh, level }) => fresh && (level === 'stated' || (strict && level !== 'open')))
  if (counts.different > 0 || worse) return EXIT.nonConformant
  if (counts.compared === 0) return EXIT.invalid
  const lacks = notSent.some(({ aside }) => aside !== true)
  return (counts.weather ?? 0) > 0 || lacks ? EXIT.partial : EXIT.ok
}
