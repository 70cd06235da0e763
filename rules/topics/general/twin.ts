import type { Judgement } from '../../core/judgement.ts'
import type { HistoryRule, Oracle } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { judgeAccept, judgeAuth, judgeRefuse, type ProbeVerdict } from './probes.ts'
import { judgeProvoked } from './provoked.ts'

/** A judgement that waits until the group shows an accepted twin after it. */
export interface Waiting {
  readonly judgement: Judgement
  /** true: an accepted twin is wanted before it too */
  readonly both: boolean
}

/** One twin group: requests with the same ids, state and credentials, of which some differ in one place. */
export interface Group {
  /** the newest accepted good request, or undefined */
  readonly accepted: string | undefined
  readonly waiting: readonly Waiting[]
}

/**
 * A refusal, an acceptance, a credential check and a stated error are judged only beside an accepted twin:
 * the same request with the good value, same ids, same state (reading of section 'Errors').
 */
export const twinRule: HistoryRule<Group> = {
  name: 'twin',
  intended: true,
  timeless: true,
  bound: 10_000,
  key: (view) => view.intent?.group,
  init: () => ({ accepted: undefined, waiting: [] }),
  step(state, view, oracle) {
    const judgements: Judgement[] = []
    let { accepted } = state
    let waiting = state.waiting
    for (const { judgement, twin } of verdictsOf(view, oracle)) {
      const paired = accepted === undefined ? judgement : withTwin(judgement, accepted)
      if (twin === 'none' || (twin === 'either' && accepted !== undefined)) judgements.push(paired)
      else waiting = [...waiting, { judgement: paired, both: twin === 'both' }]
    }
    if (isTwin(view)) {
      accepted = view.id
      for (const entry of waiting) {
        const before = entry.judgement.exchanges.length > 1
        judgements.push(
          entry.both && !before
            ? inconclusive(entry.judgement, 'no accepted twin')
            : withTwin(entry.judgement, view.id),
        )
      }
      waiting = []
    }
    return { state: { accepted, waiting }, judgements }
  },
  end: ({ waiting }) => waiting.map(({ judgement }) => inconclusive(judgement, 'no accepted twin')),
}

function verdictsOf(view: ExchangeView, oracle: Oracle): readonly ProbeVerdict[] {
  switch (view.intent?.kind) {
    case 'accept':
      return judgeAccept(view, oracle)
    case 'refuse':
      return judgeRefuse(view, oracle)
    case 'auth':
      return judgeAuth(view)
    case 'provoke':
      return judgeProvoked(view, oracle)
    default:
      return []
  }
}

/** The good request itself, with credentials that the operation names, carried out. */
function isTwin(view: ExchangeView): boolean {
  return view.intent?.kind === 'base' && view.accepted && view.violations.length === 0
}

function withTwin(judgement: Judgement, twin: string): Judgement {
  return judgement.exchanges.includes(twin) ? judgement : { ...judgement, exchanges: [twin, ...judgement.exchanges] }
}

function inconclusive(judgement: Judgement, message: string): Judgement {
  return {
    requirement: judgement.requirement,
    operation: judgement.operation,
    caseId: judgement.caseId,
    exchanges: judgement.exchanges,
    outcome: 'inconclusive',
    message,
  }
}
