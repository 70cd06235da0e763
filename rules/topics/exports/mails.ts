import type { Judgement } from '../../core/judgement.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { isMarked, receivedLines } from '../../known/lines.ts'
import { selectionOf } from '../../known/selection.ts'

interface Mailed {
  /** an export without an address that returned lines, by everything else that was asked for: which one, and their marks */
  readonly twins: ReadonlyMap<string, { readonly exchange: string; readonly marks: readonly string[] }>
  /** address -> an export that was mailed to it */
  readonly taken: ReadonlyMap<string, string>
  /** what was asked for -> refusals of it to an address that is taken */
  readonly refused: ReadonlyMap<string, Refusal>
}

interface Refusal {
  readonly email: string
  readonly judged: Omit<Judgement, 'outcome'>
  readonly count: number
}

/** One export may be refused for another that is under way: so many refusals, and then another that is mailed, are no such thing. */
const ENOUGH = 2

/** The text does not say which addresses are mailed to. */
const GAP = 'GAP-EXPORT-MAIL-ADDRESS'
const CONFIRMS = 'EXPORT-V1-MAIL-CONFIRMS'

/**
 * With an e-mail address export v1 does not return the lines, and only confirms (section 'Export v1'). Judged beside the
 * same request without the address, which returned lines. Which addresses a target takes is open: that an export is not
 * confirmed counts only where others were mailed to the same address before and after it. A server error that stays says
 * enough by itself.
 */
export const mailsRule: HistoryRule<Mailed> = {
  name: 'mails',
  intended: true,
  bound: 1_000,
  key: (view) => (view.operation?.id === 'export-v1' ? view.intent?.group : undefined),
  init: () => ({ twins: new Map(), taken: new Map(), refused: new Map() }),
  step(state, view) {
    const { email } = selectionOf(view)
    const marks = (receivedLines(view) ?? []).filter(isMarked).map(({ id }) => id)
    const asked = askedBeside(view)
    if (email === undefined) {
      if (!view.accepted || marks.length === 0) return { state, judgements: [] }
      return {
        state: { ...state, twins: new Map(state.twins).set(asked, { exchange: view.id, marks }) },
        judgements: [],
      }
    }
    const known = state.twins.get(asked)
    if (known === undefined) return { state, judgements: [] }
    const twin = known.exchange
    const base = { ...about(view), exchanges: [twin, view.id] }
    const judgements: Judgement[] = []
    if (view.conclusive) {
      const actual = `export-v1 to an address at ${email.split('@').at(-1)}: status ${view.status}`
      judgements.push({ ...base, requirement: GAP, outcome: 'observed', actual })
    }
    if (view.accepted) {
      // A confirmation may hold them in whatever form.
      const text = view.exchange.response.content.text ?? ''
      const marked = marks.length > 0 ? marks.length : known.marks.filter((mark) => text.includes(mark)).length
      judgements.push(judgeLines(marked, base))
      if (marked > 0) return { state, judgements }
      judgements.push({ ...base, requirement: CONFIRMS, outcome: 'held' })
      const refused = new Map(state.refused)
      refused.delete(asked)
      for (const [other, { judged, count, email: address }] of refused) {
        if (count < ENOUGH || address !== email) continue
        judgements.push({ ...judged, outcome: 'broken' })
        refused.delete(other)
      }
      return { state: { ...state, refused, taken: new Map(state.taken).set(email, view.id) }, judgements }
    }
    const taken = state.taken.get(email)
    if (taken === undefined || !view.conclusive) return { state, judgements }
    const judged: Refusal['judged'] = {
      ...base,
      exchanges: [twin, taken, view.id],
      requirement: CONFIRMS,
      message: 'an export is not confirmed, though another one was mailed to the same address',
      expected: 'a confirmation that the result will be mailed',
      actual: `status ${view.status}`,
    }
    if (view.status >= 500) return { state, judgements: [...judgements, { ...judged, outcome: 'broken' }] }
    if (![400, 422].includes(view.status)) return { state, judgements }
    const count = (state.refused.get(asked)?.count ?? 0) + 1
    return { state: { ...state, refused: new Map(state.refused).set(asked, { email, judged, count }) }, judgements }
  },
  end: () => [],
}

/** Everything that was asked for but the address. */
function askedBeside({ exchange, operation }: ExchangeView): string {
  const address = operation?.parameters.email
  return exchange.request.queryString
    .filter(({ name }) => name !== address)
    .map(({ name, value }) => `${name}=${value}`)
    .sort()
    .join('&')
}

function judgeLines(marked: number, base: Omit<Judgement, 'requirement' | 'outcome'>): Judgement {
  const judged = { ...base, requirement: 'EXPORT-V1-MAIL-NO-LINES' }
  if (marked === 0) return { ...judged, outcome: 'held' }
  return {
    ...judged,
    outcome: 'broken',
    message: 'an export with an e-mail address returns the lines all the same',
    expected: 'no lines',
    actual: `${marked} lines`,
  }
}
