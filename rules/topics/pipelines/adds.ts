import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { asPromised } from '../../core/promised.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'

interface Keys {
  /** how many have to be there; fewer than there are, where nobody has looked yet */
  readonly least: number
  /** that were added: whether the same one can be added again is open */
  readonly added: ReadonlySet<string>
  /** the additions since the last look, and when the newest was answered */
  readonly exchanges: readonly string[]
  readonly at: number
  /** the patch of the route since the last look, and how many there were before it */
  readonly patch?: { readonly exchange: string; readonly shown: number; readonly at: number }
}

const OPERATION = 'add-signing-key'
const READER = 'get-gateway-route'
const PATCH = 'update-gateway-route'
const LOOKED_AT = [OPERATION, READER, PATCH, 'replace-gateway-route', 'delete-gateway-route']
/** The text does not say whether keys stand beside each other: only a binding promises that the earlier ones stay. */
const GAP = 'GAP-SIGNING-KEY-REPEAT'
const NONE: Keys = { least: 0, added: new Set(), exchanges: [], at: 0 }

/**
 * A signing key is added to its route (operation rule 8). Only a binding says where an answer shows the keys, so they are
 * counted and not compared. That those which were there before an addition stay is what a binding may promise.
 */
export const addsRule: HistoryRule<Keys> = {
  name: 'adds',
  bound: 10_000,
  others: 'all',
  operations: () => LOOKED_AT,
  key: ({ operation, params }) => (LOOKED_AT.includes(operation?.id ?? '') ? params.gateway_route_id : undefined),
  init: () => NONE,
  step(state, view, oracle) {
    const followed = follow(state, view, oracle)
    return { state: followed.state, judgements: asPromised(followed.judgements, GAP, oracle) }
  },
  end: () => [],
}

function follow(state: Keys, view: ExchangeView, oracle: Oracle): { state: Keys; judgements: readonly Judgement[] } {
  const shown = countIn(view)
  const base = { ...about(view), operation: OPERATION, exchanges: [...state.exchanges, view.id] }
  if (view.operation?.id === OPERATION) {
    if (!view.accepted) return { state: leftAlone(view) ? state : NONE, judgements: [] }
    const key = at(jsonOf(view.request), '/key')
    const good = view.violations.length === 0 && view.intent?.kind !== 'observe' && typeof key === 'string'
    if (!good || state.added.has(key)) return { state: NONE, judgements: [] }
    const next = {
      least: state.least + 1,
      added: new Set(state.added).add(key),
      exchanges: [...state.exchanges, view.id],
      at: view.exchange._end,
    }
    // Whether its own answer shows the new key as well is open: it tells of the earlier ones.
    // Where none is shown at all, a read says whether they were added.
    const lost = shown !== undefined && shown > 0 && shown < state.least
    const kept = shown !== undefined && state.least > 0 && shown >= next.least
    if (lost && isSettled(view, state.at, oracle)) return { state: NONE, judgements: [gone(base, state.least, shown)] }
    const judgements: Judgement[] = kept ? [{ ...base, requirement: 'SIGNING-KEYS-KEPT', outcome: 'held' }] : []
    return { state: next, judgements }
  }
  if (view.operation?.id !== READER) return { state: leftAlone(view) ? state : changed(state, view), judgements: [] }
  if (shown === undefined || view.exchange._start < state.at) return { state, judgements: [] }
  const { patch, ...rest } = state
  const seen = { ...rest, least: shown, exchanges: [] }
  if (patch) return { state: { ...NONE, least: shown }, judgements: afterPatch(view, patch, shown, oracle) }
  if (state.exchanges.length === 0) return { state: seen, judgements: [] }
  const judgements: Judgement[] = []
  if (shown >= 1) judgements.push({ ...base, requirement: 'SIGNING-KEY-ADDS', outcome: 'held' })
  if (shown >= state.least && shown >= 2)
    judgements.push({ ...base, requirement: 'SIGNING-KEYS-KEPT', outcome: 'held' })
  if (shown >= state.least) return { state: seen, judgements }
  const requirement = shown === 0 ? 'SIGNING-KEY-ADDS' : 'SIGNING-KEYS-KEPT'
  if (!isSettled(view, state.at, oracle))
    return { state, judgements: [{ ...base, requirement, outcome: 'inconclusive' }] }
  judgements.push(
    shown > 0
      ? gone(base, state.least, shown)
      : {
          ...base,
          requirement,
          outcome: 'broken',
          message: 'a gateway route shows no signing key after one was added',
          expected: 'at least 1 signing key',
          actual: 'none',
        },
  )
  return { state: seen, judgements }
}

/** A patch changes what it sends, and no keys (operation rule 7); of all other changes nothing is known. */
function changed({ least, exchanges, patch }: Keys, view: ExchangeView): Keys {
  const body = jsonOf(view.request)
  const isPatch = view.operation?.id === PATCH && view.exchange.request.method === 'PATCH' && view.accepted
  const sendsKeys = typeof body !== 'object' || body === null || Object.keys(body).some((name) => /key/i.test(name))
  if (!isPatch || sendsKeys || view.violations.length > 0 || exchanges.length > 0 || least === 0) return NONE
  return { ...NONE, patch: { exchange: view.id, shown: patch?.shown ?? least, at: view.exchange._end } }
}

function afterPatch(
  view: ExchangeView,
  { exchange, shown: before, at: since }: NonNullable<Keys['patch']>,
  now: number,
  oracle: Oracle,
): Judgement[] {
  const base = { ...about(view), operation: PATCH, requirement: 'ROUTE-PATCH-PARTIAL', exchanges: [exchange, view.id] }
  const edge = 'signing keys'
  if (view.exchange._start < since) return []
  if (now >= before) return [{ ...base, edge, outcome: 'held' }]
  if (!isSettled(view, since, oracle)) return [{ ...base, edge, outcome: 'inconclusive' }]
  return [
    {
      ...base,
      edge,
      outcome: 'broken',
      message: 'a patch that sends no signing keys changes how many there are',
      expected: `at least ${before}`,
      actual: `${now}`,
    },
  ]
}

function gone(base: Omit<Judgement, 'requirement' | 'outcome'>, least: number, shown: number): Judgement {
  return {
    ...base,
    requirement: 'SIGNING-KEYS-KEPT',
    outcome: 'broken',
    message: 'a signing key that was added is not there any more once another one is added',
    expected: `at least ${least} signing keys`,
    actual: `${shown}`,
  }
}

/** How many signing keys an answer shows; undefined where the binding does not say where, or they are no list. */
function countIn(view: ExchangeView): number | undefined {
  const pointer = view.operation?.answer.signing_keys
  const keys = pointer === undefined || !view.accepted ? undefined : at(jsonOf(view.response), pointer)
  return Array.isArray(keys) ? keys.length : undefined
}
