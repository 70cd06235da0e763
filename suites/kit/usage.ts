import type { CaseContext } from './case.ts'
import { requireOperation } from './lines.ts'

const DAY_SECONDS = 86_400

/** Rows that are asked for where all are wanted. */
const ALL_ROWS = 10_000

/**
 * The query of a usage report from midnight UTC of one day to that of another, `from` and `to` in days before today.
 * `limit`: rows at most; as many as can be had, if left out.
 */
export function usageQuery(
  context: CaseContext,
  operation: string,
  from: number,
  to: number,
  limit: number = ALL_ROWS,
): Record<string, string> {
  const today = context.today / 1000
  return usageQueryAt(context, operation, today - from * DAY_SECONDS, today - to * DAY_SECONDS, limit)
}

/** The same between two UNIX times in seconds. */
export function usageQueryAt(
  context: CaseContext,
  operation: string,
  from: number,
  to: number,
  limit: number = ALL_ROWS,
): Record<string, string> {
  const { parameters } = requireOperation(context, operation, 'GAP-PATHS-USAGE')
  const named = parameters.limit ?? context.binding.answers.get('GAP-USAGE-LIMIT-PARAMETER')?.value
  return {
    [parameters.from ?? 'from']: String(from),
    [parameters.to ?? 'to']: String(to),
    ...(typeof named === 'string' && operation !== 'get-usage-v2' ? { [named]: String(limit) } : {}),
  }
}
