import type { Report, RequirementResult } from '../../schemas/types/report.ts'
import { findingRows, type RowKind } from '../finding-rows.ts'
import { commandData, commandProperty } from '../markup.ts'
import { failsForServerErrors, serverErrorLine } from '../server-errors.ts'

/** More of a kind than this are not shown for one step. */
const MOST = 10

/**
 * Commands for a GitHub workflow: an error for each failed requirement, a warning for each warning, one for a run that
 * proved nothing. Server errors are one more, an error if they make the command fail. A line each; nothing that a
 * target said can become a command.
 */
export function renderAnnotations(report: Report): string {
  const by = (verdict: string): RequirementResult[] =>
    report.requirements.filter((result) => result.verdict === verdict)
  const invalid = report.verdict === 'invalid' ? [command('error', 'assay: invalid run', report.reason)] : []
  const lines = [
    ...invalid,
    ...shown('error', by('fail'), 'failed'),
    ...shown('error', by('error'), 'could not be judged'),
    ...shown('warning', by('warn'), 'warned'),
    ...serverErrors(report),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function shown(kind: 'error' | 'warning', results: readonly RequirementResult[], what: string): string[] {
  const most = results.length > MOST ? MOST - 1 : MOST
  const rest = results.slice(most)
  const lines = results.slice(0, most).map((result) => annotation(kind, result))
  if (rest.length === 0) return lines
  const ids = rest.map(({ id }) => id).join(', ')
  return [...lines, command(kind, `assay: ${rest.length} more ${what}`, ids)]
}

function serverErrors(report: Report): string[] {
  const { count = 0, kinds = [] } = report.serverErrors ?? {}
  if (count === 0) return []
  const kind = failsForServerErrors(report) ? 'error' : 'warning'
  const title = `assay: ${count} server ${count === 1 ? 'error' : 'errors'}`
  return [command(kind, title, kinds.slice(0, MOST).map(serverErrorLine).join(' | '))]
}

/** Rows that fit into a few lines beside a diff. */
const SHOWN: ReadonlySet<RowKind> = new Set(['message', 'differs', 'command'])

function annotation(
  kind: 'error' | 'warning',
  { id, level, text, reason, findings: [finding] }: RequirementResult,
): string {
  const rows = finding ? findingRows(finding, { most: 300 }).filter(({ kind }) => SHOWN.has(kind)) : []
  const said = rows.map((row) => (row.kind === 'differs' ? `${row.label}: ${row.text}` : row.text))
  return command(kind, `${id} (${level})`, [text, ...(finding ? said : [reason])].filter((part) => part).join(' | '))
}

function command(kind: string, title: string, message: string): string {
  return `::${kind} title=${commandProperty(title, 200)}::${commandData(message, 1500)}`
}
