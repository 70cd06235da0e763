import { takesLines } from '../../core/reads.ts'
import { about, type ExchangeRule } from '../../core/rule.ts'
import type { ExchangeView } from '../../core/view.ts'
import { isTaken, statusesIn } from '../../known/batches.ts'

/** operation -> that it can be used at all, in the form that the binding gives */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  'ingest-lines': 'INGESTION-ACCEPTS',
  'export-v1': 'EXPORT-V1-OFFERED',
  'export-v2': 'EXPORT-V2-OFFERED',
  'get-ingestion-status': 'SUSPENSION-READ',
}

/**
 * Operations that the text only names are there when a good request is carried out. That one is refused proves nothing:
 * path and payload come from the binding, which may not fit the target.
 */
export const offeredRule: ExchangeRule = {
  name: 'offered',
  operations: Object.keys(REQUIREMENTS),
  judge(view) {
    const requirement = REQUIREMENTS[view.operation?.id ?? '']
    // In traffic, whatever is carried out shows it.
    const asked = view.intent === undefined || view.intent.kind === 'base'
    if (requirement === undefined || !asked || !view.accepted || !isWhole(view)) return []
    return [{ ...about(view), requirement, outcome: 'held', exchanges: [view.id] }]
  },
}

/** A 207 speaks of each line by itself: of every one it has to be good. A status that is not in the answer was not read. */
function isWhole(view: ExchangeView): boolean {
  if (view.operation?.id === 'get-ingestion-status') return takesLines(view) !== undefined
  if (view.status !== 207) return true
  const statuses = statusesIn(view) ?? []
  return statuses.length > 0 && statuses.every(isTaken)
}
