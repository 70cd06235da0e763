import { probes } from '../../../schemas/intents.ts'
import type { StatedError } from '../../../schemas/operations.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { judgeBody } from './body.ts'
import { judgeCondition } from './conditions.ts'
import { judgeOdd } from './odd-ids.ts'
import type { ProbeVerdict } from './probes.ts'

/** Statuses that say something about the caller or the way, not about the condition that was provoked. */
const BESIDE_THE_POINT = new Set([401, 403, 405, 413, 415])

/** A condition of the error table was brought about (section 'Errors'): refused, with the stated code and shape. */
export function judgeProvoked(view: ExchangeView, oracle: Oracle): ProbeVerdict[] {
  if (view.intent?.probe === probes.oddId) return judgeOdd(view)
  const stated = view.specified?.errors.find(({ condition }) => condition === view.intent?.probe)
  if (!stated) return judgeCondition(view)
  if (!blamesCaller(view, stated)) return judgeStated(view, stated, oracle)
  // The caller may do it: the same request was carried out for others with the same credentials, before and after it.
  return judgeAnswered(view, stated, oracle).map((verdict) => ({ ...verdict, twin: 'both' }))
}

/** Whether a refusal blames the caller, with a code of its own, where the text has another code for the condition. */
function blamesCaller(view: ExchangeView, { code }: StatedError): boolean {
  if (!view.conclusive || (view.status !== 401 && view.status !== 403) || code === undefined) return false
  const told = at(jsonOf(view.response), '/code')
  return typeof told === 'string' && told !== code
}

/** What an answer says about an error of the table whose condition is met. */
export function judgeStated(view: ExchangeView, stated: StatedError, oracle: Oracle): ProbeVerdict[] {
  if (!view.conclusive) return []
  const base = { ...about(view), exchanges: [view.id], edge: stated.condition }
  if (BESIDE_THE_POINT.has(view.status) && !namesCode(view, stated)) {
    const requirements = [stated.refusedRequirement, stated.codeRequirement, stated.bodyStatusRequirement]
    const named = requirements.filter((requirement) => requirement !== undefined)
    return beside(named.map((requirement) => ({ ...base, requirement, outcome: 'inconclusive' })))
  }
  if (view.accepted || view.status >= 500) {
    return beside(
      stated.refusedRequirement === undefined
        ? []
        : [
            {
              ...base,
              requirement: stated.refusedRequirement,
              outcome: 'broken',
              message: `the condition '${stated.condition}' is not refused`,
              expected: 'an error answer: neither 2xx nor 5xx',
              actual: `status ${view.status}`,
            },
          ],
    )
  }
  return view.status < 400 ? [] : judgeAnswered(view, stated, oracle)
}

function judgeAnswered(view: ExchangeView, stated: StatedError, oracle: Oracle): ProbeVerdict[] {
  const base = { ...about(view), exchanges: [view.id], edge: stated.condition }
  const judged: Judgement[] = []
  if (stated.refusedRequirement !== undefined) {
    judged.push({ ...base, requirement: stated.refusedRequirement, outcome: 'held', side: 'refused' })
  }
  if (stated.status !== undefined && stated.statusRequirement !== undefined) {
    judged.push(compare(base, stated.statusRequirement, 'status', stated.status, view.status))
  }
  return beside([...judged, ...judgeErrorBody(view, stated, oracle)])
}

/** Which status an error has is mostly not shown; one that carries the code of this condition is about it. */
function namesCode(view: ExchangeView, { code }: StatedError): boolean {
  return code !== undefined && at(jsonOf(view.response), '/code') === code
}

function judgeErrorBody(view: ExchangeView, stated: StatedError, oracle: Oracle): Judgement[] {
  const base = { ...about(view), exchanges: [view.id], edge: stated.condition }
  const judged = judgeBody(view, stated.schema, stated.bodyRequirement, oracle)
  const body = jsonOf(view.response)
  const code = at(body, '/code')
  if (stated.code !== undefined && stated.codeRequirement !== undefined && typeof code === 'string') {
    judged.push(compare(base, stated.codeRequirement, '/code', stated.code, code))
  }
  const status = at(body, '/status')
  if (stated.bodyStatus !== undefined && stated.bodyStatusRequirement !== undefined && body !== undefined) {
    judged.push(compare(base, stated.bodyStatusRequirement, '/status', stated.bodyStatus, status))
  }
  return judged
}

function compare(
  base: Pick<Judgement, 'operation' | 'caseId' | 'exchanges' | 'edge'>,
  requirement: string,
  what: string,
  expected: unknown,
  actual: unknown,
): Judgement {
  if (expected === actual) return { ...base, requirement, outcome: 'held' }
  return {
    ...base,
    requirement,
    outcome: 'broken',
    message: `the error answer's ${what} is not the stated one`,
    expected: shown(expected),
    actual: shown(actual),
  }
}

function beside(judgements: readonly Judgement[]): ProbeVerdict[] {
  return judgements.map((judgement) => ({ judgement, twin: 'either' }))
}
