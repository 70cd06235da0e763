import { broken, decide, type Fault, held, type Judgement, observed } from '../../core/judgement.ts'
import type { ExchangeView } from '../../core/view.ts'
import { claimOf, type GroupRule, since } from '../../known/groups.ts'
import { isMarked, receivedLines } from '../../known/lines.ts'
import { selectionOf } from '../../known/selection.ts'

/** One export may be refused for another that is under way: so many refusals, and then another that is mailed, are no such thing. */
const ENOUGH = 2

/** The text does not say which addresses are mailed to. */
const GAP = 'GAP-EXPORT-MAIL-ADDRESS'
const CONFIRMS = 'EXPORT-V1-MAIL-CONFIRMS'

/**
 * EXPORT-V1-MAIL-NO-LINES, EXPORT-V1-MAIL-CONFIRMS: with an e-mail address export v1 does not return the lines, and only
 * confirms (section 'Export v1'). Judged beside the same request without the address, which returned lines. Which addresses
 * a target takes is open: that an export is not confirmed counts only where others were mailed to the same address before
 * and after it. A server error that stays says enough by itself.
 */
export const mailsRule: GroupRule = {
  name: 'mailed export is only confirmed',
  sees: ({ operation }) => operation?.id === 'export-v1',
  judge(view, before) {
    const { email } = selectionOf(view)
    const control = email === undefined ? undefined : controlOf(view, before)
    if (email === undefined || !control) return []
    const judgements: Judgement[] = []
    if (view.conclusive) {
      const what = `export-v1 to an address at ${email.split('@').at(-1)}: status ${view.status}`
      judgements.push(observed(claimOf(GAP, [control, view]), what))
    }
    if (view.accepted) {
      const lines = linesIn(view, before)
      judgements.push(decide(claimOf('EXPORT-V1-MAIL-NO-LINES', [control, view]), linesFault(lines)))
      if (lines > 0) return judgements
      return [...judgements, held(claimOf(CONFIRMS, [control, view])), ...refusedBetween(view, before)]
    }
    if (view.conclusive && view.status >= 500) judgements.push(...notConfirmed(view, before))
    return judgements
  },
}

/** The same export without an address, which returned lines. */
function controlOf(view: ExchangeView, before: readonly ExchangeView[]): ExchangeView | undefined {
  const asked = askedBeside(view)
  return before.findLast(
    (one) =>
      one.accepted &&
      selectionOf(one).email === undefined &&
      askedBeside(one) === asked &&
      (receivedLines(one) ?? []).some(isMarked),
  )
}

/** Lines of the run in the answer to an export that is mailed. A confirmation may hold them in whatever form. */
function linesIn(view: ExchangeView, before: readonly ExchangeView[]): number {
  const marked = (receivedLines(view) ?? []).filter(isMarked).length
  if (marked > 0) return marked
  const control = controlOf(view, before)
  const text = view.exchange.response.content.text ?? ''
  return (control ? (receivedLines(control) ?? []) : []).filter((line) => isMarked(line) && text.includes(line.id))
    .length
}

function linesFault(lines: number): Fault | undefined {
  if (lines === 0) return undefined
  return {
    message: 'an export with an e-mail address returns the lines',
    expected: 'no lines',
    actual: `${lines} lines`,
  }
}

/** Exports that were refused again and again, before this one and after another one was mailed to the same address. */
function refusedBetween(view: ExchangeView, before: readonly ExchangeView[]): Judgement[] {
  const others = new Set(before.map(askedBeside))
  others.delete(askedBeside(view))
  return [...others].flatMap((asked) => {
    const own = before.filter((one) => askedBeside(one) === asked)
    const refused = since(own, (one) => isMailed(one, view, before)).filter(
      (one) => isSameAddress(one, view) && one.conclusive && (one.status === 400 || one.status === 422),
    )
    const blamed = refused.flatMap((one) => notConfirmed(one, before.slice(0, before.indexOf(one))))
    return blamed.length >= ENOUGH ? blamed.slice(-1) : []
  })
}

function isSameAddress(one: ExchangeView, other: ExchangeView): boolean {
  return selectionOf(one).email === selectionOf(other).email
}

/** Whether an export was mailed to the address of another. */
function isMailed(one: ExchangeView, other: ExchangeView, before: readonly ExchangeView[]): boolean {
  return one.accepted && isSameAddress(one, other) && controlOf(one, before) !== undefined && linesIn(one, before) === 0
}

/** That an export was refused, where another one was mailed to the same address before it. */
function notConfirmed(view: ExchangeView, before: readonly ExchangeView[]): Judgement[] {
  const control = controlOf(view, before)
  const taken = before.findLast((one) => isMailed(one, view, before))
  if (!control || !taken) return []
  return [
    broken(claimOf(CONFIRMS, [control, taken, view]), {
      message: 'an export is not confirmed, although another one was mailed to the same address',
      expected: 'a confirmation that the result will be mailed',
      actual: `status ${view.status}`,
    }),
  ]
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
