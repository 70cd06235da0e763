/** The options of `assay replay` as the command line gives them. */
export interface ReplayOptions {
  readonly target?: string
  readonly embedded?: boolean
  readonly config?: string
  readonly binding?: string
  readonly speed?: string
  readonly concurrency?: string
  readonly timeout?: string
  readonly filter?: readonly string[]
  readonly shard?: string
  readonly baseline?: boolean
  readonly ignore?: string
  readonly shift?: boolean
  readonly yesModifyTarget?: boolean
  readonly fullBodies?: boolean
  readonly out?: string
  readonly json?: boolean
}
