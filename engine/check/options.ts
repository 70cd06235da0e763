import type { ConcludeOptions } from '../conclude/conclude.ts'

/** The options of `assay check` as the command line gives them. */
export interface CheckOptions extends ConcludeOptions {
  readonly config?: string
  readonly target?: string
  readonly binding?: string
  readonly features?: [string, ...string[]]
  readonly strict?: boolean
  readonly alone?: boolean
  readonly clockSkew?: string
  readonly out?: string
  readonly shard?: string
  readonly threads?: string
}
