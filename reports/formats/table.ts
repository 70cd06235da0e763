import type { Report, RequirementResult } from '../../schemas/types/report.ts'
import { VERDICTS } from '../build.ts'
import { painted, Screen, type ScreenOptions } from '../screen.ts'
import { clean, clip, padded, widthOf } from '../text.ts'

const ORDER = ['fail', 'error', 'warn', 'not-run', 'observed', 'pass']

/**
 * Every requirement in a table for a terminal: verdict, level, id, and what the verdict stands on; the worst first.
 * Lines fit the columns, and nothing that a target said acts on the terminal.
 */
export function renderTable(report: Report, options: ScreenOptions): string {
  const screen = new Screen(options)
  const rows = [...report.requirements].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
  const ids = rows.map(({ id }) => widthOf(clean(id, 60)))
  const idWidth = Math.min(Math.max(2, ...ids), Math.floor(screen.columns * 0.45))
  const verdictWidth = Math.max(...VERDICTS.map((name) => name.length))
  const left = screen.columns - verdictWidth - LEVEL - idWidth - 3
  const heads = `${padded('verdict', verdictWidth)} ${padded('level', LEVEL)} ${padded('id', idWidth)} evidence`
  screen.line(screen.paint.dim(clip(heads, screen.columns)))
  for (const result of rows) {
    const cells = [
      painted(screen, result.verdict, padded(result.verdict, verdictWidth)),
      padded(result.level, LEVEL),
      padded(clip(clean(result.id, 60), idWidth), idWidth),
      left > 3 ? clip(clean(evidenceOf(result), 300), left) : '',
    ]
    screen.line(cells.join(' '))
  }
  screen.line()
  screen.text(`${report.verdict}${report.reason === '' ? '' : `: ${report.reason}`}`)
  return screen.toString()
}

const LEVEL = 'declared'.length

function evidenceOf({ verdict, reason, findings, evidence }: RequirementResult): string {
  if (reason !== '') return reason
  if (findings[0]) return findings[0].message
  if (verdict === 'observed') return Object.keys(evidence.observations).join('; ')
  const { accepted, refused, judged } = evidence
  const sides = [...(accepted > 0 ? [`${accepted} accepted`] : []), ...(refused > 0 ? [`${refused} refused`] : [])]
  return sides.length > 0 ? sides.join(', ') : `${judged} times seen`
}
