import type { OwnAnswer } from '../forward/answers.ts'
import type { Gate } from '../forward/gate.ts'
import { rawOf } from './raw.ts'
import type { PathJudge } from './request-judge.ts'

/** What a guard did. */
export interface GuardCounts {
  /** requests answered with 400 in the target's place */
  refusedRequests: number
  /** answers that became a 502 */
  refusedAnswers: number
  /** bodies that were too long to wait for, or cannot be looked into */
  unjudged: number
}

export interface Guard extends Gate {
  readonly counts: GuardCounts
}

/** Bodies up to this size wait for their judgement. */
const LIMIT = 1 << 20
/** Findings that one answer names. */
const MOST = 20

/** Lets only pass what conforms: for staging, where a wrong client and a wrong server are to be found at once. */
export function createGuard(judge: PathJudge): Guard {
  const counts: GuardCounts = { refusedRequests: 0, refusedAnswers: 0, unjudged: 0 }
  return {
    counts,
    limit: LIMIT,
    request(request, body) {
      const { list: violations, unread } = judge.violations(rawOf(request, body))
      if (unread) counts.unjudged += 1
      const [first] = violations
      if (!first) return undefined
      counts.refusedRequests += 1
      return {
        status: 400,
        code: 'BadRequest',
        error: `assay guard: ${placeOf(first.pointer)} ${first.message} (${first.requirement})`,
        more: { findings: violations.slice(0, MOST) },
      }
    },
    answer(request, sent, answer, body): OwnAnswer | undefined {
      const { list, unread } = judge.findings(rawOf(request, sent, answer, body))
      if (unread) counts.unjudged += 1
      const failures = list.filter(({ failure }) => failure)
      const [first] = failures
      if (!first) return undefined
      counts.refusedAnswers += 1
      const findings = failures.slice(0, MOST).map(({ requirement, pointer, message, expected, actual }) => ({
        requirement,
        pointer,
        message,
        expected,
        actual,
      }))
      return {
        status: 502,
        code: 'BadGateway',
        error: `assay guard: the target's answer does not conform: ${first.message} (${first.requirement})`,
        more: { findings },
      }
    },
    unjudged() {
      counts.unjudged += 1
    },
  }
}

function placeOf(pointer: string): string {
  return pointer === '' ? 'the body' : pointer
}
