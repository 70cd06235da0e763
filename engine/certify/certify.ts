import { onlyVerdicts } from '../../reports/expectations/expectations.ts'
import { ReportWriteError, writeReports } from '../../reports/formats/write.ts'
import { inWords } from '../../rules/core/words.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import type { Report } from '../../schemas/types/report.ts'
import { type RunProgress, startRun } from '../../suites/run/run.ts'
import type { BundleParts } from '../bundle/bundle.ts'
import { staying } from '../consent.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { type Problem, UsageError } from '../errors.ts'
import { closeJournal } from '../leftovers.ts'
import { writeProblem } from '../writable.ts'
import type { PreparedRun } from './prepare.ts'
import { beginRun, onAbort } from './run.ts'

/** How far a run has come. */
export type CertifyProgress = RunProgress

/** The events of a run, and how it is ended early. */
export interface CertifyEvents {
  onProgress?(progress: CertifyProgress): void
  /** what a person wants to know, though it stops nothing */
  onNote?(text: string): void
  /** ends the run: it removes what it made, and reports what it did */
  readonly signal?: AbortSignal | undefined
  /** the reference target, if it is being started already; its starter ends it */
  readonly embedded?: Promise<Embedded> | undefined
}

/** What came of a run. */
export interface Certified {
  readonly report: Report
  /** paths */
  readonly written: readonly string[]
  /** what could not be kept: the disk may be full */
  readonly unwritten: readonly Problem[]
  /** something that was made may be there still, and the journal names it */
  readonly left: boolean
}

/**
 * Carries a prepared run out, from preflight to report: sends the cases, judges the evidence, writes what came of it and
 * closes the journal. @throws UnreachableError where preflight says that no run makes sense, InterruptedError
 */
export async function certify(prepared: PreparedRun, events: CertifyEvents = {}): Promise<Certified> {
  const { plan, conclusion, journal } = prepared
  const { signal } = events
  let embedded: Embedded | undefined
  try {
    if (plan.settings.embedded) embedded = await (events.embedded ?? startEmbedded())
    const stay =
      plan.settings.embedded || plan.settings.readOnly
        ? []
        : staying(plan.selection.cases, resolveBinding(plan.binding))
    if (stay.length > 0) events.onNote?.(stayNote(stay))
    const {
      baseUrl: url,
      credentials = {},
      resources = {},
    } = embedded ? { ...embedded, baseUrl: embedded.url } : plan.config
    const begun = await beginRun(plan, { baseUrl: url, credentials, resources }, signal)
    // What assay started itself has credentials that it made itself.
    for (const note of plan.settings.embedded ? [] : begun.notes) events.onNote?.(note)
    const running = startRun(begun.context, (progress) => events.onProgress?.(progress), begun.judge)
    onAbort(signal, () => running.stop())
    const outcome = await running.done
    const { cleared, unwritten, ...judged } = await begun.finish(signal?.aborted === true, outcome)
    if (!conclusion) return { report: judged.report, written: [], unwritten: [], left: false }
    const report = conclusion.judge(judged.report)
    const { heldTo } = conclusion
    const isHeld = Object.keys(heldTo).length > 0
    const facts = isHeld ? { ...judged.facts, heldTo: onlyVerdicts(heldTo) } : judged.facts
    const kept = await write({ ...judged, facts, report }, prepared, conclusion.formats)
    return {
      report,
      written: kept.written,
      unwritten: [...unwritten, ...kept.unwritten],
      left: !(await closeJournal(journal, cleared)),
    }
  } finally {
    prepared.leave()
    await embedded?.stop()
  }
}

/** Said before anything is made. */
function stayNote(types: readonly string[]): string {
  const named = types.map(inWords).join(', ')
  return `the binding cannot remove: ${named}; the run reuses one of each where it can, and leaves it on the target`
}

/** Writes report and bundle, each as far as there is room for it. */
async function write(
  parts: BundleParts,
  { plan, bundle, signing }: PreparedRun,
  formats: readonly string[],
): Promise<Pick<Certified, 'written' | 'unwritten'>> {
  const written: string[] = []
  const unwritten: Problem[] = []
  const attempt = async (action: () => Promise<readonly string[]>): Promise<void> => {
    try {
      written.push(...(await action()))
    } catch (thrown) {
      if (thrown instanceof ReportWriteError) {
        unwritten.push({ ...writeProblem(thrown, thrown.where), hint: thrown.hint })
      } else if (thrown instanceof UsageError) unwritten.push(...thrown.problems)
      else throw thrown
    }
  }
  await attempt(() => writeReports(parts.report, plan.out, formats))
  if (bundle !== undefined) {
    const { writeBundle } = await import('../bundle/bundle.ts')
    await attempt(async () => {
      await writeBundle(bundle, parts, signing)
      return [bundle]
    })
  }
  return { written, unwritten }
}
