/** The options of `assay record` as the command line gives them. */
export interface RecordOptions {
  readonly target?: string
  readonly listen: string
  readonly out: string
  readonly config?: string
  readonly binding?: string
  readonly mode: string
  readonly annotate?: boolean
  readonly strict?: boolean
  readonly maxBody: string
  readonly fullBodies?: boolean
  readonly hideLines?: boolean
  readonly keyFile?: string
  readonly timeout: string
  readonly keepHost?: boolean
  readonly insecure?: boolean
  readonly ca?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly ui?: string | true
  readonly compress: boolean
  readonly json?: boolean
}
