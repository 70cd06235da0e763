import { createPublicKey } from 'node:crypto'
import { type CertifyProgress, certify as certifyPrepared } from '../engine/certify/certify.ts'
import { prepareRun } from '../engine/certify/prepare.ts'
import { planConclusion } from '../engine/conclude/conclude.ts'
import { startEmbedded } from '../engine/embedded.ts'
import { shardOption } from '../engine/options.ts'
import { formatOf } from '../reports/formats/formats.ts'
import type { Credentials, ListedResources, TargetConfig } from '../schemas/types/config.ts'
import type { Profile, Report } from '../schemas/types/report.ts'
import { given, theCaller } from './caller.ts'
import { usable } from './wrong-use.ts'

export type { CertifyProgress } from '../engine/certify/certify.ts'
export type { Comparison, NamedReport } from '../reports/compare/compare.ts'
export { compareReports } from '../reports/compare/compare.ts'
export { mergeReports } from '../reports/merge/merge.ts'
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
  /** ends the run early: it removes what it made, and reports what it did */
  readonly signal?: AbortSignal
  /** told now and then how far the run is */
  readonly onProgress?: (progress: CertifyProgress) => void
}

/**
 * Certifies one target, and returns the report that `assay certify` writes. Everything but a verdict is thrown, as an
 * error with `exitCode` (2 wrong options, configuration or no consent; 3 target not reachable) and `problems`. Each
 * problem has `where`, `what` and `hint`. A target is only changed where its `consent` says so. Runs in this process,
 * one run at a time.
 */
export async function certify(options: CertifyLibraryOptions): Promise<Report> {
  return await usable(() => certified(options))
}

async function certified(options: CertifyLibraryOptions): Promise<Report> {
  const { target, signal, onProgress = () => {}, shard, ...rest } = options
  const caller = theCaller()
  const part = shard === undefined ? undefined : shardOption(shard)
  const problems = part && 'what' in part ? [part] : []
  const run = await prepareRun(
    {
      ...given(rest),
      ...(target === 'embedded' ? { embedded: true } : { target }),
      ...(part && 'index' in part ? { shard: part } : {}),
    },
    caller,
    rest.out === undefined ? undefined : planConclusion({}, caller.cwd),
    problems,
  )
  return (await certifyPrepared(run, { onProgress, signal })).report
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
 * A report in another format: json, junit, html, ctrf, markdown, badge-json, table or text.
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
  const { verify } = await import('../engine/verify/verify.ts')
  return await usable(async () =>
    verify(path, process.cwd(), publicKey === undefined ? undefined : createPublicKey(publicKey)),
  )
}
