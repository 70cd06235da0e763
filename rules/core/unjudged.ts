import { withoutOrigin } from '../../schemas/url.ts'
import type { Judgement } from './judgement.ts'
import { departureInWords, type ExchangeView } from './view.ts'

/** Exchanges that showed nothing about any requirement, for one reason. Plain data. */
export interface UnjudgedGroup {
  readonly reason: string
  readonly count: number
  /** the first few requests: method and path */
  readonly examples: readonly string[]
}

/** What came of judging one exchange. */
interface JudgedExchange {
  readonly view: ExchangeView
  readonly judgements: readonly Judgement[]
  readonly waits?: boolean
}

const MOST_EXAMPLES = 3
const LONGEST_PATH = 80

/** Counts the exchanges that were not judged, by reason. */
export class Unjudged {
  readonly #groups = new Map<string, { count: number; readonly examples: Set<string> }>()

  /** Returns why the exchange was not judged; '' where it was. */
  add({ view, judgements, waits }: JudgedExchange): string {
    if (waits === true || judgements.some(isSure)) return ''
    const reason = reasonOf(view)
    const group = this.#groups.get(reason) ?? { count: 0, examples: new Set() }
    this.#groups.set(reason, group)
    group.count += 1
    const { method, url } = view.exchange.request
    if (group.examples.size < MOST_EXAMPLES)
      group.examples.add(`${method} ${withoutOrigin(url).replace(/\?.*/s, '').slice(0, LONGEST_PATH)}`)
    return reason
  }

  /** the largest first */
  groups(): UnjudgedGroup[] {
    return [...this.#groups]
      .map(([reason, { count, examples }]) => ({ reason, count, examples: [...examples] }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
  }
}

/** `25: path not in the binding: GET /health, …` */
export function unjudgedInWords({ reason, count, examples }: UnjudgedGroup): string {
  return `${count.toLocaleString('en')}: ${reason}: ${examples.join(', ')}${count > examples.length ? ', …' : ''}`
}

function isSure({ outcome }: Judgement): boolean {
  return outcome === 'held' || outcome === 'broken'
}

function reasonOf(view: ExchangeView): string {
  const { exchange, operation } = view
  if (operation === undefined) return 'path not in the binding'
  if (exchange._outcome !== 'complete') return 'no whole response'
  const departs = departureInWords(view)
  if (departs !== undefined) return departs
  const { status } = exchange.response
  if (status < 300) return 'nothing before or behind it shows whether its response is right'
  return `the response is ${status}, which shows no requirement`
}
