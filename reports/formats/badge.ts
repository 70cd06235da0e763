import type { OverallVerdict, Report } from '../../schemas/types/report.ts'
import { targetName } from '../build.ts'
import { plainJson } from '../inert.ts'
import { markupText } from '../markup.ts'

/** Dark enough for white text on all of them. */
const COLORS: Readonly<Record<OverallVerdict, string>> = {
  conformant: '#2b7a3d',
  partial: '#8a6100',
  'non-conformant': '#b3261e',
  invalid: '#6b3fa0',
}

const LABEL = 'conformance 2.1'

/** A badge as a picture: one line of text, no script, nothing loaded. */
export function renderBadge(report: Report): string {
  const message = messageOf(report)
  const [left, right] = [widthOf(LABEL), widthOf(message)]
  const width = left + right
  const title = markupText(`${targetOf(report)}${LABEL}: ${message}`, 300)
  const text = (x: number, length: number, content: string): string =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${markupText(content)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${title}">
  <title>${title}</title>
  <clipPath id="round"><rect width="${width}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#round)">
    <rect width="${left}" height="20" fill="#444"/>
    <rect x="${left}" width="${right}" height="20" fill="${COLORS[report.verdict]}"/>
  </g>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">
    ${text(left / 2, left - 2 * PADDING, LABEL)}
    ${text(left + right / 2, right - 2 * PADDING, message)}
  </g>
</svg>
`
}

/** The same for services that draw badges themselves (the form that shields reads). */
export function renderBadgeEndpoint(report: Report): string {
  const body = {
    schemaVersion: 1,
    label: LABEL,
    message: messageOf(report),
    color: COLORS[report.verdict].slice(1),
    isError: report.verdict === 'invalid',
  }
  return `${plainJson(body, 2)}\n`
}

function messageOf({ verdict, counts }: Report): string {
  const failed = Object.values(counts).reduce((sum, row) => sum + (row.fail ?? 0), 0)
  return verdict === 'non-conformant' ? `${failed} failed` : verdict
}

function targetOf({ target }: Report): string {
  const words = targetName(target)
  return words === '' ? '' : `${words}: `
}

const PADDING = 6

/** Narrow and wide characters of Verdana at 11 pixels; `textLength` makes up for the rest. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (/[ijl.,:;'|!]/.test(character)) width += 3.9
    else if (/[frt /()-]/.test(character)) width += 4.6
    else if (/[mwMW]/.test(character)) width += 10.2
    else width += 6.9
  }
  return Math.round(width) + 2 * PADDING
}
