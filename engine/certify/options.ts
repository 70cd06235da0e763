import type { TargetConfig } from '../../schemas/types/config.ts'
import type { ConcludeOptions } from '../conclude/conclude.ts'

/** The options of `assay certify` as the command line gives them. */
export interface CertifyOptions extends ConcludeOptions {
  readonly embedded?: boolean
  readonly config?: string
  /** of callers in the same process, who have no file: then none is looked for */
  readonly target?: TargetConfig
  /** of callers in the same process as well: fields that win over those of the file */
  readonly fields?: Partial<TargetConfig>
  readonly binding?: string
  readonly features?: [string, ...string[]]
  readonly only?: readonly string[]
  readonly shard?: string
  readonly seed?: string
  readonly runs?: string
  readonly profile?: string
  readonly strict?: boolean
  readonly concurrency?: string
  readonly rate?: string
  readonly timeout?: string
  readonly maxIngest?: string
  readonly maxIngestBytes?: string
  readonly readOnly?: boolean
  readonly out?: string
  readonly record?: string
  readonly hideLines?: boolean
  readonly keyFile?: string
  readonly bundle?: string
  readonly sign?: string
  readonly bail?: boolean
  readonly yesModifyTarget?: boolean
}
