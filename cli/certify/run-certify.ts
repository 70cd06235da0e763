import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readJournal } from '../../fixtures/journal.ts'
import { renderTerminal } from '../../reports/terminal.ts'
import { checkWritable, writeReports } from '../../reports/write.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import type { Report } from '../../schemas/types/report.ts'
import { UsageError } from '../errors.ts'
import { EXIT, exitCodeOf } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'
import { progressOn } from '../progress.ts'
import { certify, type Interrupt, type Target } from './certify.ts'
import { requireConsent } from './consent.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import type { CertifyOptions } from './options.ts'
import { watchFolder } from './out-folder.ts'
import { type Plan, planRun } from './plan.ts'
import { refuseWhileSuspended } from './suspended.ts'

/** Plans a run, runs it, writes and prints its report, and sets the exit code. */
export async function runCertify(url: string | undefined, options: CertifyOptions, io: Io): Promise<void> {
  const plan = await planRun(url, options, io)
  if (!plan.embedded) {
    const consented = options.yesModifyTarget === true || plan.config.consent?.modifyTarget === true
    requireConsent(plan.selection.cases, resolveBinding(plan.binding), consented, plan.config.baseUrl)
  }
  if (plan.selection.cases.length === 0) {
    throw new UsageError({ where: '--only', what: 'no case brings this about', hint: '`assay explain` says why' })
  }
  const removeEmptyFolder = watchFolder(plan.out)
  await checkWritable(plan.out)
  if (plan.record !== undefined) requireEmpty(plan.record)
  if (!plan.embedded) refuseWhileSuspended(plan.out, plan.config.baseUrl)
  const { interrupt, release } = watchSignals()
  let embedded: Embedded | undefined
  const progress = progressOn(io)
  try {
    if (plan.embedded) embedded = await startEmbedded()
    const { report } = await certify(plan, targetOf(plan, embedded), progress, interrupt)
    progress.done()
    await finish(plan, report, options, io)
    if (interrupt.requested()) exitWith(io, EXIT.interrupted)
    else exitWith(io, exitCodeOf(report.verdict, options.allowPartial))
  } finally {
    progress.done()
    release()
    removeEmptyFolder()
    await embedded?.stop()
  }
}

/** A recording is a folder of its own. @throws UsageError */
function requireEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  throw new UsageError({ where: folder, what: 'is not an empty folder', hint: 'name a new one for the recording' })
}

function targetOf(plan: Plan, embedded: Embedded | undefined): Target {
  if (embedded) return { baseUrl: embedded.url, credentials: embedded.credentials, resources: embedded.resources }
  return {
    baseUrl: plan.config.baseUrl,
    credentials: plan.config.credentials ?? {},
    resources: plan.config.resources ?? {},
  }
}

async function finish(plan: Plan, report: Report, options: CertifyOptions, io: Io): Promise<void> {
  const paths = await writeReports(report, plan.out)
  const journal = join(plan.out, `journal-${plan.runPrefix}.ndjson`)
  if (readJournal(journal).remaining.length === 0) await rm(journal, { force: true })
  else io.stderr.write(`not everything could be removed: assay cleanup ${journal}\n`)
  if (options.json === true) {
    io.stdout.write(`${JSON.stringify(report)}\n`)
    return
  }
  io.stdout.write(renderTerminal(report, { columns: io.columns, color: io.isTty && io.env.NO_COLOR === undefined }))
  io.stdout.write(`\n${paths.map((path) => `wrote ${path}`).join('\n')}\n`)
}

/** The first Ctrl-C lets the run clean up and report; the second ends the process at once. */
function watchSignals(): { readonly interrupt: Interrupt; readonly release: () => void } {
  const actions: (() => void)[] = []
  let requested = false
  const onSignal = (): void => {
    if (requested) process.exit(EXIT.interrupted)
    requested = true
    for (const action of actions) action()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onSignal)
  return {
    interrupt: {
      requested: () => requested,
      onRequest: (action) => {
        actions.push(action)
        if (requested) action()
      },
    },
    release: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      process.off('SIGHUP', onSignal)
    },
  }
}
