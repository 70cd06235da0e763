import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ReadOptions, Recording } from '../../fixtures/recording/read.ts'
import { readSegments } from '../../fixtures/segments/read.ts'
import { checkWritable, writeReports } from '../../reports/formats/write.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Report } from '../../schemas/types/report.ts'
import type { Caller } from '../caller.ts'
import { claimFolder } from '../claim.ts'
import type { Conclusion } from '../conclude/conclude.ts'
import { UsageError } from '../errors.ts'
import { assembleReport, judgeFor } from '../judge/assemble.ts'
import { factsIn, type RunFacts } from '../judge/facts.ts'
import { type EvidenceSource, judgeAll } from '../judge/judge.ts'
import { CHECK_NUMBERS, numberProblems } from '../options.ts'
import { openAll } from '../recordings/recordings.ts'
import type { CheckOptions } from './facts.ts'
import { createMissing } from './missing.ts'
import { checkTraffic, type Noted } from './traffic.ts'

/** The events of judging recordings. */
export interface CheckEvents {
  /** all can be read: that many files, and their bytes */
  onOpened?(files: number, bytes: number): void
  onExchange?(): void
  /** all was judged; a person gets the result before anything is written */
  onJudged?(notes: readonly string[]): void
}

/** What came of it. */
export interface Checked {
  readonly report: Report
  /** paths */
  readonly written: readonly string[]
}

/**
 * Judges what was recorded, and writes the report. The evidence of a run says by itself what it is
 * judged by, unless options say otherwise; all else is traffic. @throws UsageError, ReportWriteError
 */
export async function check(
  paths: readonly string[],
  options: CheckOptions,
  conclusion: Conclusion,
  caller: Caller,
  events: CheckEvents = {},
): Promise<Checked> {
  const problems = numberProblems(options, CHECK_NUMBERS)
  if (problems.length > 0) throw new UsageError(...problems)
  const recordings = await openAll(paths.map((path) => resolve(caller.cwd, path)))
  const out = reportFolder(options, caller)
  await checkWritable(out)
  const leave = claimFolder(out, 'choose another --out')
  try {
    const [first] = recordings
    const own = recordings.length === 1 && first ? factsIn(first) : undefined
    const facts = isRedirected(options) ? undefined : own
    const files = recordings.flatMap((one) => one.files)
    const sizes = await Promise.all(files.map((file) => stat(file).catch(() => ({ size: 0 }))))
    const bytes = sizes.reduce((sum, { size }) => sum + size, 0)
    events.onOpened?.(files.length, bytes)
    const onExchange = events.onExchange ?? ((): void => {})
    const noted =
      first && facts
        ? await checkRun(first, facts, onExchange)
        : await checkTraffic({ recordings, options, caller, onExchange })
    events.onJudged?.(noted.notes)
    const report = conclusion.judge(noted.report)
    return { report, written: await writeReports(report, out, conclusion.formats) }
  } finally {
    leave()
  }
}

/** The folder that the report of a check is written into. */
export function reportFolder({ out = 'assay-report' }: CheckOptions, { cwd }: Caller): string {
  return resolve(cwd, out)
}

/** Whether the evidence of a run is to be judged by something else than what it was made with. */
function isRedirected({ config, target, binding, features, strict, alone }: CheckOptions): boolean {
  return [config, target, binding, features, strict, alone].some((option) => option !== undefined)
}

/** The evidence of a run, judged by what the run was judged by: the same verdicts come of it. */
async function checkRun(recording: Recording, facts: RunFacts, onExchange: () => void): Promise<Noted> {
  const missing = createMissing()
  const source = (options: ReadOptions): EvidenceSource => ({
    exchanges: () => recording.exchanges(options),
    cases: () => readSegments<CaseRecord>(recording.folder, 'cases'),
  })
  const judge = await judgeAll(source({ onProblem: missing.note }), judgeFor(facts), { onJudged: onExchange })
  const report = await assembleReport(source({}), facts, judge)
  return { report, notes: missing.notes() }
}
