import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { createOutcome } from './outcome.ts'
import { cleanerFor, leaveJournal, placesIn, type RunningReplay, runPass } from './pass.ts'
import type { PreparedReplay, ReplayEvents } from './plan.ts'
import { judgeReplay, judgeWhileWriting, replayReport } from './report.ts'

export interface ReplayResult {
  readonly replay: ReplayReport
  /** by the rules */
  readonly report: Report
  /** why the recording could not be read to its end */
  readonly unread: string | undefined
}

/**
 * Sends a recording to a target, judges and compares. New exchanges and journals are left in the folder of the options.
 * @throws UsageError
 */
export async function replayRecording(prepared: PreparedReplay, events: ReplayEvents): Promise<ReplayResult> {
  const { config, embedded } = prepared.options
  if (!embedded) return replayTo({ ...prepared, target: config, events })
  const started: Embedded = await startEmbedded()
  try {
    const { url, credentials, resources } = started
    return await replayTo({ ...prepared, target: { ...config, baseUrl: url, credentials, resources }, events })
  } finally {
    await started.stop()
  }
}

async function replayTo(running: RunningReplay): Promise<ReplayResult> {
  const { options, recording, scan } = running
  const startedAt = Date.now()
  const places = placesIn(options.out)
  const { clean } = cleanerFor(running, places.prefix)
  const outcome = createOutcome(options.ignore, (id) => scan.asked?.has(id) ?? true, clean)
  const judge = judgeWhileWriting(running, places)
  const { shift, summary } = await runPass(running, { places, outcome, judge })
  leaveJournal(places.journal, running)
  copyCases(recording.path, places.evidence)
  const finished = { places, outcome, judge, shift, summary, startedAt }
  const report = await judgeReplay(running, finished)
  return { replay: await replayReport(running, finished, report), report, unread: summary.unread }
}

/** How the cases of a run ended is part of what the rules are asked about. */
function copyCases(recording: string, evidence: string): void {
  try {
    for (const name of readdirSync(recording).filter((file) => /^cases-.*\.ndjson$/.test(file))) {
      copyFileSync(join(recording, name), join(evidence, name))
    }
  } catch {
    // a recording that is no folder has none
  }
}
