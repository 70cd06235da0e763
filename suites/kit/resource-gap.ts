import { table } from '../../schemas/table.ts'

/** type of a resource -> the gap that hides how one is made; all others are parts of pipelines */
const GAPS: Readonly<Record<string, string>> = table({
  'preset-alert': 'GAP-PRESET-BODY',
  board: 'GAP-PATHS-BOARDS',
  exclusion: 'GAP-PATHS-EXCLUSIONS',
  archiving: 'GAP-PATHS-ARCHIVING',
  'enterprise-key': 'GAP-PATHS-ENTERPRISE',
  ...Object.fromEntries(
    ['screen', 'member', 'view', 'category', 'alert', 'key'].map((type) => [type, 'GAP-PATHS-CONFIGURATION']),
  ),
})

/** The gap that a binding has to answer so that a run can make a resource of this type. */
export function resourceGap(type: string): string {
  return GAPS[type] ?? 'GAP-PATHS-PIPELINES'
}
