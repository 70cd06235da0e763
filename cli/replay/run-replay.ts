import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { removeEarlier } from '../../engine/conclude/earlier.ts'
import { type Embedded, startEmbedded } from '../../engine/embedded.ts'
import { UsageError } from '../../engine/errors.ts'
import { carryOut, type Done } from '../../engine/replay/carry-out.ts'
import { requireReplayConsent } from '../../engine/replay/consent.ts'
import { requireElsewhere } from '../../engine/replay/elsewhere.ts'
import { replayExit } from '../../engine/replay/exit.ts'
import { addIgnored } from '../../engine/replay/ignore-file.ts'
import { lookAt, requireSecrets } from '../../engine/replay/look.ts'
import type { ReplayOptions } from '../../engine/replay/options.ts'
import { planReplay, type ReplayPlan } from '../../engine/replay/plan.ts'
import { readJournal } from '../../fixtures/journal.ts'
import { plainJson } from '../../reports/inert.ts'
import { renderReplay } from '../../reports/replay.ts'
import { checkWritable, writeFileWhole, writeReports } from '../../reports/write.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io, pageFor, say } from '../io.ts'
import { showProgress } from '../progress.ts'
import { watchSignals } from '../signals.ts'

/** Plans a replay, carries it out, writes and prints what came of it, and sets the exit code. */
export async function runReplay(path: string, options: ReplayOptions, io: Io): Promise<void> {
  const out = resolve(io.cwd, options.out ?? 'assay-replay')
  const named = resolve(io.cwd, path)
  requireElsewhere(named, out)
  await removeEarlier(out, { besides: [], reads: [], replay: true })
  const plan = await planReplay(path, options, out, io)
  const binding = resolveBinding(plan.binding)
  const watch = (line: () => string): (() => void) => showProgress(io, line)
  const note = (text: string): void => say(io.stderr, text)
  const stopReading = watch(() => `reading ${plan.recording}`)
  const { recording, scan } = await lookAt(plan.recording, binding, note).finally(stopReading)
  if (!plan.embedded) {
    const consented = options.yesModifyTarget === true || plan.config.consent?.modifyTarget === true
    requireReplayConsent(scan, consented, plan.config.baseUrl)
    requireSecrets(scan, plan.config)
  }
  await checkWritable(plan.out)
  const { signal, release } = watchSignals((which) => {
    if (which === 'first') note('stopping: what is under way is waited for; once more ends this at once')
    else if (!plan.embedded)
      for (const journal of journalsIn(plan.out)) note(`what was made is left: ${plan.cleanup(journal)}`)
  })
  let embedded: Embedded | undefined
  try {
    if (plan.embedded) embedded = await startEmbedded()
    const target = embedded
      ? { ...plan.config, baseUrl: embedded.url, credentials: embedded.credentials, resources: embedded.resources }
      : plan.config
    const stopped = (): boolean => signal.aborted
    const done = await carryOut({ plan, binding, recording, scan, target, stopped, watch, note })
    await writeOut(done, plan, options, io)
    if (done.unread !== undefined) {
      throw new UsageError({ where: '', what: done.unread, hint: 'what came before it was replayed' })
    }
    exitWith(io, stopped() ? EXIT.interrupted : replayExit(done.replay, plan.config.strict === true))
  } finally {
    release()
    await embedded?.stop()
  }
}

/** Journals of things that were made and not removed. */
function journalsIn(out: string): string[] {
  const paths = readdirSync(out).filter((name) => /^journal-.*\.ndjson$/.test(name))
  return paths.map((name) => join(out, name)).filter((path) => readJournal(path).remaining.length > 0)
}

async function writeOut(
  { replay, report, learned }: Done,
  plan: ReplayPlan,
  options: ReplayOptions,
  io: Io,
): Promise<void> {
  const path = join(plan.out, 'replay.json')
  await writeFileWhole(path, `${JSON.stringify(replay, null, 2)}\n`)
  const paths = [path, ...(await writeReports(report, plan.out))]
  if (plan.learnTo !== undefined && learned.length > 0) {
    const fresh = await addIgnored(plan.learnTo, io.cwd, plan.ignore, learned)
    io.stderr.write(`${fresh} places that differ by themselves were added to ${plan.learnTo}\n`)
  }
  if (options.json === true) {
    io.stdout.write(`${plainJson(replay)}\n`)
    return
  }
  io.stdout.write(renderReplay(replay, pageFor(io)))
  io.stdout.write(`\n${paths.map((one) => `wrote ${one}`).join('\n')}\n`)
}
