// Generated from schemas/records/exchange.schema.json by `npm run generate`. Do not edit.

/**
 * complete: a whole answer was read; all others have response.status 0 or a partial body
 */
export type ExchangeOutcome =
  'complete' | 'timeout' | 'reset' | 'refused' | 'truncated' | 'too-large' | 'protocol-error' | 'interrupted'
/**
 * base: a good request, the control of others in its group; accept: differs from the base in one good value; refuse: differs in one bad value; auth: the base with other credentials; read: reads back what a request of the group did; provoke: brings about a stated condition; observe: never judged for refusal or acceptance
 */
export type IntentKind = import('../records/intents.ts').IntentKind
/**
 * This interface was referenced by `Exchange`'s JSON-Schema
 * via the `definition` "CredentialScheme".
 */
export type CredentialScheme = 'access-token' | 'service-key' | 'enterprise-key' | 'ingestion-key' | 'iam'
export type CredentialState = 'configured' | 'other' | 'missing' | 'malformed'

/**
 * One request and its answer: a HAR 1.2 entry, plus fields prefixed with an underscore.
 */
export interface Exchange {
  /**
   * ISO 8601, UTC
   */
  startedDateTime: string
  /**
   * milliseconds from the first byte sent to the last byte received
   */
  time: number
  request: HarRequest
  response: HarResponse
  cache: {}
  timings: HarTimings
  /**
   * unique within the recording; a case's exchanges sort by it in the order sent
   */
  _id: string
  /**
   * milliseconds since the epoch when the request was sent
   */
  _start: number
  /**
   * milliseconds since the epoch when the answer was complete or given up
   */
  _end: number
  /**
   * milliseconds between the two for which the one who measured stood still itself
   */
  _stalled?: number
  _outcome: ExchangeOutcome
  /**
   * of a repeated request, because the response before said nothing: 2 for the first repetition
   */
  _attempt?: number
  /**
   * the transport's own word for an outcome other than complete
   */
  _error?: string
  /**
   * id of the operation that the sender meant
   */
  _operation?: string
  _case?: string
  _intent?: Intent
  _credentials?: CredentialLabel[]
  _digest?: LineDigests
  /**
   * of a recording made by a proxy: number of the client's connection
   */
  _connection?: number
  /**
   * value in the request -> what it is: owner, a resource of the run
   */
  _roles?: {
    [k: string]: string
  }
}
/**
 * This interface was referenced by `Exchange`'s JSON-Schema
 * via the `definition` "HarRequest".
 */
export interface HarRequest {
  method: string
  /**
   * absolute; secrets in the query replaced
   */
  url: string
  httpVersion: string
  cookies: HarHeader[]
  headers: HarHeader[]
  queryString: HarHeader[]
  headersSize: number
  bodySize: number
  postData?: HarPostData
}
/**
 * This interface was referenced by `Exchange`'s JSON-Schema
 * via the `definition` "HarHeader".
 */
export interface HarHeader {
  name: string
  value: string
}
export interface HarPostData {
  mimeType: string
  text: string
  encoding?: 'base64'
  /**
   * text holds only a part of the body: a prefix, or its first lines
   */
  _cut?: boolean
  /**
   * where it is cut: file in `bodies/` beside the segments that holds the whole text
   */
  _body?: string
  /**
   * where it is cut: hash of the whole body as it travelled, hex
   */
  _sha256?: string
}
/**
 * This interface was referenced by `Exchange`'s JSON-Schema
 * via the `definition` "HarResponse".
 */
export interface HarResponse {
  /**
   * 0 where no answer arrived
   */
  status: number
  statusText: string
  httpVersion: string
  cookies: HarHeader[]
  headers: HarHeader[]
  content: HarContent
  redirectURL: string
  headersSize: number
  bodySize: number
  _trailers?: HarHeader[]
}
export interface HarContent {
  /**
   * bytes of the decoded body
   */
  size: number
  mimeType: string
  text?: string
  encoding?: 'base64'
  /**
   * text holds only a part of the body: a prefix, or its first lines
   */
  _cut?: boolean
  /**
   * where it is cut: file in `bodies/` beside the segments that holds the whole text
   */
  _body?: string
  /**
   * where it is cut: hash of the whole body as it travelled, hex
   */
  _sha256?: string
}
export interface HarTimings {
  send: number
  wait: number
  receive: number
}
/**
 * What the case meant by the request. The rules judge what was sent; an intent only says which control it belongs to and what it is about.
 *
 * This interface was referenced by `Exchange`'s JSON-Schema
 * via the `definition` "Intent".
 */
export interface Intent {
  kind: IntentKind
  /**
   * control group: same ids, same state, same credentials
   */
  group?: string
  requirement?: string
  /**
   * where the value stands: /title, /channels/0/url, path:component_id, query:from
   */
  pointer?: string
  /**
   * the edge tried, or what is left open, in words: 'length 513'
   */
  edge?: string
  /**
   * what a rule knows it by: one of schemas/records/intents.ts; other versions may know others, which no rule reads
   */
  probe?: import('../records/intents.ts').ProbeName
  /**
   * of a read: no later read follows that could still change the answer
   */
  final?: boolean
  /**
   * data that the rule of this kind or probe needs and the request does not carry
   */
  data?: import('../records/intents.ts').IntentData
}
/**
 * This interface was referenced by `Exchange`'s JSON-Schema
 * via the `definition` "CredentialLabel".
 */
export interface CredentialLabel {
  scheme: CredentialScheme
  state: CredentialState
}
/**
 * of requests that send lines and responses that export them: every line in short form; the bodies hold only the first few
 */
export interface LineDigests {
  sent?: LineDigest
  received?: LineDigest
}
/**
 * This interface was referenced by `Exchange`'s JSON-Schema
 * via the `definition` "LineDigest".
 */
export interface LineDigest {
  /**
   * lines in the body, the unreadable ones included
   */
  count: number
  /**
   * what stands where a line belongs and is none: no JSON, or a JSON array
   */
  unreadable: number
  /**
   * blank lines between the lines of a JSONL body; left out: none
   */
  blank?: number
  /**
   * what stands before the number in the marks of lines that a run made
   */
  marks: string[]
  senders: LineSender[]
  /**
   * in the order of the body: 'mark.number hash time sender'. The mark and the sender are places in the lists beside it. The hash is that of the text, the time is in milliseconds; '-' for unknown parts
   */
  lines: string[]
  folded?: FoldedLines
}
/**
 * This interface was referenced by `Exchange`'s JSON-Schema
 * via the `definition` "LineSender".
 */
export interface LineSender {
  host: string
  app: string
  level: string
  /**
   * sorted
   */
  tags: string[]
}
/**
 * of more lines than are noted one by one: `lines` holds only the first of them, and this tells of all
 *
 * This interface was referenced by `Exchange`'s JSON-Schema
 * via the `definition` "FoldedLines".
 */
export interface FoldedLines {
  /**
   * of the content of `lines`, with a line feed behind each; hex
   */
  sha256: string
  /**
   * how the times go from line to line
   */
  times: 'rising' | 'falling' | 'mixed' | 'none'
}
