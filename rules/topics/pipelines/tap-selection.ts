import { probes } from '../../../schemas/intents.ts'
import { broken, held } from '../../core/judgement.ts'
import { type ExchangeView, leftAlone } from '../../core/view.ts'
import { claimOf, type GroupRule } from '../../known/groups.ts'
import { tappedEvents } from './taps.ts'

/** Statuses that speak of the caller or the moment. */
const BESIDE_THE_POINT = new Set([401, 403, 429])

/** probe of the intent -> requirement, and what the selection is */
const SELECTIONS: Readonly<Record<string, { readonly requirement: string; readonly what: string }>> = {
  [probes.tapFilterNone]: { requirement: 'TAP-FILTER', what: 'a filter that no event matches' },
  [probes.tapEdgeIdle]: { requirement: 'TAP-EDGE', what: 'an edge that no event passes' },
  [probes.tapComponentUnknown]: { requirement: 'TAP-COMPONENT-EVENTS', what: 'a component that is not there' },
}

/**
 * TAP-FILTER, TAP-EDGE, TAP-COMPONENT-EVENTS: a filter and an edge restrict what a tap returns, and so does its component
 * (operation rule 4): where the same tap without them, or of another component, returns events, one whose selection nothing
 * fits returns none.
 */
export const tapSelectionRule: GroupRule = {
  name: 'tap returns what is selected',
  sees: ({ operation, intent }) =>
    operation?.id === 'start-tap' && (intent?.kind === 'base' || SELECTIONS[intent?.probe ?? ''] !== undefined),
  judge(view, before) {
    const selection = SELECTIONS[view.intent?.probe ?? '']
    const events = eventsIn(view)
    const open = before.findLast((one) => one.intent?.kind === 'base' && (eventsIn(one)?.length ?? 0) > 0)
    if (view.intent?.kind === 'base' || !selection || !events || !open) return []
    const { requirement, what } = selection
    const claim = claimOf(requirement, [open, view], { edge: what })
    if (events.length === 0) return [held(claim)]
    return [
      broken(claim, {
        message: `a tap ${requirement === 'TAP-COMPONENT-EVENTS' ? 'of' : 'with'} ${what} returns events`,
        expected: 'no events',
        actual: `${events.length} events`,
      }),
    ]
  },
}

function eventsIn(view: ExchangeView): readonly unknown[] | undefined {
  const refused =
    view.intent?.probe === probes.tapComponentUnknown && leftAlone(view) && !BESIDE_THE_POINT.has(view.status)
  return view.accepted ? tappedEvents(view) : refused ? [] : undefined
}
