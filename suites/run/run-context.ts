import type { BindingData } from '../../schemas/binding.ts'
import type { Consent, Credentials, Keep, ListedResources, Sink, TlsOptions } from '../../schemas/types/config.ts'
import type { Profile } from '../../schemas/types/report.ts'
import type { MeasuredCase } from '../case.ts'

/** Everything that the cases of a run need to know. */
export interface RunContext {
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsOptions
  readonly proxy: string | undefined
  readonly binding: BindingData
  readonly seed: number
  /** milliseconds since the epoch */
  readonly startedAt: number
  /** stands at the start of every name that the run gives; unique to the run */
  readonly runPrefix: string
  /** folder of the evidence: exchanges and case records */
  readonly folder: string
  /** the evidence keeps long bodies whole, in files of their own */
  readonly wholeBodies?: boolean
  /** only places of secrets are replaced: the texts are not safe to share */
  readonly keep?: Keep
  /** of the pseudonyms; left out: one that is not kept */
  readonly key?: Uint8Array | undefined
  readonly journal: string
  readonly profile: Profile
  /** random values drawn for each property */
  readonly runs: number
  /** steps of each walk */
  readonly steps: number
  /** milliseconds from the last request of a walk to its last look; 0: there is none */
  readonly lateLook: number
  readonly cases: readonly MeasuredCase[]
  /** features that the target claims; left out: all */
  readonly features?: readonly string[]
  /** the operations that were chosen; left out: all */
  readonly operations?: ReadonlySet<string>
  /** only these requirements are probed; undefined: all */
  readonly only: readonly string[] | undefined
  readonly consent: Consent
  readonly resources: ListedResources
  /** the target was started by assay itself: nothing on it needs consent */
  readonly embedded: boolean
  /** enterprise operations are sent with the enterprise key alone, or with an access token beside it */
  readonly enterprise: 'alone' | 'both'
  /** milliseconds */
  readonly settleTimeout: number
  /** milliseconds that one request may take */
  readonly timeout: number
  readonly concurrency: number
  /** requests per second at most; undefined: no limit */
  readonly rate: number | undefined
  /** log lines that the run may send in all */
  readonly maxIngest: number
  /** bytes that these lines may have in all */
  readonly maxIngestBytes: number
  /** nothing is sent that changes the target */
  readonly readOnly: boolean
  /** where generated addresses and URLs lead; reserved names where it is left out */
  readonly sink: Sink
  /** stop at the first case with a failure */
  readonly bail: boolean
}

/** Random values drawn for each property, by profile. */
export const RUNS: Readonly<Record<Profile, number>> = { quick: 1, standard: 60, thorough: 400 }

/** Walks of a run, and the steps of each, by profile. */
export const WALKS: Readonly<Record<Profile, { readonly walks: number; readonly steps: number }>> = {
  quick: { walks: 1, steps: 10 },
  standard: { walks: 3, steps: 80 },
  thorough: { walks: 20, steps: 200 },
}

/** The place of a fault that is none of a file. */
export const MEMORY = 'memory'

/** A file or folder of the run that could not be written any more. The run was stopped for it. */
export interface WriteFault {
  /** path */
  readonly where: string
  /** of the system, such as ENOSPC; may be empty */
  readonly code: string
  readonly message: string
  /** requests that had been sent by then */
  readonly requests: number
}
