import { createPublicKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { certify as run, type Target } from '../engine/certify/certify.ts'
import { requireConsent } from '../engine/certify/consent.ts'
import { journalOf, planRun, requireCases } from '../engine/certify/plan.ts'
import { refuseWhileSuspended } from '../engine/certify/suspended.ts'
import { type Embedded, startEmbedded } from '../engine/embedded.ts'
import { closeJournal } from '../engine/leftovers.ts'
import type { NamedReport } from '../reports/compare/compare.ts'
import { formatOf } from '../reports/formats.ts'
import { mergeReports as merge } from '../reports/merge/merge.ts'
import { checkWritable, writeReports } from '../reports/write.ts'
import { resolveBinding } from '../schemas/binding.ts'
import { ledger } from '../schemas/ledger.ts'
import { loadResourceSchemas } from '../schemas/load.ts'
import type { Credentials, ListedResources, TargetConfig } from '../schemas/types/config.ts'
import type { Profile, Report } from '../schemas/types/report.ts'
import { SILENT } from './silent.ts'
import { asUsage } from './wrong-use.ts'

export type { Comparison, NamedReport } from '../reports/compare/compare.ts'
export { compareReports } from '../reports/compare/compare.ts'
export type { Credentials, ListedResources, TargetConfig } from '../schemas/types/config.ts'
export type { Profile, Report } from '../schemas/types/report.ts'

/** What is certified, and how. */
export interface CertifyLibraryOptions {
  /** a target, as in a configuration file; `embedded`: the reference target, started for this run */
  readonly target: TargetConfig | 'embedded'
  /** default standard */
  readonly profile?: Profile
  /** default: any; the same seed sends the same requests */
  readonly seed?: number
  /** random values for each property; wins over the profile */
  readonly runs?: number
  /** only these requirements, categories, features or operations */
  readonly only?: readonly string[]
  /** one of several parts of a run, such as '2/8' */
  readonly shard?: string
  /** stop at the first failure */
  readonly bail?: boolean
  /** folder for reports, evidence and the journal of leftovers; without it nothing stays but the answer */
  readonly out?: string
  /** ends the run early: what was made is removed, and the report tells what was done */
  readonly signal?: AbortSignal
  /** told now and then how far the run is */
  readonly onProgress?: (progress: CertifyProgress) => void
}

export interface CertifyProgress {
  readonly cases: number
  readonly casesInAll: number
  readonly requests: number
  readonly findings: number
}

/**
 * Certifies one target, and returns the report that `assay certify` writes. Whatever is no verdict is thrown: an error
 * with `exitCode` (2 wrong options, configuration or no consent; 3 target not reachable) and `problems`, one for each
 * thing that is wrong, each with `where`, `what` and `hint`. A target is only changed where its `consent` says so. Runs in
 * this process, one run at a time.
 */
export async function certify(options: CertifyLibraryOptions): Promise<Report> {
  try {
    return await certified(options)
  } catch (thrown) {
    throw asUsage(thrown)
  }
}

async function certified(options: CertifyLibraryOptions): Promise<Report> {
  const embeds = options.target === 'embedded'
  // The current folder may be another one when the run ends.
  const out = options.out === undefined ? mkdtempSync(join(tmpdir(), 'assay-certify-')) : resolve(options.out)
  let embedded: Embedded | undefined
  try {
    const plan = await planRun(
      undefined,
      {
        ...(options.target === 'embedded' ? { embedded: true } : { target: options.target }),
        ...(options.profile === undefined ? {} : { profile: options.profile }),
        ...(options.seed === undefined ? {} : { seed: String(options.seed) }),
        ...(options.runs === undefined ? {} : { runs: String(options.runs) }),
        ...(options.only === undefined ? {} : { only: options.only }),
        ...(options.shard === undefined ? {} : { shard: options.shard }),
        ...(options.bail === undefined ? {} : { bail: options.bail }),
        out,
      },
      SILENT,
    )
    const { config, selection } = plan
    requireCases(plan)
    if (!embeds && !plan.readOnly) {
      const consented = config.consent?.modifyTarget === true
      requireConsent(selection.cases, resolveBinding(plan.binding), consented, config.baseUrl)
    }
    await checkWritable(out)
    if (!embeds) refuseWhileSuspended(out, config.baseUrl)
    if (embeds) embedded = await startEmbedded()
    const target: Target = embedded
      ? { baseUrl: embedded.url, credentials: embedded.credentials, resources: embedded.resources }
      : { baseUrl: config.baseUrl, credentials: config.credentials ?? {}, resources: config.resources ?? {} }
    const progress = { update: options.onProgress ?? ((): void => {}), note: (): void => {}, done: (): void => {} }
    const { report, cleared } = await run(plan, target, progress, interruptOf(options.signal))
    if (options.out === undefined) return report
    await closeJournal(journalOf(plan), cleared)
    await writeReports(report, out)
    return report
  } finally {
    await embedded?.stop()
    if (options.out === undefined) rmSync(out, { recursive: true, force: true })
  }
}

function interruptOf(signal: AbortSignal | undefined): Parameters<typeof run>[3] {
  return {
    requested: () => signal?.aborted === true,
    onRequest(action) {
      if (signal?.aborted) action()
      else signal?.addEventListener('abort', action, { once: true })
    },
  }
}

/** The reference target in a process of its own, with an empty memory. */
export interface ReferenceTarget {
  readonly url: string
  readonly credentials: Credentials
  readonly resources: ListedResources
  stop(): Promise<void>
}

/** Starts the reference target on a free port of this machine. Its binding is the shipped one called `reference`. */
export function startReference(): Promise<ReferenceTarget> {
  return startEmbedded()
}

/**
 * One report of several over the same target: of shards, or of certify, check and replay. Evidence adds up and every
 * verdict is decided anew; the order makes no difference. @throws MergeError where the reports do not go together
 */
export function mergeReports(reports: readonly NamedReport[]): Report {
  return merge(reports, { ledger: ledger(), schemas: loadResourceSchemas() })
}

/**
 * A report in another format: json, junit, html, ctrf, markdown, badge, badge-json, table or text.
 * @throws RangeError for any other
 */
export function renderReport(report: Report, format: string): string {
  const text = formatOf(format)?.render(report)
  if (text === undefined) throw new RangeError(`there is no format ${JSON.stringify(format)}`)
  return text
}

export type VerifyOutcome =
  | { readonly verified: true; readonly report: Report; readonly signed: boolean }
  | { readonly verified: false; readonly where: string; readonly what: string }

/**
 * Works out again whether the verdicts in a bundle of `assay certify --bundle` follow from the evidence in it. Needs no
 * network. `publicKey`: Ed25519, PEM; the bundle then has to be signed by it.
 */
export async function verifyBundle(path: string, publicKey?: string): Promise<VerifyOutcome> {
  const [{ verifyBundle: verify }, { Disagreement }] = await Promise.all([
    import('../engine/verify/verify-bundle.ts'),
    import('../engine/bundle/read.ts'),
  ])
  const folder = mkdtempSync(join(tmpdir(), 'assay-verify-'))
  try {
    const key = publicKey === undefined ? undefined : createPublicKey(publicKey)
    return { verified: true, ...(await verify(path, folder, key)) }
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error
    return { verified: false, where: error.where, what: error.message }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
