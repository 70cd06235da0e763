import type { OverallVerdict, Report } from '../../schemas/types/report.ts'
import { plainJson } from '../inert.ts'

/** Dark enough for white text on all of them. */
const COLORS: Readonly<Record<OverallVerdict, string>> = {
  conformant: '2b7a3d',
  partial: '8a6100',
  'non-conformant': 'b3261e',
  invalid: '6b3fa0',
}

/** The verdict for services that draw badges (the form that shields reads). */
export function renderBadgeEndpoint({ verdict, counts }: Report): string {
  const failed = Object.values(counts).reduce((sum, row) => sum + (row.fail ?? 0), 0)
  const body = {
    schemaVersion: 1,
    label: 'conformance 2.1',
    message: verdict === 'non-conformant' ? `${failed} failed` : verdict,
    color: COLORS[verdict],
    isError: verdict === 'invalid',
  }
  return `${plainJson(body, 2)}\n`
}
