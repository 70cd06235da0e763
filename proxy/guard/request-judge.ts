import { createCapture } from '../../fixtures/recording/capture.ts'
import type { RawExchange } from '../../fixtures/recording/raw.ts'
import { exchangeRules } from '../../rules/all.ts'
import type { Judgement } from '../../rules/core/judgement.ts'
import { createViewer } from '../../rules/core/viewer.ts'
import { createOracle } from '../../rules/oracle.ts'
import { successRule } from '../../rules/topics/general/success.ts'
import { type BindingData, resolveBinding } from '../../schemas/binding.ts'
import { basePathOf } from '../../schemas/url.ts'
import { findingsIn, type TrafficFinding } from '../recorder/findings.ts'

/** A rule that a request breaks, and where. */
export interface BrokenRule {
  readonly requirement: string
  /** JSON pointer into the body, `path:name` or `query:name` */
  readonly pointer: string
  readonly message: string
}

/** What was found in an exchange. */
export interface Found<T> {
  readonly list: readonly T[]
  /** nobody looked into the body: it is nested too deep, or in a coding that nobody knows */
  readonly unread: boolean
}

/** Judges single exchanges while their client waits: what an exchange shows by itself, no histories. */
export interface PathJudge {
  /** the rules of the specification that a request breaks, as it was serialised */
  violations(raw: RawExchange): Found<BrokenRule>
  /** what an answer breaks */
  findings(raw: RawExchange): Found<TrafficFinding>
  /** what the status of an answer breaks, before its body is known */
  statusFindings(raw: RawExchange): readonly TrafficFinding[]
}

export interface PathJudgeOptions {
  readonly binding: BindingData
  readonly baseUrl: string
  readonly strict: boolean
  /** of the pseudonyms that stand for secrets in what is said */
  readonly key: Uint8Array
}

export function createPathJudge(options: PathJudgeOptions): PathJudge {
  const binding = resolveBinding(options.binding)
  const basePath = basePathOf(options.baseUrl)
  const capture = createCapture({ binding, baseUrl: options.baseUrl, credentials: new Map(), key: options.key })
  const { oracle } = createOracle({ binding, basePath, settleMs: 0 })
  const viewer = createViewer(binding, oracle.validator, basePath)
  const view = (raw: RawExchange): ReturnType<typeof viewer.view> => viewer.view(capture.capture(raw))
  const found = (judgements: readonly Judgement[]): TrafficFinding[] =>
    findingsIn(judgements, oracle.ledger, options.strict)
  return {
    violations(raw) {
      const { violations, request } = view(raw)
      const list = violations.flatMap(({ requirement, pointer, message }) =>
        requirement !== undefined && isRule(requirement) ? [{ requirement, pointer, message }] : [],
      )
      return { list, unread: request.kind === 'cut' }
    },
    findings(raw) {
      const seen = view(raw)
      const list = found(exchangeRules.flatMap((rule) => rule.judge(seen, oracle)))
      return { list, unread: seen.response.kind === 'cut' }
    },
    statusFindings(raw) {
      const seen = view(raw)
      const about = seen.specified?.response.statusRequirement
      return found(successRule.judge(seen, oracle).filter(({ requirement }) => requirement === about))
    },
  }

  /** What the text states or implies; what it leaves open binds nobody. */
  function isRule(requirement: string): boolean {
    const level = oracle.ledger.get(requirement)?.level
    return level === 'stated' || level === 'implied'
  }
}
