// Generated from schemas/records/config.schema.json by `npm run generate`. Do not edit.

/**
 * assay.config.json: what is certified, with which credentials, and what a run may do to it. Strings may hold ${env:NAME}.
 */
export interface TargetConfig {
  $schema?: string
  /**
   * name of the implementation, for the report
   */
  name?: string
  /**
   * its version, for the report
   */
  version?: string
  /**
   * http or https; may carry a path
   */
  baseUrl: string
  credentials?: Credentials
  /**
   * sent with every request
   */
  headers?: {
    [k: string]: string
  }
  tls?: TlsOptions
  /**
   * URL of an HTTP proxy on the way to the target
   */
  proxy?: string
  /**
   * what the target claims; all that have cases, if left out
   *
   * @minItems 1
   */
  features?: [string, ...string[]]
  /**
   * name of a shipped binding, or the path of a binding file
   */
  binding?: string
  consent?: Consent
  resources?: ListedResources
  /**
   * milliseconds within which a read may still be old, at most a day; default 0
   */
  settleTimeout?: number
  /**
   * milliseconds a request may take; default 30000
   */
  timeout?: number
  concurrency?: number
  /**
   * requests per second, at most
   */
  rate?: number
  /**
   * log lines that a run may send in all; default 100000
   */
  maxIngest?: number
  /**
   * bytes that these lines may have in all; default 100000000
   */
  maxIngestBytes?: number
  /**
   * true: nothing is sent that changes the target
   */
  readOnly?: boolean
  sink?: Sink
  /**
   * implied and declared requirements count as stated ones
   */
  strict?: boolean
  /**
   * what makes a command fail beside broken requirements: server-error, a 5xx answer to a well-formed request
   */
  failOn?: 'server-error'[]
}
export interface Credentials {
  accessToken?: string
  serviceKey?: string
  enterpriseServiceKey?: string
  ingestionKey?: string
  iam?: IamCredentials
}
export interface IamCredentials {
  token: string
  cloudResourceName?: string
}
export interface TlsOptions {
  /**
   * path of a PEM file
   */
  ca?: string
  /**
   * path of a PEM file
   */
  cert?: string
  /**
   * path of a PEM file
   */
  key?: string
  /**
   * true: the target's certificate is not checked
   */
  insecure?: boolean
}
export interface Consent {
  /**
   * the run may create, change and delete resources of its own
   */
  modifyTarget?: boolean
  /**
   * resources.ownerEmail belongs to a disposable account; a faulty target would delete it
   */
  allowOwnerDeletion?: boolean
  /**
   * the run may delete what `resources` lists
   */
  deleteListedResources?: boolean
  /**
   * the run may make and remove exclusion rules of its own, which act on the whole account
   */
  exclusions?: boolean
  /**
   * the run may suspend the ingestion of the account, and resume it
   */
  suspend?: boolean
  /**
   * the run may set up, change and remove the archiving of the account
   */
  archiving?: boolean
}
/**
 * ids of what exists already, for targets whose binding cannot make it
 */
export interface ListedResources {
  pipelineId?: string
  transformId?: string
  sourceId?: string
  gatewayRouteId?: string
  transformGroupId?: string
  presetId?: string
  screenIds?: string[]
  exclusionIds?: string[]
  memberEmails?: string[]
  ownerEmail?: string
}
/**
 * where generated addresses and URLs lead, in place of reserved names that lead nowhere
 */
export interface Sink {
  /**
   * address@domain; a run writes to address+name@domain
   */
  email?: string
  /**
   * what generated URLs begin with
   */
  url?: string
}
