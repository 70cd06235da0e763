// Generated from schemas/records/report.schema.json by `npm run generate`. Do not edit.

export type OverallVerdict = 'conformant' | 'partial' | 'non-conformant' | 'invalid'
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
  strict: boolean
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
  leftovers: string[]
  /**
   * errors of the run itself: cases that threw, a worker lost
   */
  problems: string[]
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
   * bad inputs that were refused beside an accepted twin
   */
  refused: number
  inconclusive: number
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
  edge: string
  /**
   * those behind the finding, in order; the deciding one last
   */
  exchanges: FindingExchange[]
  curl: string
  reproduce: string
}
export interface FindingExchange {
  id: string
  /**
   * twin, deciding, or before
   */
  role: string
  method: string
  url: string
  requestBody: string
  status: number
  responseBody: string
  outcome: string
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
}
