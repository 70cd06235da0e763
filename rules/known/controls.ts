import { type Judgement, unclear } from '../core/judgement.ts'
import type { HistoryRule, Oracle } from '../core/rule.ts'
import type { ExchangeView } from '../core/view.ts'

/** What a request says about a requirement where its control was accepted: the same request with the good value. */
export interface Verdict {
  readonly judgement: Judgement
  /** either: an accepted control before or after it is enough; both: before and after it; none: it stands by itself */
  readonly control: 'either' | 'both' | 'none'
}

/** Each judgement as a verdict. */
export function verdicts(control: Verdict['control'], ...judgements: readonly Judgement[]): Verdict[] {
  return judgements.map((judgement) => ({ judgement, control }))
}

/** Requests with the same ids, state and credentials, of which some differ in one place. */
export interface Controlled {
  /** the newest control that was accepted */
  readonly accepted: string | undefined
  /** what waits for one after it */
  readonly waiting: readonly Verdict[]
}

const NONE: readonly never[] = []

export const NO_CONTROL: Controlled = { accepted: undefined, waiting: NONE }

/** The judgements once a request was seen. `control`: its id, where it is an accepted control itself. */
export function besideControl(
  state: Controlled,
  said: readonly Verdict[],
  control: string | undefined,
): { readonly state: Controlled; readonly judgements: readonly Judgement[] } {
  const { accepted, waiting } = state
  // Most requests say nothing, and none waits.
  if (said.length === 0 && waiting.length === 0) {
    return { state: control === undefined ? state : { accepted: control, waiting }, judgements: NONE }
  }
  const judgements: Judgement[] = []
  const later = [...waiting]
  for (const verdict of said) {
    const judgement = accepted === undefined ? verdict.judgement : withControl(verdict.judgement, accepted)
    const isSure = verdict.control === 'none' || (verdict.control === 'either' && accepted !== undefined)
    if (isSure) judgements.push(judgement)
    else later.push({ ...verdict, judgement })
  }
  if (control === undefined) return { state: { accepted, waiting: later }, judgements }
  for (const verdict of later) {
    const wantsOneBefore = verdict.control === 'both' && verdict.judgement.exchanges.length === 1
    judgements.push(wantsOneBefore ? alone(verdict) : withControl(verdict.judgement, control))
  }
  return { state: { accepted: control, waiting: [] }, judgements }
}

/**
 * A refusal, an acceptance, a credential check and a stated error are judged only beside an accepted control. That is
 * the same request with the good value, same ids, same state (reading of section 'Errors'). It keeps a state of its
 * own. A request waits for a control that comes after it, and is unclear if none does.
 */
export function controlsWith(
  verdictsOf: (view: ExchangeView, oracle: Oracle) => readonly Verdict[],
): HistoryRule<Controlled> {
  return {
    name: 'controls',
    intended: true,
    timeless: true,
    bound: 10_000,
    key: ({ intent }) => intent?.group,
    init: () => NO_CONTROL,
    step: (state, view, oracle) =>
      besideControl(state, verdictsOf(view, oracle), isControl(view) ? view.id : undefined),
    end: ({ waiting }) => waiting.map(alone),
  }
}

/** The good request itself, with credentials that the operation names, carried out. */
function isControl(view: ExchangeView): boolean {
  return view.intent?.kind === 'base' && view.accepted && view.violations.length === 0
}

function withControl(judgement: Judgement, control: string): Judgement {
  return judgement.exchanges.includes(control)
    ? judgement
    : { ...judgement, exchanges: [control, ...judgement.exchanges] }
}

function alone({ judgement }: Verdict): Judgement {
  return unclear(judgement, 'not judged: no control was accepted beside it')
}
