import { probes } from '../../../schemas/intents.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { leftAlone } from '../../core/view.ts'
import { tappedEvents } from './taps.ts'

interface Taps {
  /** a tap of this group without the selection that returned events */
  readonly open: string | undefined
}

/** Statuses that speak of the caller or the moment. */
const BESIDE_THE_POINT = new Set([401, 403, 429])

/** probe of the intent -> requirement, and what the selection is */
const SELECTIONS: Readonly<Record<string, { readonly requirement: string; readonly what: string }>> = {
  [probes.tapFilterNone]: { requirement: 'TAP-FILTER', what: 'a filter that no event matches' },
  [probes.tapEdgeIdle]: { requirement: 'TAP-EDGE', what: 'an edge that no event passes' },
  [probes.tapComponentUnknown]: { requirement: 'TAP-COMPONENT-EVENTS', what: 'a component that is not there' },
}

/**
 * A filter and an edge restrict what a tap returns, and so does its component (operation rule 4): where the same tap
 * without them, or of another component, returns events, one whose selection nothing fits returns none.
 */
export const tapSelectionRule: HistoryRule<Taps> = {
  name: 'tap selection',
  intended: true,
  bound: 10_000,
  key: (view) => (view.operation?.id === 'start-tap' ? view.intent?.group : undefined),
  init: () => ({ open: undefined }),
  step(state, view) {
    const refused =
      view.intent?.probe === probes.tapComponentUnknown && leftAlone(view) && !BESIDE_THE_POINT.has(view.status)
    const events = view.accepted ? tappedEvents(view) : refused ? [] : undefined
    if (!events) return { state, judgements: [] }
    if (view.intent?.kind === 'base')
      return { state: { open: events.length > 0 ? view.id : state.open }, judgements: [] }
    const selection = SELECTIONS[view.intent?.probe ?? '']
    if (!selection || state.open === undefined) return { state, judgements: [] }
    const base = {
      ...about(view),
      requirement: selection.requirement,
      edge: selection.what,
      exchanges: [state.open, view.id],
    }
    if (events.length === 0) return { state, judgements: [{ ...base, outcome: 'held' }] }
    return {
      state,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          message: `a tap ${selection.requirement === 'TAP-COMPONENT-EVENTS' ? 'of' : 'with'} ${selection.what} returns events`,
          expected: 'no events',
          actual: `${events.length} events`,
        },
      ],
    }
  },
  end: () => [],
}
