import type { KeyObject } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readJournal } from '../../fixtures/journal.ts'
import { checkWritable } from '../../reports/formats/write.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { readPrivateKey } from '../bundle/keys.ts'
import type { Caller } from '../caller.ts'
import { claimFolder } from '../claim.ts'
import type { Conclusion } from '../conclude/conclude.ts'
import { removeEarlier } from '../conclude/earlier.ts'
import { requireConsent } from '../consent.ts'
import { type Problem, UsageError } from '../errors.ts'
import { cleanupCommand } from '../leftovers.ts'
import { pseudonymKey } from '../pseudonym-key.ts'
import { requireWritableFile, requireWritableFolder, watchFolder } from '../writable.ts'
import { type CertifyOptions, journalOf, type Plan, planRun, requireCases } from './plan.ts'

/** What a run writes beside its report. Paths are meant from the folder of the caller. */
export interface OutputOptions {
  /** archive of report and evidence */
  readonly bundle?: string
  /** file of the private key that signs it */
  readonly sign?: string
}

/** A run that can begin: everything that can be known before the first request is known, and is right. */
export interface PreparedRun {
  readonly plan: Plan
  /** undefined: no list and no baseline, and the report stays in memory */
  readonly conclusion: Conclusion | undefined
  readonly bundle: string | undefined
  readonly signing: KeyObject | undefined
  readonly journal: string
  /** the command that removes what a journal names */
  cleanup(journal: string): string
  /** takes away the folders that were made for a run that left nothing in them */
  leave(): void
}

/**
 * Plans a run. Makes sure that it may begin, and that its output can be written. Deletes the report of an earlier run.
 * `conclusion`: left out where nothing is to stay but the answer. `before`: as for `planRun`.
 * @throws UsageError
 */
export async function prepareRun(
  options: CertifyOptions & OutputOptions,
  caller: Caller,
  conclusion: Conclusion | undefined,
  before: readonly Problem[] = [],
): Promise<PreparedRun> {
  const { cwd, program } = caller
  const signing = signingKey(options, cwd)
  const plan = await planRun(options, caller, before)
  const consented = plan.config.consent?.modifyTarget === true
  if (!plan.settings.embedded && !plan.settings.readOnly) {
    requireConsent(plan.selection.cases, resolveBinding(plan.binding), consented, plan.config.baseUrl)
  }
  requireCases(plan)
  const cleanup = (path: string): string => cleanupCommand(program, path, { ...options, target: options.url })
  if (conclusion === undefined) {
    const out = mkdtempSync(join(tmpdir(), 'assay-certify-'))
    const inMemory = { ...plan, out }
    const leave = (): void => rmSync(out, { recursive: true, force: true })
    return { plan: inMemory, conclusion, bundle: undefined, signing, journal: journalOf(inMemory), cleanup, leave }
  }
  const bundle = options.bundle === undefined ? undefined : resolve(cwd, options.bundle)
  if (bundle !== undefined) await requireWritableFile(bundle, '--bundle')
  if (plan.record !== undefined) await requireEmpty(plan.record)
  const removeEmptyFolders = watchFolder(plan.out)
  await checkWritable(plan.out)
  const giveBack = claimFolder(plan.out, 'choose another --out')
  const leave = (): void => {
    giveBack()
    removeEmptyFolders()
  }
  let key: Buffer | undefined
  try {
    if (!plan.settings.embedded) refuseWhileSuspended(plan.out, plan.config.baseUrl, cleanup)
    key = options.keyFile === undefined ? undefined : pseudonymKey(resolve(cwd, options.keyFile))
    await removeEarlier(plan.out, { besides: conclusion.formats, reads: conclusion.reads })
  } catch (thrown) {
    leave()
    throw thrown
  }
  return { plan: { ...plan, key }, conclusion, bundle, signing, journal: journalOf(plan), cleanup, leave }
}

/** @throws UsageError where --sign needs a bundle, or no key to sign it with */
function signingKey({ sign, bundle }: OutputOptions, cwd: string): KeyObject | undefined {
  if (sign === undefined) return undefined
  if (bundle !== undefined) return readPrivateKey(sign, cwd)
  throw new UsageError({ where: '--sign', what: '--sign needs a bundle', hint: 'add --bundle <file>' })
}

/** A recording is a folder of its own. @throws UsageError */
async function requireEmpty(folder: string): Promise<void> {
  await requireWritableFolder(folder, '--record')
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  throw new UsageError({ where: folder, what: 'is not an empty folder', hint: 'name a new one for the recording' })
}

/**
 * Refuses to start while a journal in the folder of reports says that an earlier run suspended the same target and did
 * not resume it. `cleanup`: the command that does so.
 * @throws UsageError
 */
export function refuseWhileSuspended(folder: string, baseUrl: string, cleanup: (journal: string) => string): void {
  for (const name of readdirSync(folder).filter((file) => /^journal-.*\.ndjson$/.test(file))) {
    const path = join(folder, name)
    const journal = readAny(path)
    if (journal?.header.baseUrl !== baseUrl) continue
    if (!journal.remaining.some(({ making }) => making.resource === 'suspension')) continue
    throw new UsageError({
      where: baseUrl,
      what: 'an earlier run ended while it tried to suspend ingestion here, which may still be suspended',
      hint: `resume it first: ${cleanup(path)}`,
    })
  }
}

/** A journal that cannot be read says nothing. */
function readAny(path: string): ReturnType<typeof readJournal> | undefined {
  try {
    return readJournal(path)
  } catch {
    return undefined
  }
}
