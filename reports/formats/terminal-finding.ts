import type { Finding, FindingExchange, Report, RequirementResult } from '../../schemas/types/report.ts'
import { isTraffic } from '../basis.ts'
import { counted } from '../counted.ts'
import { clean, type Page } from '../page.ts'
import { changeOf, exchangeLine, STEP, stepsOf, whereOf } from '../shown-exchange.ts'

export const LONGEST_ID = 48
export const INDENT = 6
/** Of the text beside a count. */
export const MARGIN = 12
/** Lines that a text of any origin may take, and the rest of one. */
const LINES = { place: 2, difference: 2, address: 2, body: 1, response: 2 }
const LONGEST_BODY = 20_000
/** Of ids in the steps of a walk the beginning tells which is which. */
const UUIDS = /([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Characters that are shown before two texts begin to differ. */
const CONTEXT = 24

export function heading(page: Page, label: string, result: RequirementResult): void {
  page.line(`${label} ${page.paint.bold(clean(result.id, LONGEST_ID))} ${page.paint.dim(`(${result.level})`)}`)
  page.text(`${result.text} (${result.section})`, { indent: INDENT, style: page.paint.dim })
}

/**
 * A broken requirement: one that fails the run, or a warning, which is shorter. It shows the request that decides. Before
 * it stands what that is compared with: the change before a read, or the control before a refusal.
 */
export function broken(page: Page, result: RequirementResult, report?: Report): void {
  const warns = result.verdict === 'warn'
  const style = warns ? page.paint.yellow : page.paint.red
  heading(page, page.paint.bold(style(warns ? 'WARN ' : 'FAIL ')), result)
  const [finding] = result.findings
  if (!finding) return
  page.text(finding.message, { indent: INDENT, style })
  beside(page, 'expected', finding.expected, LINES.difference)
  beside(page, 'actual', finding.actual, LINES.difference)
  beside(page, 'at', whereOf(finding).join(', '), LINES.place)
  const about = finding.exchanges.filter(({ role }) => role !== 'setup' && role !== STEP)
  const deciding = about.at(-1)
  const change = changeOf(finding)
  const compared = change ?? about.at(-2)
  const base = report?.target.baseUrl ?? ''
  const { steps, afterMs } = stepsOf(finding)
  for (const [index, step] of steps.entries())
    beside(page, index === 0 ? 'steps' : '', `${index + 1}. ${exchangeLine(step, base).replace(UUIDS, '$1…')}`, 1)
  if (afterMs > 0) beside(page, 'after', `${(afterMs / 1000).toFixed(1)} s`, 1)
  if (compared && !warns && steps.length === 0)
    request(page, compared, { base, name: compared === change ? 'change' : compared.role })
  if (deciding) request(page, deciding, { base, than: warns ? undefined : compared })
  if (report && isTraffic(report)) place(page, finding)
  const command = finding.reproduce === '' ? finding.curl : finding.reproduce
  if (command !== '') {
    page.text(finding.reproduce === '' ? 'the request by hand:' : 'again:', { indent: INDENT, style: page.paint.dim })
    page.shell(command)
  }
  const others = result.findings.length - 1
  if (others > 0) {
    page.text(`and ${counted(others, 'more finding', 'more findings')} of this kind, in the report`, {
      indent: INDENT,
      style: page.paint.dim,
    })
  }
}

/** A label and text of any origin, of so many lines at most; nothing where there is no text. */
function beside(page: Page, label: string, text: string, lines: number): void {
  if (text !== '') page.field(label, text, { indent: INDENT, most: lines * (page.columns - INDENT - MARGIN) })
}

interface Shown {
  /** what all addresses begin with, which is not said again */
  readonly base: string
  readonly name?: string
  /** the request that this one is compared with: what both say is not said again */
  readonly than?: FindingExchange | undefined
}

export function request(page: Page, exchange: FindingExchange, { base, name, than }: Shown): void {
  const { requestBody, responseBody } = exchange
  beside(page, name ?? 'request', exchangeLine(exchange, base), LINES.address)
  if (requestBody !== '') {
    const most = LINES.body * (page.columns - INDENT - MARGIN)
    const same = than?.requestBody === requestBody
    page.field('', same ? 'the same body' : fromWhere(requestBody, than?.requestBody, most), { indent: INDENT, most })
  }
  if (name === undefined) beside(page, 'response', responseBody, LINES.response)
}

/** The text from a little before the place where it begins to differ from the other, if that would not be seen else. */
function fromWhere(text: string, other = '', most: number): string {
  const [shown, than] = [clean(text, LONGEST_BODY), clean(other, LONGEST_BODY)]
  let first = 0
  while (first < Math.min(shown.length, than.length) && shown[first] === than[first]) first += 1
  return other === '' || first < most - CONTEXT ? text : `…${shown.slice(first - CONTEXT)}`
}

/** Where in a recording the deciding exchange stands: many requests for one address look alike. */
function place(page: Page, { exchanges }: Finding): void {
  const deciding = exchanges.at(-1)
  if (!deciding) return
  beside(page, 'recorded', [deciding.id, ...(deciding.startedAt ? [deciding.startedAt] : [])].join(', '), 1)
}
