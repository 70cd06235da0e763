import type { Analysis } from '../../../fixtures/replay/plan/analysis.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'

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
  try {
    const token = at(JSON.parse(text), pointer)
    return typeof token === 'string' || typeof token === 'number' ? [String(token)] : []
  } catch {
    return []
  }
}
