import type { Constraint } from '../../schemas/constraints.ts'
import { type OperationRow, operationRow, operationsWhere } from '../../schemas/service.ts'
import { broken, held, type Judgement } from '../core/judgement.ts'
import { placesIn } from '../core/places.ts'
import { about, type HistoryRule, type Oracle } from '../core/rule.ts'
import { type ExchangeView, jsonOf } from '../core/view.ts'
import { shown } from '../core/words.ts'
import { besideControl, type Controlled, NO_CONTROL, type Verdict, verdicts } from '../known/controls.ts'
import { judgeCondition } from '../topics/general/provoked.ts'

const MOST_WAITING = 20
const NONE: readonly never[] = []
/** Which words a target has for kinds of nodes is its own: only a run knows what it means by them. */
const OPEN = new Set(['NODE-TRANSFORM-KIND', 'NODE-SOURCE-KIND'])
/** Names of its keys may be too long, which no schema says. */
const NAMES = ['create-enterprise-key', 'update-enterprise-key']

/**
 * Traffic has controls by nature: requests of one operation about the same thing, by the same client, of which some break
 * one constraint. Good values are seen accepted. Bad ones are seen refused (400 or 422, which speak of the content) or
 * accepted. That is a finding beside a good request that was accepted too. It keeps a state of its own, as the controls
 * of a run do. A bad request waits for a good one after it.
 */
export const naturalRule: HistoryRule<Controlled> = {
  name: 'natural',
  timeless: true,
  bound: 10_000,
  overlap: 'own',
  operations: () => [...NAMES, ...operationsWhere(takesInput)],
  key: ({ exchange, operation, params }) =>
    exchange._case === undefined ? `${operation?.id} ${Object.values(params).join(' ')}` : undefined,
  init: () => NO_CONTROL,
  step(state, view, oracle) {
    if (view.request.kind === 'cut' || !view.conclusive) return { state, judgements: NONE }
    const bad = judgeBad(view)
    // Only the newest are kept.
    if (bad.length > 0)
      return besideControl({ ...state, waiting: state.waiting.slice(1 - MOST_WAITING) }, bad, undefined)
    if (!view.accepted || view.violations.length > 0) return { state, judgements: NONE }
    const { state: next, judgements } = besideControl(state, NONE, view.id)
    const accepted = acceptedBy(view, oracle)
    return { state: next, judgements: judgements.length === 0 ? accepted : [...judgements, ...accepted] }
  },
  end: () => NONE,
}

/** Whether the table says what it takes. A tap reads, and takes a body all the same. */
function takesInput({ path, effect, request }: OperationRow): boolean {
  return request !== undefined || (path !== undefined && effect !== 'read')
}

/** What a good request that was accepted shows: every constraint whose good values have to be accepted. */
function acceptedBy(view: ExchangeView, oracle: Oracle): Judgement[] {
  const body = jsonOf(view.request)
  const schema = operationRow(view.operation?.id)?.request?.schema
  if (body === undefined || schema === undefined) return []
  const { operation, caseId } = about(view)
  const exchanges = [view.id]
  return placesIn(schema, oracle.schemas, ACCEPTING)
    .concernedBy(body)
    .map((requirement) => ({ operation, caseId, requirement, outcome: 'held', side: 'accepted', exchanges }))
}

/** The constraints whose good values have to be accepted. */
const ACCEPTING = {
  name: 'accepting',
  keeps: ({ keyword, schema }: Constraint): boolean => schema['x-accept']?.includes(keyword) ?? false,
}

/** What a request says that breaks one rule, and no other. What wants a control before and after it is left to runs. */
function judgeBad(view: ExchangeView): readonly Verdict[] {
  if (NAMES.includes(view.operation?.id ?? '')) {
    return judgeCondition(view, 'key-name-too-long').filter(({ control }) => control === 'either')
  }
  const [violation, ...others] = view.violations
  const requirement = violation?.requirement
  if (!violation || requirement === undefined || OPEN.has(requirement)) return NONE
  if (others.some((other) => other.requirement !== requirement)) return NONE
  const { pointer, message, value } = violation
  const claim = { ...about(view), requirement, pointer, exchanges: [view.id], edge: 'seen in traffic' }
  if (view.accepted) {
    const fault = {
      message: 'a value that the specification forbids is accepted',
      expected: `refused: ${`${pointer} ${message}`.trim()}`,
      actual: `status ${view.status} for ${shown(value)}`,
    }
    return verdicts('either', broken(claim, fault))
  }
  return view.status === 400 || view.status === 422 ? verdicts('either', held({ ...claim, side: 'refused' })) : NONE
}
