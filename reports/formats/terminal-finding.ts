import type { FindingExchange, Report, RequirementResult } from '../../schemas/types/report.ts'
import { isTraffic } from '../basis.ts'
import { counted } from '../counted.ts'
import { findingRows } from '../finding-rows.ts'
import type { Screen } from '../screen.ts'
import { exchangeLine } from '../shown-exchange.ts'
import { clean } from '../text.ts'

export const LONGEST_ID = 48
export const INDENT = 6
/** Of the text beside a count. */
export const MARGIN = 12
/** Lines that a text of any origin may take. */
const LINES = { differs: 2, place: 2, line: 2, body: 1, response: 2 }

export function heading(screen: Screen, label: string, result: RequirementResult): void {
  screen.line(`${label} ${screen.paint.bold(clean(result.id, LONGEST_ID))} ${screen.paint.dim(`(${result.level})`)}`)
  screen.text(`${result.text} (${result.section})`, { indent: INDENT, style: screen.paint.dim })
}

/** A broken requirement: one that fails the run, or a warning. The rows of its first finding, and the command that repeats it. */
export function broken(screen: Screen, result: RequirementResult, report?: Report): void {
  const warns = result.verdict === 'warn'
  const style = warns ? screen.paint.yellow : screen.paint.red
  heading(screen, screen.paint.bold(style(warns ? 'WARN ' : 'FAIL ')), result)
  const [finding] = result.findings
  if (!finding) return
  const mostOf = Object.fromEntries(Object.entries(LINES).map(([kind, lines]) => [kind, lines * widthOf(screen)]))
  const isRecorded = report !== undefined && isTraffic(report)
  const rows = findingRows(finding, { base: report?.target.baseUrl, mostOf, isRecorded })
  for (const { kind, label, text } of rows) {
    if (kind === 'message') screen.text(text, { indent: INDENT, style })
    else if (kind !== 'case' && kind !== 'command')
      screen.field(label, text, { indent: INDENT, most: 4 * widthOf(screen) })
  }
  const command = rows.find(({ kind }) => kind === 'command')
  if (command) {
    screen.text(`${command.label}:`, { indent: INDENT, style: screen.paint.dim })
    screen.shell(command.text)
  }
  const others = result.findings.length - 1
  if (others > 0) {
    screen.text(`and ${counted(others, 'more finding')} of this kind, in the report`, {
      indent: INDENT,
      style: screen.paint.dim,
    })
  }
}

/** Columns of text beside a label. */
function widthOf({ columns }: Screen): number {
  return columns - INDENT - MARGIN
}

/** The request of a server error, and its response. */
export function request(screen: Screen, exchange: FindingExchange, base: string): void {
  const rows = [
    ['request', exchangeLine(exchange, base), LINES.line],
    ['', exchange.requestBody, LINES.body],
    ['response', exchange.responseBody, LINES.response],
  ] as const
  for (const [label, text, lines] of rows) {
    if (text !== '') screen.field(label, text, { indent: INDENT, most: lines * widthOf(screen) })
  }
}
