import { describe, expect, test } from 'vitest'
import { exchange } from '../../rules/testing.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import { createOutcome, type Shares } from './outcome.ts'
import { replayedTo } from './testing.ts'

const TOKEN = 'b2c4e6a8-0000-4000-8000-00000000abcd'
const NEW = 'c2c4e6a8-0000-4000-8000-00000000abcd'

/** Two pages of an export, whose first one others have their share in. */
function pages(): Exchange[] {
  const page = (start: number, query: string, pagination_id: string | null): Exchange =>
    exchange(`GET /v2/export${query}`, { start, end: start + 1, id: `r${start}`, got: { lines: [], pagination_id } })
  return [page(0, '', TOKEN), page(10, `?pagination_id=${TOKEN}`, null)]
}

const shares: Shares = {
  isShared: ({ _id }) => _id === 'r0',
  sharedToken: ({ _id }) => (_id === 'r10' ? TOKEN : undefined),
}

/** What comes of it where the first page has this token, and later ones this status. */
async function cameOf(token: string | null, status: number, of?: Shares): Promise<Partial<ReplayReport>> {
  const replayed = await replayedTo(pages(), (path) => {
    if (path.includes('pagination_id')) return { status, got: { lines: [], pagination_id: null } }
    return { got: { lines: [], pagination_id: token } }
  })
  const outcome = createOutcome([], () => true, of)
  for (const one of replayed) outcome.add(one)
  return outcome.pieces()
}

describe('a page whose token others have their share in', () => {
  test('is not compared where the target had no such page', async () => {
    const { differences, notCarried, counts } = await cameOf(null, 400, shares)
    expect({ differences, notCarried }).toEqual({ differences: [], notCarried: [] })
    expect(counts).toMatchObject({ sent: 2, raced: 2, compared: 0, different: 0 })
  })

  test('is compared where the target gave a token for it, and without others', async () => {
    const named = ({ differences = [] }: Partial<ReplayReport>): string[] => differences.map(({ pointer }) => pointer)
    expect(named(await cameOf(NEW, 500, shares))).toEqual(['status'])
    expect(named(await cameOf(NEW, 200, shares))).toEqual([])
    expect(named(await cameOf(null, 400))).toEqual(['/pagination_id', 'status'])
  })
})
