import { at } from '../../../schemas/pointer.ts'
import {
  broken,
  type Claim,
  decide,
  type Fault,
  held,
  type Judgement,
  observed,
  unclear,
} from '../../core/judgement.ts'
import { about, claimOf, type ExchangeRule, type Oracle } from '../../core/rule.ts'
import { asksForOther, badByteInWords, EXPORTING, type ExchangeView, exportOf, jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { type GroupRule, ownLinesIn, since } from '../../known/groups.ts'
import { isMarked, orderOf, receivedLines } from '../../known/lines.ts'
import { holdsTexts, type Shown, selectionOf, shownIn, tokenIn } from '../../known/selection.ts'
import { judgeBody } from '../general/body.ts'
import { judgeDeclared } from '../general/success.ts'

/** Lines of one page of export v2, at most, and the two caps that a plan can have (section 'Limits'). */
const PAGE = 10_000
const CAPS = [10_000, 20_000]

/**
 * The form of an answer of the exports, and that its lines are some that were asked for (sections 'Export v1' and 'Export
 * v2'). Counts come from the digest.
 */
export const exportRule: ExchangeRule = {
  name: 'exports',
  operations: EXPORTING,
  judge(view, oracle) {
    if (!view.accepted || view.intent?.kind === 'observe') return []
    const all = shownIn(view)
    const lines =
      all && all.selection.token === undefined ? [...judgeFilters(view, all), ...judgeStreamed(view, all)] : []
    if (isOtherForm(view)) return lines
    const coding = view.exchange.response.content._notUtf8?.coding
    return [
      ...(coding === undefined ? [] : judgeDeclared(view)),
      ...(exportOf(view) === 2 ? judgePage(view, oracle) : judgeJsonl(view)),
      ...lines,
    ]
  },
}

/** Parameters of this interface's neighbours that ask for another form, or another order. */
const OTHERWISE = /format|output|accept|sort|order|direction/i

/** Whether its sender asked for another form, or may have, in words that the text does not have. */
function isOtherForm(view: ExchangeView): boolean {
  if (asksForOther(view)) return true
  if (view.exchange._case !== undefined || selectionOf(view).known) return false
  return view.exchange.request.queryString.some(({ name, value }) => value !== '' && OTHERWISE.test(name))
}

function judgePage(view: ExchangeView, oracle: Oracle): Judgement[] {
  // The body may hold the first lines only, so its schema cannot count them.
  const judged = judgeBody(view, 'export-page', 'EXPORT-PAGE-OBJECT', oracle).filter(
    ({ requirement }) => requirement !== 'EXPORT-V2-PAGE-MAX',
  )
  const digest = view.exchange._digest?.received
  if (!digest) return judged
  const claim = { ...about(view), requirement: 'EXPORT-V2-PAGE-MAX', exchanges: [view.id] }
  const token = at(jsonOf(view.response), view.operation?.answer.pagination_id ?? '/pagination_id')
  const actual = `${digest.count} lines`
  if (digest.count > PAGE) {
    const message = 'a page has more lines than one request returns'
    judged.push(broken(claim, { message, expected: `at most ${PAGE} lines`, actual }))
  } else if (digest.count === PAGE || typeof token === 'string' || typeof token === 'number') {
    judged.push(held({ ...claim, edge: actual }))
  }
  return [...judged, ...judgeOrder(view, 'EXPORT-V2-ORDER')]
}

function judgeJsonl(view: ExchangeView): Judgement[] {
  const digest = view.exchange._digest?.received
  if (selectionOf(view).email !== undefined) return view.exchange._case === undefined ? [judgeMailed(view)] : []
  if (!digest || digest.count === 0) return []
  const { count, unreadable, blank = 0 } = digest
  const claim = (requirement: string): Claim => ({ ...about(view), exchanges: [view.id], requirement })
  const { _notUtf8: bad } = view.exchange.response.content
  const unread = {
    message: 'the export is not JSONL',
    expected: 'one JSON value a line, each a line of the log',
    actual: `${unreadable} of ${count} lines of the body are none${bad ? `; ${badByteInWords(bad)}` : ''}`,
  }
  const judged = [decide(claim('EXPORT-V1-JSONL'), unreadable > 0 ? unread : undefined, undefined)]
  if (count > 1) {
    // A blank line is no JSON value. What reads JSONL mostly skips it, and the text does not say so.
    const message = 'blank lines stand between the lines of an export'
    const fault = { message, expected: 'one JSON value a line', actual: `${blank} blank lines` }
    judged.push(decide(claim('EXPORT-V1-BLANK-LINES'), blank > 0 ? fault : undefined, undefined))
  }
  const actual = `${count} lines`
  if (count > Math.max(...CAPS)) {
    const expected = `at most ${Math.max(...CAPS)} lines`
    judged.push(
      broken(claim('EXPORT-V1-CAP'), { message: 'an export has more lines than any plan grants', expected, actual }),
    )
  } else if (CAPS.includes(count)) {
    for (const requirement of ['EXPORT-V1-CAP', 'EXPORT-V1-CAP-VALUES'])
      judged.push(held({ ...claim(requirement), edge: actual }))
  }
  return [...judged, ...judgeOrder(view, 'EXPORT-V1-ORDER')]
}

/**
 * In traffic: with an e-mail address the answer confirms, and holds no lines. A run compares with an export that has
 * some.
 */
function judgeMailed(view: ExchangeView): Judgement {
  const { length } = (receivedLines(view) ?? []).filter(({ hash, time }) => hash !== '-' && time !== undefined)
  return decide({ ...about(view), requirement: 'EXPORT-V1-MAIL-NO-LINES', exchanges: [view.id] }, linesFault(length))
}

/** Times go up or go down within an answer; which of them is not shown. Lines of one time say nothing. */
function judgeOrder(view: ExchangeView, requirement: string): Judgement[] {
  const times = (receivedLines(view) ?? []).flatMap(({ time }) => time ?? [])
  const verdict = view.exchange._digest?.received?.folded?.times ?? orderOf(times)
  if (verdict === 'none') return []
  const claim = { ...about(view), requirement, exchanges: [view.id] }
  if (verdict !== 'mixed') return [held({ ...claim, edge: verdict })]
  return [
    broken(claim, {
      message: 'the lines are not in the order of their times',
      expected: 'times that only rise, or only fall',
      actual: `times that rise and fall: ${shown(times)}`,
    }),
  ]
}

/** Without an e-mail address the body is the lines themselves (section 'Export v1'). */
function judgeStreamed(view: ExchangeView, { lines, marked }: Shown): Judgement[] {
  const digest = view.exchange._digest?.received
  if (exportOf(view) !== 1 || !digest || lines.length === 0 || digest.unreadable > 0) return []
  const fault = {
    message: 'the response does not hold lines',
    expected: 'the lines themselves, as no e-mail address was given',
    actual: 'a body in which no line has a text',
  }
  const claim = { ...about(view), requirement: 'EXPORT-V1-STREAMED', exchanges: [view.id] }
  if (marked.size > 0) return [held(claim)]
  return holdsTexts(view) ? [] : [broken(claim, fault)]
}

/** Lines, in a run its own, that come out although the filters leave them out. */
function judgeFilters(view: ExchangeView, { lines, selection }: Shown): Judgement[] {
  const { hosts, apps, levels } = selection
  if (!hosts && !apps && !levels) return []
  const traffic = view.exchange._case === undefined
  const known = lines.filter((line) => line.sender && (traffic || isMarked(line)))
  if (known.length === 0 || (traffic && ![hosts, apps, levels].every(isPlain))) return []
  const wrong = known.find(
    ({ sender }) =>
      sender !== undefined &&
      (isOutside(sender.host, hosts, traffic) ||
        isOutside(sender.app, apps, traffic) ||
        isOutside(sender.level.toLowerCase(), levels, traffic)),
  )
  const requirement = exportOf(view) === 1 ? 'EXPORT-V1-FILTERS' : 'EXPORT-V2-FILTERS'
  const edge = [hosts && 'hosts', apps && 'apps', levels && 'levels'].filter(Boolean).join(', ')
  const message = 'a line comes out that the filters leave out'
  const fault = wrong && { message, expected: `only lines that ${edge} select`, actual: shown(wrong.sender) }
  return [decide({ ...about(view), requirement, exchanges: [view.id], edge }, fault, undefined)]
}

type Filter = ReadonlySet<string> | undefined

/** Whether a filter names what it selects: patterns are their target's own. */
function isPlain(filter: Filter): boolean {
  return [...(filter ?? [])].every((name) => /^[\p{L}\p{N}_.-]+$/u.test(name))
}

/** `loosely`: names that a run did not make up may be compared in more ways than by being equal. */
function isOutside(value: string, filter: Filter, loosely: boolean): boolean {
  if (!filter || value === '' || filter.has(value)) return false
  const lower = value.toLowerCase()
  return !loosely || ![...filter].some((name) => lower.includes(name.toLowerCase()))
}

const ORDER = '1,2,1'

/**
 * EXPORT-V2-LIKE-V1: a small export v2 behaves like one of v1 (section 'Export v2'): it holds the same lines. The exports
 * of a group are v1, v2, v1. If the two of v1 differ, nothing is judged.
 */
export const likeV1Rule: GroupRule = {
  sees: ({ intent, operation }) => intent?.probe === 'like-v1' && exportOf({ operation }) !== undefined,
  judge(view, before) {
    // One that was put off is asked again.
    const three = [...before, view].filter(({ conclusive }) => conclusive).slice(-3)
    const [first, other, last] = three.map(linesIn)
    if (!first || !other || !last || three.map(exportOf).join() !== ORDER) return []
    const claim = claimOf('EXPORT-V2-LIKE-V1', three, { operation: three[1]?.operation?.id ?? '' })
    if (first.size === 0) return [unclear(claim, 'not judged: the export v1 holds no lines of the run')]
    if (!same(first, last)) return [unclear(claim, 'not judged: the two exports v1 differ')]
    if (same(first, other)) return [held(claim)]
    return [
      broken(claim, {
        message: 'a small export v2 does not hold the lines that an export v1 of the same holds',
        expected: `${first.size} lines, as in export v1 before and after it`,
        actual: `${[...first].filter((line) => other.has(line)).length} of them, in ${other.size} lines`,
      }),
    ]
  },
}

/** The run's own lines in a whole answer; undefined: not all of them are there, or nobody knows. */
function linesIn(view: ExchangeView): ReadonlySet<string> | undefined {
  const whole = exportOf(view) === 1 || tokenIn(view) === null
  const lines = whole ? ownLinesIn(view) : undefined
  return lines && new Set(lines.map(({ id, hash }) => `${id} ${hash}`))
}

function same(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((line) => other.has(line))
}

/** One export may be refused for another that is under way: so many refusals, and then another that is mailed, are no such thing. */
const ENOUGH = 2

/** The text does not say which addresses are mailed to. */
const GAP = 'GAP-EXPORT-MAIL-ADDRESS'
const CONFIRMS = 'EXPORT-V1-MAIL-CONFIRMS'

/**
 * EXPORT-V1-MAIL-NO-LINES, EXPORT-V1-MAIL-CONFIRMS: with an e-mail address export v1 does not return the lines, and only
 * confirms (section 'Export v1'). Judged beside the same request without the address, which returned lines. The
 * addresses that a target takes are open. So an unconfirmed export counts only where others were mailed to the same
 * address before and after it. A server error that stays says enough by itself.
 */
export const mailsRule: GroupRule = {
  sees: (view) => exportOf(view) === 1,
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
      const lines = linesOfMail(view, before)
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
function linesOfMail(view: ExchangeView, before: readonly ExchangeView[]): number {
  const marked = (receivedLines(view) ?? []).filter(isMarked).length
  if (marked > 0) return marked
  const control = controlOf(view, before)
  const text = view.exchange.response.content.text ?? ''
  return (control ? (receivedLines(control) ?? []) : []).filter((line) => isMarked(line) && text.includes(line.id))
    .length
}

function linesFault(lines: number): Fault | undefined {
  const message = 'an export with an e-mail address returns the lines'
  return lines === 0 ? undefined : { message, expected: 'no lines', actual: `${lines} lines` }
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
  return (
    one.accepted && isSameAddress(one, other) && controlOf(one, before) !== undefined && linesOfMail(one, before) === 0
  )
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
