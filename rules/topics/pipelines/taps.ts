import { at } from '../../../schemas/pointer.ts'
import { operationsWhere } from '../../../schemas/service.ts'
import type { ProbeName } from '../../../schemas/types/intents.ts'
import { broken, decide, held, type Judgement } from '../../core/judgement.ts'
import { claimOf, type ExchangeRule } from '../../core/rule.ts'
import { type ExchangeView, isTurnedDown, jsonOf, toldAs } from '../../core/view.ts'
import type { GroupRule } from '../../known/groups.ts'

/** What a response may take beyond the timeout: as long again, and at most this. */
const MOST_GRACE_SECONDS = 10
/** What the way there and back may take. */
const WAY_SECONDS = 2

/** A tap returns at most `limit` events and gives up after `timeout` seconds (operation rule 4). */
export const tapRule: ExchangeRule = {
  name: 'tap',
  operations: operationsWhere(({ resource }) => resource === 'tap'),
  judge(view) {
    if (!view.accepted || view.violations.length > 0) return []
    const request = jsonOf(view.request)
    const events = tappedEvents(view)
    const limit = at(request, '/limit')
    const timeout = at(request, '/timeout')
    const judged: Judgement[] = []
    if (at(request, '/edge_id') === undefined) judged.push(held(claimOf('TAP-EDGE-OPTIONAL', [view])))
    if (events && typeof limit === 'number') judged.push(judgeLimit(view, events.length, limit))
    if (typeof timeout === 'number') judged.push(...judgeTimeout(view, timeout, events?.length, limit))
    return judged
  },
}

/** The events in a tap's answer; undefined where the binding does not say where they are. */
function tappedEvents(view: ExchangeView): readonly unknown[] | undefined {
  const events = toldAs(view, 'events')
  return Array.isArray(events) ? events : undefined
}

function judgeLimit(view: ExchangeView, count: number, limit: number): Judgement {
  const claim = claimOf('TAP-LIMIT', [view], { edge: `limit ${limit}` })
  const message = 'a tap returns more events than were asked for'
  const fault = { message, expected: `at most ${limit} events`, actual: `${count} events` }
  return decide(claim, count <= limit ? undefined : fault)
}

/** Only a tap that did not find all its events shows that it gives up. */
function judgeTimeout(view: ExchangeView, timeout: number, count: number | undefined, limit: unknown): Judgement[] {
  const claim = claimOf('TAP-TIMEOUT', [view], { edge: `timeout ${timeout}` })
  // While our process stood still, an answer may have waited for it.
  const seconds = (view.exchange.time - (view.exchange._stalled ?? 0)) / 1000
  const grace = Math.min(timeout, MOST_GRACE_SECONDS) + WAY_SECONDS
  if (seconds > timeout + grace) {
    return [
      broken(claim, {
        message: 'a tap does not give up',
        expected: `a response within ${timeout} seconds, and ${grace} of grace`,
        actual: `a response after ${seconds.toFixed(1)} seconds`,
      }),
    ]
  }
  return count !== undefined && typeof limit === 'number' && count < limit ? [held(claim)] : []
}

/** Statuses that speak of the caller or the moment. */
const BESIDE_THE_POINT = new Set([401, 403, 429])

/** probe of the intent -> requirement, and what the selection is */
const SELECTIONS: ReadonlyMap<ProbeName | undefined, { readonly requirement: string; readonly what: string }> = new Map(
  [
    ['tap-filter-none', { requirement: 'TAP-FILTER', what: 'a filter that no event matches' }],
    ['tap-edge-idle', { requirement: 'TAP-EDGE', what: 'an edge that no event passes' }],
    ['tap-component-unknown', { requirement: 'TAP-COMPONENT-EVENTS', what: 'a component that is not there' }],
  ],
)

/**
 * TAP-FILTER, TAP-EDGE, TAP-COMPONENT-EVENTS: a filter, an edge and the component restrict what a tap returns
 * (operation rule 4). If the same tap without them, or of another component, returns events, one whose selection
 * nothing fits returns none.
 */
export const tapSelectionRule: GroupRule = {
  sees: ({ operation, intent }) =>
    operation?.type === 'tap' && (intent?.kind === 'base' || SELECTIONS.has(intent?.probe)),
  judge(view, before) {
    const selection = SELECTIONS.get(view.intent?.probe)
    const events = eventsIn(view)
    const open = before.findLast((one) => one.intent?.kind === 'base' && (eventsIn(one)?.length ?? 0) > 0)
    if (view.intent?.kind === 'base' || !selection || !events || !open) return []
    const { requirement, what } = selection
    const claim = claimOf(requirement, [open, view], { edge: what })
    if (events.length === 0) return [held(claim)]
    const message = `a tap ${requirement === 'TAP-COMPONENT-EVENTS' ? 'of' : 'with'} ${what} returns events`
    return [broken(claim, { message, expected: 'no events', actual: `${events.length} events` })]
  },
}

function eventsIn(view: ExchangeView): readonly unknown[] | undefined {
  const refused =
    view.intent?.probe === 'tap-component-unknown' && isTurnedDown(view) && !BESIDE_THE_POINT.has(view.status)
  return view.accepted ? tappedEvents(view) : refused ? [] : undefined
}
