import { resolve } from 'node:path'
import { assembleFrom } from '../../engine/certify/assemble.ts'
import type { RunFacts } from '../../engine/certify/facts.ts'
import { type EvidenceSource, judgeEvidence } from '../../engine/certify/judge.ts'
import { type Checked, checkTraffic } from '../../engine/check/check-traffic.ts'
import { factsIn, openAll } from '../../engine/check/material.ts'
import { createMissing } from '../../engine/check/missing.ts'
import type { CheckOptions } from '../../engine/check/options.ts'
import { watchProgress } from '../../engine/check/progress.ts'
import { shardIn, threadsIn } from '../../engine/check/work.ts'
import { planConclusion } from '../../engine/report/conclude.ts'
import { removeEarlier } from '../../engine/report/earlier.ts'
import type { Recording } from '../../fixtures/recording/read.ts'
import { readSegments } from '../../fixtures/segments/read.ts'
import { checkWritable, writeReports } from '../../reports/write.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import { exitWith, type Io, say } from '../io.ts'

/** Judges what was recorded, writes and prints the report, and sets the exit code. */
export async function runCheck(paths: readonly string[], options: CheckOptions, io: Io): Promise<void> {
  const out = resolve(io.cwd, options.out ?? 'assay-report')
  const named = paths.map((path) => resolve(io.cwd, path))
  const reads = options.baseline === undefined ? [] : [resolve(io.cwd, options.baseline)]
  await removeEarlier(out, { besides: options.reporter, reads, recordings: named })
  const conclusion = planConclusion(options, io)
  const recordings = await openAll(named)
  await checkWritable(out)
  const facts = recordings.length === 1 && recordings[0] ? factsIn(recordings[0]) : undefined
  const progress = await watchProgress(recordings, io)
  conclusion.begin()
  try {
    const shard = shardIn(options, facts !== undefined && !redirected(options))
    const { report, missing, notes } =
      facts && recordings[0] && !redirected(options)
        ? await checkRun(recordings[0], facts, progress.add)
        : await checkTraffic(recordings, options, io, progress.add, shard, threadsIn(options))
    progress.end()
    for (const note of [...missing.notes(), ...notes]) say(io.stderr, note)
    const judged = conclusion.judge(report)
    const written = await writeReports(judged, out, conclusion.formats)
    conclusion.print(judged, written)
    exitWith(io, conclusion.exitCode(judged))
  } finally {
    progress.end()
    conclusion.end()
  }
}

/** Whether the evidence of a run is to be judged by something else than what it was made with. */
function redirected({ config, target, binding, features, strict, alone }: CheckOptions): boolean {
  return [config, target, binding, features, strict, alone].some((option) => option !== undefined)
}

/** The evidence of a run says by itself what it is to be judged by: the same verdicts come of it. */
async function checkRun(recording: Recording, facts: RunFacts, onExchange: () => void): Promise<Checked> {
  const missing = createMissing()
  let first = true
  const source: EvidenceSource = {
    async *exchanges() {
      const counted = first
      first = false
      for await (const exchange of recording.exchanges(counted ? { onProblem: missing.note } : {})) {
        if (counted) onExchange()
        yield exchange
      }
    },
    cases: () => readSegments<CaseRecord>(recording.folder, 'cases'),
  }
  const report = await assembleFrom(facts, (factory, input) => judgeEvidence(source, factory, input, facts.expected))
  return { report, missing, notes: [] }
}
