/** The options of `assay mock` as the command line gives them. */
export interface MockOptions {
  readonly port: string
  readonly host: string
  readonly binding?: string
  readonly config?: string
  readonly fallback?: string
  readonly record?: string
  readonly delays?: boolean
  readonly json?: boolean
}
