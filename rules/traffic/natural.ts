import type { Constraint } from '../../schemas/constraints.ts'
import { type Operation, specifiedOperations } from '../../schemas/operations.ts'
import type { Violation } from '../../schemas/validator.ts'
import type { Judgement } from '../core/judgement.ts'
import { placesIn } from '../core/places.ts'
import { about, type HistoryRule, type Oracle } from '../core/rule.ts'
import { shown } from '../core/shown.ts'
import { type ExchangeView, jsonOf } from '../core/view.ts'

interface Natural {
  /** the newest good request that was accepted */
  readonly accepted: string | undefined
  /** judgements that want such a one beside them */
  readonly waiting: readonly Judgement[]
}

const MOST_WAITING = 20
/** Which words a target has for kinds of nodes is its own: only a run knows what it means by them. */
const OPEN = new Set(['NODE-TRANSFORM-KIND', 'NODE-SOURCE-KIND'])

/**
 * Traffic has twins by nature: requests of one operation about the same thing, by the same client, of which some break
 * one constraint. Good values are seen accepted, bad ones refused (400 or 422, which speak of the content) or accepted,
 * which is a finding beside a good request that was accepted too.
 */
export const naturalRule: HistoryRule<Natural> = {
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
  init: () => ({ accepted: undefined, waiting: [] }),
  step(state, view, oracle) {
    const { request, violations } = view
    if (request.kind === 'cut' || !view.conclusive) return { state, judgements: [] }
    if (violations.length === 0) {
      if (!view.accepted) return { state, judgements: [] }
      const judgements = [...state.waiting.map((judgement) => beside(judgement, view.id)), ...acceptedBy(view, oracle)]
      return { state: { accepted: view.id, waiting: [] }, judgements }
    }
    const judgement = judgeBad(view, violations)
    if (!judgement) return { state, judgements: [] }
    if (state.accepted !== undefined) return { state, judgements: [beside(judgement, state.accepted)] }
    return { state: { ...state, waiting: [...state.waiting, judgement].slice(-MOST_WAITING) }, judgements: [] }
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
  const base = {
    ...about(view),
    requirement,
    pointer: violation.pointer,
    exchanges: [view.id],
    edge: 'seen in traffic',
  }
  if (view.accepted) {
    return {
      ...base,
      outcome: 'broken',
      message: 'a value that the specification forbids is accepted',
      expected: `refused: ${`${violation.pointer} ${violation.message}`.trim()}`,
      actual: `status ${view.status} for ${shown(violation.value)}`,
    }
  }
  if (view.status !== 400 && view.status !== 422) return undefined
  return { ...base, outcome: 'held', side: 'refused' }
}

function beside(judgement: Judgement, twin: string): Judgement {
  return { ...judgement, exchanges: [twin, ...judgement.exchanges] }
}
