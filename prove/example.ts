import type { Judgement } from '../rules/core/judgement.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import type { Trial } from './trial.ts'

/** The request that shows a fault, and what is wrong about it. */
export interface Example {
  readonly requirement: string
  readonly case: string
  readonly message: string
  readonly expected: string
  readonly actual: string
  readonly method: string
  readonly path: string
  readonly body: string
}

/** Of what a trial found about a requirement the one whose deciding request is the smallest, as a report shows it. */
export function smallestExample(requirement: string, { broken, exchanges }: Trial): Example | undefined {
  const [smallest] = broken
    .filter((judgement) => judgement.requirement === requirement)
    .flatMap((judgement) => {
      const deciding = exchanges.get(judgement.exchanges.at(-1) ?? '')
      return deciding ? [{ judgement, deciding }] : []
    })
    .sort((a, b) => sizeOf(a.deciding) - sizeOf(b.deciding))
  return smallest && toExample(smallest.judgement, smallest.deciding)
}

function sizeOf({ request }: Exchange): number {
  return request.bodySize + request.url.length
}

function toExample(judgement: Judgement, { request }: Exchange): Example {
  const { pathname, search } = new URL(request.url)
  return {
    requirement: judgement.requirement,
    case: judgement.caseId,
    message: judgement.message ?? '',
    expected: judgement.expected ?? '',
    actual: judgement.actual ?? '',
    method: request.method,
    path: pathname + search,
    body: request.postData?.text ?? '',
  }
}
