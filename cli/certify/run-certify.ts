import type { KeyObject } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Certified, certify, type Target } from '../../engine/certify/certify.ts'
import { closeJournal } from '../../engine/certify/close-journal.ts'
import { requireConsent } from '../../engine/certify/consent.ts'
import { type Embedded, startEmbedded } from '../../engine/certify/embedded.ts'
import type { CertifyOptions } from '../../engine/certify/options.ts'
import { watchFolder } from '../../engine/certify/out-folder.ts'
import { journalOf, type Plan, planRun, requireCases } from '../../engine/certify/plan.ts'
import { refuseWhileSuspended } from '../../engine/certify/suspended.ts'
import { cleanupCommand } from '../../engine/cleanup-command.ts'
import { type Problem, printError, UsageError } from '../../engine/errors.ts'
import { progressOn } from '../../engine/progress.ts'
import { pseudonymKey } from '../../engine/record/key.ts'
import { planConclusion } from '../../engine/report/conclude.ts'
import { removeEarlier } from '../../engine/report/earlier.ts'
import { readPrivateKey } from '../../engine/verify/keys.ts'
import { requireWritableFile, requireWritableFolder, writeProblem } from '../../engine/writable.ts'
import { onlyVerdicts } from '../../reports/expectations/held.ts'
import { checkWritable, ReportWriteError, writeReports } from '../../reports/write.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { preloadRun } from '../../suites/run/run.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'
import { watchSignals } from '../signals.ts'

/**
 * Plans a run, runs it, writes and prints its report, and sets the exit code. `early`: the embedded target, where it is
 * being started already; whoever started it ends it.
 */
export async function runCertify(
  url: string | undefined,
  options: CertifyOptions,
  io: Io,
  early?: Promise<Embedded>,
): Promise<void> {
  const conclusion = planConclusion(options, io)
  const signing = signingKey(options, io)
  const plan = await planRun(url, options, io)
  if (!plan.embedded && !plan.readOnly) {
    const consented = options.yesModifyTarget === true || plan.config.consent?.modifyTarget === true
    requireConsent(plan.selection.cases, resolveBinding(plan.binding), consented, plan.config.baseUrl)
  }
  requireCases(plan)
  const bundle = options.bundle === undefined ? undefined : resolve(io.cwd, options.bundle)
  if (bundle !== undefined) await requireWritableFile(bundle, '--bundle')
  if (plan.record !== undefined) await requireEmpty(plan.record)
  const removeEmptyFolder = watchFolder(plan.out)
  await checkWritable(plan.out)
  const { config, binding } = options
  const cleanup = (path: string): string => cleanupCommand(io.program, path, { config, target: url, binding })
  if (!plan.embedded) refuseWhileSuspended(plan.out, plan.config.baseUrl, cleanup)
  const key = options.keyFile === undefined ? undefined : pseudonymKey(resolve(io.cwd, options.keyFile))
  const reads = options.baseline === undefined ? [] : [resolve(io.cwd, options.baseline)]
  await removeEarlier(plan.out, { besides: conclusion.formats, reads })
  conclusion.begin()
  const journal = journalOf(plan)
  const tellLeft = (path: string): void => {
    if (existsSync(path)) io.stderr.write(`not everything could be removed: ${cleanup(path)}\n`)
  }
  const progress = progressOn(io)
  const { interrupt, release } = watchSignals((which) => {
    progress.done()
    if (which === 'first') io.stderr.write('stopping: what was made is being removed; once more ends this at once\n')
    // What assay started itself goes with all that was made in it.
    else if (!plan.embedded) tellLeft(journal)
  })
  let embedded: Embedded | undefined
  try {
    preloadRun()
    if (plan.embedded) embedded = await (early ?? startEmbedded())
    const certified = await certify({ ...plan, key }, targetOf(plan, embedded), progress, interrupt)
    progress.done()
    const report = conclusion.judge(certified.report)
    const { heldTo } = conclusion
    const facts =
      Object.keys(heldTo).length === 0 ? certified.facts : { ...certified.facts, heldTo: onlyVerdicts(heldTo) }
    const concluded = { ...certified, facts, report }
    const { written, unwritten } = await write(concluded, plan.out, conclusion.formats, bundle, signing)
    if (!(await closeJournal(journal, certified.cleared))) tellLeft(journal)
    conclusion.print(report, written)
    // The requests were sent: what came of them is said even where it cannot be kept.
    if (unwritten.length > 0) printError(io, new UsageError(...unwritten))
    if (unwritten.length > 0) exitWith(io, EXIT.invalid)
    else exitWith(io, interrupt.requested() ? EXIT.interrupted : conclusion.exitCode(report))
  } finally {
    progress.done()
    conclusion.end()
    release()
    removeEmptyFolder()
    await embedded?.stop()
  }
}

/** A recording is a folder of its own. @throws UsageError */
async function requireEmpty(folder: string): Promise<void> {
  await requireWritableFolder(folder, '--record')
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

/** @throws UsageError where there is nothing to sign, or no key to sign it with */
function signingKey({ sign, bundle }: CertifyOptions, io: Io): KeyObject | undefined {
  if (sign === undefined) return undefined
  if (bundle !== undefined) return readPrivateKey(sign, io.cwd)
  throw new UsageError({ where: '--sign', what: 'there is nothing to sign', hint: 'a bundle is, with --bundle <file>' })
}

interface Written {
  /** paths */
  readonly written: readonly string[]
  readonly unwritten: readonly Problem[]
}

/** Writes report and bundle, each as far as there is room for it. */
async function write(
  { unwritten: before, ...certified }: Certified,
  out: string,
  formats: readonly string[],
  bundle: string | undefined,
  signing: KeyObject | undefined,
): Promise<Written> {
  const written: string[] = []
  const unwritten = [...before]
  const attempt = async (action: () => Promise<readonly string[]>): Promise<void> => {
    try {
      written.push(...(await action()))
    } catch (thrown) {
      if (thrown instanceof ReportWriteError)
        unwritten.push({ ...writeProblem(thrown, thrown.where), hint: thrown.hint })
      else if (thrown instanceof UsageError) unwritten.push(...thrown.problems)
      else throw thrown
    }
  }
  await attempt(() => writeReports(certified.report, out, formats))
  if (bundle !== undefined) {
    const { writeBundle } = await import('../../engine/verify/write-bundle.ts')
    await attempt(async () => {
      await writeBundle(bundle, certified, signing)
      return [bundle]
    })
  }
  return { written, unwritten }
}
