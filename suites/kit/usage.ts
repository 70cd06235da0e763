import { leftAlone } from '../../rules/core/view.ts'
import type { CaseIntent } from '../../schemas/intents.ts'
import type { CaseContext, Sent } from './case.ts'
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

/** Asks for reports of a period that surely holds now. */
export interface PresentReports {
  ask(intent: CaseIntent, limit?: number): Promise<Sent>
  /** The end of the period of the last report, in UNIX seconds. */
  end(): number
}

/** Days after the midnight before this run at which the period may end. */
const AHEAD = [4, 1] as const

/**
 * Reports from days ago until after now. Days may be cut in any zone, and the last one may not belong to the period: one
 * that ends days ahead surely holds now. Whether a period may end in the future is not said: where the end is refused, it
 * is asked for a nearer one, and from then on for that, in the end for now. `from`: in days before today.
 */
export function presentReports(context: CaseContext, operation: string, from: number): PresentReports {
  let tried = 0
  let to = context.today / 1000
  const send = (intent: CaseIntent, limit?: number): Promise<Sent> => {
    const ahead = AHEAD[tried]
    const today = context.today / 1000
    to = ahead === undefined ? Math.floor(Date.now() / 1000) : today + ahead * DAY_SECONDS
    const query = usageQueryAt(context, operation, today - from * DAY_SECONDS, to, limit)
    return context.send({ operation, query, intent })
  }
  return {
    async ask(intent, limit) {
      let sent = await send(intent, limit)
      while (leftAlone(sent.view) && sent.view.conclusive && tried < AHEAD.length) {
        tried += 1
        sent = await send(intent, limit)
      }
      return sent
    },
    end: () => to,
  }
}
