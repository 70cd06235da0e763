import { isRecord } from '../../core/request-rules.ts'
import { about, type ExchangeRule } from '../../core/rule.ts'
import { jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'

/** Statuses of what was asked for: others may be those of whatever stands before the service. */
const OWN = new Set([400, 409, 422])

/**
 * Error bodies have `error` and `code` (section 'Errors'), also where the table names no error. Of operations under /v1
 * that the specification gives paths for; errors of deleting exclusion rules are rules of their own. A body that is no
 * JSON object may come from what stands before the service.
 */
export const errorShapeRule: ExchangeRule = {
  name: 'error shape',
  operations: 'specified',
  judge(view) {
    const { specified, status } = view
    if (!OWN.has(status) || !view.conclusive || specified === undefined) return []
    if (specified.family === 'v3' || specified.id === 'delete-exclusion') return []
    // Errors of the table, and ids that whatever stands before the service may not let through, have rules of their own.
    if (view.intent?.kind === 'provoke') return []
    const body = jsonOf(view.response)
    if (!isRecord(body)) return []
    const base = { ...about(view), requirement: 'ERROR-BODY-SHAPE', exchanges: [view.id] }
    const missing = ['error', 'code'].filter((name) => typeof body[name] !== 'string')
    if (missing.length === 0) return [{ ...base, outcome: 'held' }]
    return [
      {
        ...base,
        outcome: 'broken',
        message: 'an error has not the fields of the error response',
        expected: '`error` and `code`, each a string',
        actual: `${missing.join(' and ')} missing or of another type in ${shown(body)}`,
      },
    ]
  },
}
