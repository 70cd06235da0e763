import { EXIT, type ExitCode } from '../../cli/exit-codes.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'

/** The exit code of a replay. `strict`: what the specification implies counts like what it states. */
export function replayExit({ broke, rules, counts }: ReplayReport, strict: boolean): ExitCode {
  if (broke !== '') return EXIT.unreachable
  const worse = rules.findings.some(({ fresh, level }) => fresh && (level === 'stated' || (strict && level !== 'open')))
  if (counts.different > 0 || worse) return EXIT.nonConformant
  return counts.compared === 0 ? EXIT.invalid : EXIT.ok
}
