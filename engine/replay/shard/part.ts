import type { Analysis, Analyzer } from '../../../fixtures/replay/plan/analysis.ts'
import { jsonIn } from '../../../schemas/json.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import type { Shard } from '../../../schemas/types/report.ts'
import { UsageError } from '../../errors.ts'
import { Groups } from './groups.ts'

/** One part of a recording that is replayed in several. */
export interface Part {
  readonly exchanges: number
  has(exchange: Exchange): boolean
  /** Whether an answer shows what requests of other parts make or change: what it held is no matter of this part. */
  isShared(exchange: Exchange): boolean
  /** The token that a request asks for a page with, where the answers that told it are shared: it may have none here. */
  sharedToken(exchange: Exchange): string | undefined
}

/**
 * The part of a recording that a shard sends. The same recording and number of shards always give the same parts. Each
 * exchange is in exactly one part, with all that it depends on. Parts have about equal numbers of exchanges. What
 * suspends the account is in the last one. `exchanges`: in the order written.
 * @throws UsageError where there are more shards than can have something to do
 */
export async function partOf(
  exchanges: AsyncIterable<Exchange>,
  { analyze, analyzeRequest }: Analyzer,
  { index, of }: Shard,
): Promise<Part> {
  const groups = new Groups()
  const pages = createPages()
  const counts = new Map<number, number>()
  /** thing without an id, such as a list -> numbers of those who change it */
  const writers = new Map<string, Set<number>>()
  for await (const exchange of exchanges) {
    const analysis = analyze(exchange)
    const { dependencies } = analysis
    const number = groups.see(analysis)
    pages.see(analysis)
    counts.set(number, (counts.get(number) ?? 0) + 1)
    if (!dependencies.writes) continue
    for (const [thing, mode] of dependencies.things) {
      if (mode === 'pass' || thing.startsWith('#')) continue
      writers.set(thing, (writers.get(thing) ?? new Set()).add(number))
    }
  }
  const sizes = new Map<number, number>()
  for (const [number, count] of counts) {
    const group = groups.groupOf(number)
    sizes.set(group, (sizes.get(group) ?? 0) + count)
  }
  if (sizes.size < of) {
    const all = sizes.size === 1 ? 'depends on each other' : `falls into ${sizes.size} parts that depend on each other`
    const what = `the recording ${all}: too little for ${of} shards`
    const hint = `use at most ${sizes.size}`
    throw new UsageError({ where: '--shard', what, hint })
  }
  const { shards, totals } = deal(sizes, of, groups.alone())
  const shared = new Set(
    [...writers].flatMap(([thing, numbers]) =>
      [...numbers].some((number) => shards.get(groups.groupOf(number)) !== index) ? [thing] : [],
    ),
  )
  return {
    exchanges: totals[index - 1] ?? 0,
    has: (exchange) => shards.get(groups.of(analyzeRequest(exchange))) === index,
    isShared: (exchange) =>
      [...analyzeRequest(exchange).dependencies.things].some(([thing, mode]) => mode === 'read' && shared.has(thing)),
    sharedToken(exchange) {
      const page = pages.of(exchange)
      return page?.shows.some((thing) => shared.has(thing)) ? page.token : undefined
    },
  }
}

/** group -> its shard; the largest groups go first, each to the shard that has the least. */
function deal(
  sizes: ReadonlyMap<number, number>,
  of: number,
  alone: number,
): { readonly shards: ReadonlyMap<number, number>; readonly totals: readonly number[] } {
  const totals = Array.from({ length: of }, () => 0)
  const shards = new Map<number, number>()
  const give = (group: number, place: number): void => {
    shards.set(group, place + 1)
    totals[place] = (totals[place] ?? 0) + (sizes.get(group) ?? 0)
  }
  if (sizes.has(alone)) give(alone, of - 1)
  for (const [group] of [...sizes].sort(([a, x], [b, y]) => y - x || a - b)) {
    if (group !== alone) give(group, totals.indexOf(Math.min(...totals)))
  }
  return { shards, totals }
}

/** Later pages of lists: each is asked for with a token that the one before it told. */
export interface Pages {
  /** Takes exchanges in the order written. */
  see(analysis: Analysis): void
  /** The token that a page was asked for with, and the things that the pages before it showed; undefined: it is none. */
  of(exchange: Exchange): Page | undefined
}

export interface Page {
  readonly token: string
  readonly shows: readonly string[]
}

/** Tokens, and pages, that are remembered. */
const MOST = 1 << 16
const LONGEST = 512
/** Fields that tell the token of the next page, where no binding says which one does. */
const NEXT =
  /"(?:next|cursor|continue|continuation|\w*(?:next|page|cursor)_?(?:token|id|cursor|page))"\s*:\s*"([^"\\]+)"/gi

export function createPages(): Pages {
  /** operation, or path, and token -> things that were shown up to there */
  const told = new Map<string, readonly string[]>()
  /** id of an exchange */
  const pages = new Map<string, Page>()
  return {
    see({ exchange, dependencies: { operation, path, writes, things } }) {
      if (writes) return
      const list = operation?.id ?? path
      let before: Page | undefined
      for (const { value } of exchange.request.queryString) {
        const shows = told.get(`${list} ${value}`)
        if (shows !== undefined) before = { token: value, shows }
      }
      if (before !== undefined && pages.size < MOST) pages.set(exchange._id, before)
      const next = nextIn(exchange, operation?.answer.pagination_id)
      if (next.length === 0) return
      const reads = [...things].flatMap(([thing, mode]) => (mode === 'read' ? [thing] : []))
      const shows = [...new Set([...(before?.shows ?? []), ...reads])]
      for (const token of next) if (told.size < MOST && token.length <= LONGEST) told.set(`${list} ${token}`, shows)
    },
    of: ({ _id }) => pages.get(_id),
  }
}

function nextIn({ response }: Exchange, pointer: string | undefined): string[] {
  const { text = '' } = response.content
  if (pointer === undefined) return [...text.matchAll(NEXT)].map(([, token = '']) => token)
  const token = at(jsonIn(text), pointer)
  return typeof token === 'string' || typeof token === 'number' ? [String(token)] : []
}
