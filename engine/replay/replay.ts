import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Selection, selectExchanges } from '../../fixtures/replay/plan/selection.ts'
import type { IgnoreEntry } from '../../schemas/types/ignore.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { UsageError } from '../errors.ts'
import { learnBaseline } from './baseline.ts'
import { createOutcome } from './outcome.ts'
import { cleanerFor, leaveJournal, type Pass, placesIn, type RunningReplay, runPass, shiftOf } from './pass.ts'
import { EVIDENCE, type PreparedReplay, type ReplayEvents } from './plan.ts'
import { judgeReplay, replayReport } from './report.ts'

export interface ReplayResult {
  readonly replay: ReplayReport
  /** by the rules */
  readonly report: Report
  /** places that differ by themselves, as a baseline taught */
  readonly learned: readonly IgnoreEntry[]
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
  const { options, recording, scan, binding } = running
  const startedAt = Date.now()
  const selection = await selected(running)
  const shift = shiftOf(scan, options, binding)
  const places = placesIn(options.out, EVIDENCE)
  const { clean } = cleanerFor(running, places.prefix)
  const pass: Pass = {
    recording,
    scan,
    basePath: scan.basePath,
    shift,
    places,
    isChosen: (exchange) => selection?.isSent(exchange) ?? true,
    outcome: createOutcome(options.ignore, (id) => selection?.asked.has(id) ?? true, clean),
    tried: new Set(),
  }
  const summary = await runPass(running, pass)
  const mayLearn = options.baseline && summary.broke === undefined
  const learned = mayLearn ? await learnBaseline(running, pass) : []
  leaveJournal(places.journal, running)
  copyCases(recording.path, places.evidence)
  const finished = { pass, summary, startedAt }
  const report = await judgeReplay(running, finished)
  // Only now is it known which places differ by themselves. The findings are weighed again without them.
  const outcome = pass.outcome.pieces(learned)
  const replay = await replayReport(running, finished, { outcome, report, ignored: [...options.ignore, ...learned] })
  return { replay, report, learned, unread: summary.unread }
}

async function selected({ options, recording, scan, binding }: RunningReplay): Promise<Selection | undefined> {
  const { filter } = options
  if (filter.length === 0) return undefined
  const about = { binding, basePath: scan.basePath }
  const selection = await selectExchanges(recording.exchanges(), filter, about)
  if (selection.asked.size > 0) return selection
  throw new UsageError({ where: '--filter', what: `nothing in the recording is ${filter.join(' or ')}`, hint: '' })
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
