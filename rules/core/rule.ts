import type { Binding } from '../../schemas/binding.ts'
import type { Requirement } from '../../schemas/ledger.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import type { Validator } from '../../schemas/validator.ts'
import type { Claim, Judgement } from './judgement.ts'
import type { ExchangeView } from './view.ts'

/** What rules may look at besides exchanges. */
export interface Oracle {
  readonly binding: Binding
  readonly validator: Validator
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly ledger: ReadonlyMap<string, Requirement>
  /** milliseconds within which a read may still be old */
  readonly settleMs: number
}

/** Judges one exchange by itself. Pure. */
export interface ExchangeRule {
  readonly name: string
  /** 'specified': those that the specification gives a path for; 'intent': of any, where a run says what it is about */
  readonly operations: readonly string[] | 'specified' | 'intent'
  judge(view: ExchangeView, oracle: Oracle): Judgement[]
}

/**
 * Judges one exchange beside what is known from earlier ones. Stateless: `known` is a part of the store (`rules/known`),
 * which learns from the exchange after all rules about it have judged.
 */
export interface Rule<Known> {
  /** the operations whose exchanges it judges; left out: all that the part of the store looks at */
  operations?(binding: Binding): readonly (string | undefined)[]
  judge(view: ExchangeView, known: Known, oracle: Oracle): readonly Judgement[]
}

/**
 * Follows a history. A reducer: the state of a key goes in, the next state and the present judgements come out.
 * `bound`: keys kept at most; the oldest is given up with `end` when there are more.
 */
export interface HistoryRule<State> {
  readonly name: string
  readonly bound: number
  /**
   * Of traffic, where requests overlap. Left out: all that share a key are about one thing. thing: they are about
   * several, which the names in their paths tell apart. Each state belongs to one history, and a step may change it in
   * place. own: the rule looks at the times itself.
   */
  readonly overlap?: 'thing' | 'own'
  /** requirements, or all, of which a break can be the work of somebody whose requests are not in the recording */
  readonly others?: 'all' | readonly string[]
  /** there is one of what it is about in an account: that three of its things were wrong is no proof, being the same one */
  readonly single?: true
  /** of traffic: one client's requests say something about another's, so that they share their knowledge */
  readonly together?: true
  /** it looks only at requests of which a run says what they are about */
  readonly intended?: true
  /** what it says rests on a whole run: the cases of a run, which else are apart, share its states */
  readonly acrossCases?: true
  /** it depends on nothing that is stored: a request that is carried out late changes nothing about it */
  readonly timeless?: true
  /** the only operations that it is shown; left out: all */
  operations?(binding: Binding): readonly (string | undefined)[]
  /** names the history that an exchange belongs to; undefined: the rule does not look at it */
  key(view: ExchangeView, oracle: Oracle): string | undefined
  init(): State
  /** of `thing` rules: nothing is known, so that there is nothing to forget after a change whose outcome nobody knows */
  knowsNothing?(state: State): boolean
  step(
    state: State,
    view: ExchangeView,
    oracle: Oracle,
  ): { readonly state: State; readonly judgements: readonly Judgement[] }
  /** the judgements that remain when nothing more comes */
  end(state: State, oracle: Oracle): readonly Judgement[]
}

/** The part of every judgement that the exchange itself gives. */
export function about(view: ExchangeView): Pick<Judgement, 'operation' | 'caseId'> {
  return { operation: view.operation?.id ?? view.exchange._operation ?? '', caseId: view.exchange._case ?? '' }
}

/** What is judged of one exchange or of several: the deciding one stands last, and gives the operation and the case. */
export function claimOf(
  requirement: string,
  views: readonly ExchangeView[],
  more: Partial<Omit<Claim, 'requirement' | 'caseId'>> = {},
): Claim {
  const last = views.at(-1)
  if (!last) throw new RangeError('no request was judged')
  return { ...about(last), requirement, exchanges: views.map(({ id }) => id), ...more }
}
