import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type ExchangeRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { asksForOther, type ExchangeView, jsonOf } from '../../core/view.ts'
import { orderOf, receivedLines } from '../../known/lines.ts'
import { selectionOf } from '../../known/selection.ts'
import { judgeBody } from '../general/body.ts'

/** lines of one page of export v2, at most, and the two caps that a plan can have (section 'Limits') */
const PAGE = 10_000
const CAPS = [10_000, 20_000]

/** The form of an answer of the exports (sections 'Export v1' and 'Export v2'). Counts come from the digest. */
export const exportRule: ExchangeRule = {
  name: 'exports',
  operations: ['export-v1', 'export-v2'],
  judge(view, oracle) {
    if (!view.accepted || view.intent?.kind === 'observe' || isOtherForm(view)) return []
    if (view.operation?.id === 'export-v2') return judgePage(view, oracle)
    if (view.operation?.id === 'export-v1') return judgeJsonl(view)
    return []
  },
}

/** Parameters of this interface's neighbours that ask for another form, or another order. */
const OTHERWISE = /format|output|accept|sort|order|direction/i

/** Whether whoever sent it asked for another form, or may have, in words that the text does not have. */
function isOtherForm(view: ExchangeView): boolean {
  if (asksForOther(view)) return true
  if (view.exchange._case !== undefined || selectionOf(view).known) return false
  return view.exchange.request.queryString.some(({ name, value }) => value !== '' && OTHERWISE.test(name))
}

function judgePage(view: ExchangeView, oracle: Oracle): Judgement[] {
  // The body may hold the first lines only, so its schema cannot count them.
  const body = judgeBody(view, 'export-page', 'EXPORT-PAGE-OBJECT', oracle)
  const judged = body.filter(({ requirement }) => requirement !== 'EXPORT-V2-PAGE-MAX')
  const digest = view.exchange._digest?.received
  if (!digest) return judged
  const base = { ...about(view), exchanges: [view.id] }
  const token = at(jsonOf(view.response), view.operation?.answer.pagination_id ?? '/pagination_id')
  const { count } = digest
  if (count > PAGE) {
    judged.push({
      ...base,
      requirement: 'EXPORT-V2-PAGE-MAX',
      outcome: 'broken',
      message: 'a page has more lines than one request returns',
      expected: `at most ${PAGE} lines`,
      actual: `${count} lines`,
    })
  } else if (count === PAGE || typeof token === 'string' || typeof token === 'number') {
    judged.push({ ...base, requirement: 'EXPORT-V2-PAGE-MAX', outcome: 'held', edge: `${count} lines` })
  }
  return [...judged, ...judgeOrder(view, 'EXPORT-V2-ORDER')]
}

function judgeJsonl(view: ExchangeView): Judgement[] {
  const digest = view.exchange._digest?.received
  const { email } = selectionOf(view)
  const base = { ...about(view), exchanges: [view.id] }
  if (email !== undefined) return view.exchange._case === undefined ? judgeMailed(view, base) : []
  if (!digest || digest.count === 0) return []
  const judged: Judgement[] = []
  if (digest.unreadable === 0) judged.push({ ...base, requirement: 'EXPORT-V1-JSONL', outcome: 'held' })
  else {
    judged.push({
      ...base,
      requirement: 'EXPORT-V1-JSONL',
      outcome: 'broken',
      message: 'the export is not JSONL',
      expected: 'one JSON value a line, each a line of the log',
      actual: `${digest.unreadable} of ${digest.count} lines of the body are none`,
    })
  }
  if (digest.count > 1) judged.push(judgeBlank(base, digest.blank ?? 0))
  const [small = PAGE, large = PAGE] = CAPS
  if (digest.count > large) {
    judged.push({
      ...base,
      requirement: 'EXPORT-V1-CAP',
      outcome: 'broken',
      message: 'an export has more lines than any plan grants',
      expected: `at most ${large} lines`,
      actual: `${digest.count} lines`,
    })
  } else if (digest.count === small || digest.count === large) {
    const edge = `${digest.count} lines`
    for (const requirement of ['EXPORT-V1-CAP', 'EXPORT-V1-CAP-VALUES'])
      judged.push({ ...base, requirement, outcome: 'held', edge })
  }
  return [...judged, ...judgeOrder(view, 'EXPORT-V1-ORDER')]
}

/** A blank line is no JSON value. What reads JSONL mostly skips it, and the text does not say so. */
function judgeBlank(base: Pick<Judgement, 'operation' | 'caseId' | 'exchanges'>, blank: number): Judgement {
  const judged = { ...base, requirement: 'EXPORT-V1-BLANK-LINES' }
  if (blank === 0) return { ...judged, outcome: 'held' }
  return {
    ...judged,
    outcome: 'broken',
    message: 'blank lines stand between the lines of an export',
    expected: 'one JSON value a line',
    actual: `${blank} blank lines`,
  }
}

/** Of traffic: with an e-mail address the answer confirms, and holds no lines. A run compares with an export that has some. */
function judgeMailed(view: ExchangeView, base: Pick<Judgement, 'operation' | 'caseId' | 'exchanges'>): Judgement[] {
  const lines = (receivedLines(view) ?? []).filter(({ hash, time }) => hash !== '-' && time !== undefined)
  const judged = { ...base, requirement: 'EXPORT-V1-MAIL-NO-LINES' }
  if (lines.length === 0) return [{ ...judged, outcome: 'held' }]
  return [
    {
      ...judged,
      outcome: 'broken',
      message: 'an export with an e-mail address returns the lines all the same',
      expected: 'no lines',
      actual: `${lines.length} lines`,
    },
  ]
}

/** Times go up or go down within an answer; which of them is not shown. Lines of one time say nothing. */
function judgeOrder(view: ExchangeView, requirement: string): Judgement[] {
  const times = (receivedLines(view) ?? []).flatMap(({ time }) => (time === undefined ? [] : [time]))
  const verdict = view.exchange._digest?.received?.folded?.times ?? orderOf(times)
  if (verdict === 'none') return []
  const base = { ...about(view), requirement, exchanges: [view.id] }
  if (verdict !== 'mixed') return [{ ...base, outcome: 'held', edge: verdict }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'the lines are not in the order of their times',
      expected: 'times that only rise, or only fall',
      actual: `times that rise and fall: ${shown(times)}`,
    },
  ]
}
