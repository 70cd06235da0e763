// Generated from schemas/records/report.schema.json by `npm run generate`. Do not edit.

export type OverallVerdict = 'conformant' | 'partial' | 'non-conformant' | 'invalid'
/**
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "Profile".
 */
export type Profile = 'quick' | 'standard' | 'thorough'
/**
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "Verdict".
 */
export type Verdict = 'pass' | 'fail' | 'warn' | 'observed' | 'not-run' | 'error'

export interface Report {
  schemaVersion: 1
  /**
   * version of the interface
   */
  specification: string
  suite: SuiteInfo
  verdict: OverallVerdict
  /**
   * why not conformant, in one sentence; empty where it is
   */
  reason: string
  /**
   * operations of claimed features, of those with a path in the specification, of which no good request succeeded; left out where there is none. A run with one is never taken for a good one by --allow-partial.
   */
  neverSucceeded?: string[]
  strict: boolean
  /**
   * what makes the command fail beside broken requirements; left out: nothing
   */
  failOn?: 'server-error'[]
  target: ReportTarget
  binding: ReportBinding
  features: string[]
  seed: number
  profile: Profile
  only: string[]
  requests: number
  startedAt: string
  durationMs: number
  /**
   * level -> verdict -> number of requirements
   */
  counts: {
    [k: string]: {
      [k: string]: number
    }
  }
  requirements: RequirementResult[]
  operations: OperationStats[]
  environment: {
    [k: string]: string
  }
  /**
   * the command line that repeats the whole run
   */
  command?: string
  /**
   * what was in force: path in the configuration -> value as text; secrets are masked
   */
  configuration?: {
    [k: string]: string
  }
  failures?: Failures
  /**
   * the exchanges that took longest, the slowest first; of merged reports the slowest of all
   */
  slowest?: SlowExchange[]
  serverErrors?: ServerErrors
  traffic?: Traffic
  leftovers: string[]
  /**
   * errors of the run itself: cases that threw, a worker lost
   */
  problems: string[]
  basis?: Basis
  expectations?: ExpectationOutcome
  baseline?: BaselineOutcome
}
export interface SuiteInfo {
  name: string
  version: string
}
export interface ReportTarget {
  name: string
  version: string
  baseUrl: string
  embedded: boolean
}
export interface ReportBinding {
  name: string
  chain: string[]
  answered: string[]
  /**
   * gap -> the binding that answers it, and the place there
   */
  places?: {
    [k: string]: string
  }
  unanswered: string[]
}
/**
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "RequirementResult".
 */
export interface RequirementResult {
  id: string
  level: 'stated' | 'implied' | 'declared' | 'open'
  category: string
  feature: string
  section: string
  text: string
  verdict: Verdict
  /**
   * why not run, why an error; empty otherwise. Starts with the reason's name: 'gap-unanswered: …'
   */
  reason: string
  evidence: Evidence
  findings: Finding[]
}
/**
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "Evidence".
 */
export interface Evidence {
  /**
   * times that the requirement was found to hold or to be broken
   */
  judged: number
  /**
   * good inputs that were accepted
   */
  accepted: number
  /**
   * bad inputs that were refused beside an accepted control
   */
  refused: number
  inconclusive: number
  /**
   * of these, in traffic: different things with a wrong state, unless a client outside the traffic changed them
   */
  doubted?: number
  /**
   * why there was no judgement, in words -> how often
   */
  unclear?: {
    [k: string]: number
  }
  /**
   * what the binding reads and the response does not have, which leaves nothing to judge
   */
  misfit?: string
  broken: number
  operations: {
    [k: string]: number
  }
  edges: string[]
  /**
   * what was seen -> how often
   */
  observations: {
    [k: string]: number
  }
  mutants?: EvidenceMutants
}
/**
 * deliberate faults of the reference that break the requirement, and how many of them this suite noticed. Left out: the suite has changed since it was proven
 */
export interface EvidenceMutants {
  tried: number
  killed: number
}
/**
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "Finding".
 */
export interface Finding {
  requirement: string
  operation: string
  case: string
  message: string
  expected: string
  actual: string
  pointer: string
  /**
   * how the target calls the field of the pointer: its name, or a pointer into the record; left out: the same
   */
  here?: string
  edge: string
  /**
   * if lines were lost or doubled between two pages: the lines around the place, in their order
   */
  lines?: FindingLine[]
  /**
   * those behind the finding, in order; the deciding one last
   */
  exchanges: FindingExchange[]
  /**
   * bytes of the deciding request's body and characters of its path; the smallest findings are shown
   */
  size?: number
  curl: string
  reproduce: string
}
/**
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "FindingLine".
 */
export interface FindingLine {
  /**
   * what the line is known by
   */
  line: string
  state: 'there' | 'missing' | 'twice'
  /**
   * from 1; left out: it stands in none
   */
  page?: number
  /**
   * the exchange that returned the page
   */
  exchange?: string
}
/**
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "FindingExchange".
 */
export interface FindingExchange {
  id: string
  /**
   * deciding; control: the same request with the good value, accepted; setup: it only prepared what the case needs; parallel: of several that were under way at the same time; page: of the export that the deciding one ended; before: any other. Earlier versions wrote `twin` for every good request
   */
  role: string
  /**
   * what the case sent it for, in words; left out: of traffic
   */
  meant?: string
  method: string
  url: string
  requestBody: string
  status: number
  responseBody: string
  outcome: string
  operation?: string
  /**
   * ISO 8601, UTC
   */
  startedAt?: string
  /**
   * from the first byte sent to the last byte received
   */
  ms?: number
}
export interface OperationStats {
  operation: string
  requests: number
  accepted: number
  refused: number
  inconclusive: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /**
   * histogram of all durations: bucket -> number. Bucket b holds durations of more than 0.01 * 1.02^(b-1) and at most 0.01 * 1.02^b milliseconds
   */
  latencies?: {
    [k: string]: number
  }
  /**
   * places in the binding of the user -> JSON pointers there that no good response had; left out: none, or nothing was seen
   */
  unmatched?: {
    [k: string]: string
  }
}
/**
 * answers that say nothing of what was asked for, and what was sent again because of them; left out where there were none
 */
export interface Failures {
  /**
   * whole answers with a 5xx status
   */
  serverErrors: number
  /**
   * exchanges without a whole answer
   */
  unanswered: number
  /**
   * requests that were sent again: each time counts
   */
  repeated: number
}
export interface SlowExchange {
  id: string
  operation: string
  case: string
  method: string
  url: string
  status: number
  outcome: string
  ms: number
  /**
   * ISO 8601, UTC
   */
  startedAt: string
}
/**
 * 5xx answers to well-formed requests. The specification does not speak of them, so they break no requirement
 */
export interface ServerErrors {
  count: number
  /**
   * not among them: the same request was answered better when it was repeated
   */
  retried: number
  /**
   * by operation and kind of value, the most frequent first; of many kinds a part
   */
  kinds: ServerErrorKind[]
}
export interface ServerErrorKind {
  operation: string
  /**
   * what was sent, in words: '/title: length 512', 'good request'
   */
  kind: string
  count: number
  retried: number
  statuses: number[]
  /**
   * of the smallest request: bytes of its body and characters of its path
   */
  size: number
  smallest: FindingExchange
}
/**
 * how answers turned out over time: in each list the number of exchanges that ended in the step; all lists have the same length. Left out of reports that were merged from runs at different times
 */
export interface Traffic {
  /**
   * when the first step began; ISO 8601, UTC
   */
  startedAt: string
  stepMs: number
  /**
   * status below 400
   */
  accepted: number[]
  /**
   * 4xx other than 429
   */
  refused: number[]
  /**
   * 429
   */
  limited: number[]
  /**
   * 5xx
   */
  failed: number[]
  /**
   * no whole answer
   */
  lost: number[]
}
/**
 * The sums behind the verdicts, beside the evidence of each requirement. With them, reports of one target can be merged, and their verdicts computed again. Lists are sorted.
 *
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "Basis".
 */
export interface Basis {
  /**
   * the runs that the report is made of; one, unless it was merged
   */
  runs: RunInfo[]
  /**
   * whole 2xx answers
   */
  successes: number
  bodies?: Bodies
  /**
   * ids of the cases that were to run
   */
  expected: string[]
  cases: CaseOutcome[]
  /**
   * requirement -> operation -> sides at which it was seen to hold: accepted, refused, shape
   */
  sides: {
    [k: string]: {
      [k: string]: string[]
    }
  }
  /**
   * requirement -> operation -> times that it was broken there
   */
  broken: {
    [k: string]: {
      [k: string]: number
    }
  }
  /**
   * requirement -> operation -> times that every good request failed there. It is broken if it was never seen to hold there. So reports are added up before it counts
   */
  failed?: {
    [k: string]: {
      [k: string]: number
    }
  }
  selected?: SelectedPart
}
/**
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "RunInfo".
 */
export interface RunInfo {
  verb: 'certify' | 'check' | 'replay'
  /**
   * stands in every name that the run gave; tells runs apart
   */
  prefix: string
  seed: number
  profile: Profile
  startedAt: string
  durationMs: number
  requests: number
  interrupted: boolean
  shard?: Shard
  problems: string[]
  environment: {
    [k: string]: string
  }
}
export interface Shard {
  /**
   * from 1
   */
  index: number
  of: number
}
/**
 * good requests with a body
 */
export interface Bodies {
  sent: number
  /**
   * answered with success
   */
  accepted: number
}
/**
 * This interface was referenced by `Report`'s JSON-Schema
 * via the `definition` "CaseOutcome".
 */
export interface CaseOutcome {
  case: string
  requirements: string[]
  state: 'done' | 'not-run' | 'error'
  /**
   * how long it took; left out by earlier versions
   */
  durationMs?: number
  reason?:
    | 'not-claimed'
    | 'gap-unanswered'
    | 'not-offered'
    | 'answer-does-not-fit'
    | 'no-resource'
    | 'no-consent'
    | 'not-provoked'
    | 'not-observable'
    | 'inconclusive'
    | 'disabled'
  gap?: string
  detail?: string
  /**
   * operation that the case asked for and the binding declines -> where the binding does so
   */
  notOffered?: {
    [k: string]: string
  }
}
/**
 * what --only came to; left out where everything was run
 */
export interface SelectedPart {
  requirements: string[]
  operations: string[]
}
/**
 * how the failures stand to those that were expected (--expect); ids of requirements, sorted
 */
export interface ExpectationOutcome {
  /**
   * the file that lists what is expected
   */
  source: string
  /**
   * failed, as expected
   */
  met: string[]
  /**
   * failed, and nobody expected it
   */
  unexpected: string[]
  /**
   * expected to fail, but holds
   */
  stale: string[]
  /**
   * expected to fail, and not judged in this run
   */
  unchecked: string[]
}
/**
 * what changed since an earlier report (--baseline); ids of requirements
 */
export interface BaselineOutcome {
  /**
   * the file of the earlier report
   */
  source: string
  /**
   * newly failing, newly warning, or no longer judged
   */
  worse: string[]
  fixed: string[]
  /**
   * failed then and fails now
   */
  known: string[]
}
