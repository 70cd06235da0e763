import type { Constraint } from '../../schemas/constraints.ts'
import { type Operation, specifiedOperations } from '../../schemas/operations.ts'
import type { Violation } from '../../schemas/validator.ts'
import { broken, held, type Judgement } from '../core/judgement.ts'
import { placesIn } from '../core/places.ts'
import { about, type HistoryRule, type Oracle } from '../core/rule.ts'
import { shown } from '../core/shown.ts'
import { type ExchangeView, jsonOf } from '../core/view.ts'
import { besideControl, type Controlled, NO_CONTROL, verdicts } from '../known/controls.ts'

const MOST_WAITING = 20
const NONE: readonly never[] = []
/** Which words a target has for kinds of nodes is its own: only a run knows what it means by them. */
const OPEN = new Set(['NODE-TRANSFORM-KIND', 'NODE-SOURCE-KIND'])

/**
 * Traffic has controls by nature: requests of one operation about the same thing, by the same client, of which some break
 * one constraint. Good values are seen accepted, bad ones refused (400 or 422, which speak of the content) or accepted,
 * which is a finding beside a good request that was accepted too. It keeps a state of its own as the controls of a run do:
 * what a bad request says waits for a good one after it.
 */
export const naturalRule: HistoryRule<Controlled> = {
  name: 'natural',
  timeless: true,
  bound: 10_000,
  overlap: 'own',
  perOperation: true,
  operations: () => specifiedOperations().flatMap((operation) => (takesInput(operation) ? [operation.id] : [])),
  key: ({ exchange, specified, params }) =>
    exchange._case === undefined && specified !== undefined && takesInput(specified)
      ? `${specified.id} ${Object.values(params).join(' ')}`
      : undefined,
  init: () => NO_CONTROL,
  step(state, view, oracle) {
    const { request, violations, accepted } = view
    const isGood = violations.length === 0
    if (request.kind === 'cut' || !view.conclusive || (isGood && !accepted)) return { state, judgements: NONE }
    if (isGood) {
      const { state: next, judgements } = besideControl(state, NONE, view.id)
      return { state: next, judgements: [...judgements, ...acceptedBy(view, oracle)] }
    }
    const said = judgeBad(view, violations)
    // Only the newest are kept.
    return said
      ? besideControl({ ...state, waiting: state.waiting.slice(1 - MOST_WAITING) }, verdicts('either', said), undefined)
      : { state, judgements: NONE }
  },
  end: () => [],
}

/** A tap reads, and takes a body all the same. */
function takesInput({ effect, request }: Operation): boolean {
  return effect !== 'read' || request !== undefined
}

/** What a good request that was accepted shows: every constraint whose good values have to be accepted. */
function acceptedBy(view: ExchangeView, oracle: Oracle): Judgement[] {
  const body = jsonOf(view.request)
  const schema = view.specified?.request?.schema
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

/** A request that breaks one rule, and no other. */
function judgeBad(view: ExchangeView, violations: readonly Violation[]): Judgement | undefined {
  const [violation] = violations
  const requirement = violation?.requirement
  if (!violation || requirement === undefined || OPEN.has(requirement)) return undefined
  if (violations.some((other) => other.requirement !== requirement)) return undefined
  const { pointer, message, value } = violation
  const claim = { ...about(view), requirement, pointer, exchanges: [view.id], edge: 'seen in traffic' }
  if (view.accepted) {
    return broken(claim, {
      message: 'a value that the specification forbids is accepted',
      expected: `refused: ${`${pointer} ${message}`.trim()}`,
      actual: `status ${view.status} for ${shown(value)}`,
    })
  }
  return view.status === 400 || view.status === 422 ? held({ ...claim, side: 'refused' }) : undefined
}
