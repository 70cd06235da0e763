import { describe, expect, test } from 'vitest'
import { createAnalyzer } from '../../../fixtures/replay/plan/analysis.ts'
import { exchange, referenceBinding } from '../../../rules/testing.ts'
import { createPages, type Page } from './part.ts'

const analyzer = createAnalyzer(referenceBinding(), '')

/** The last of some exchanges as a page. */
function last(...lines: readonly [line: string, got?: unknown][]): Page | undefined {
  const pages = createPages()
  const exchanges = lines.map(([line, got], index) => exchange(line, { id: String(index), got: got ?? {} }))
  for (const one of exchanges) pages.see(analyzer.analyze(one))
  const [page] = exchanges.slice(-1)
  return page && pages.of(page)
}

describe('a later page', () => {
  test('is told by the token of the one before it, and shows what all of them show', () => {
    const first = { lines: [], pagination_id: 'one' }
    expect(last(['GET /v2/export', first], ['GET /v2/export?pagination_id=one'])?.shows).toEqual(['lines'])
    const chain = last(
      ['GET /v2/export', first],
      ['GET /v2/export?hosts=a&pagination_id=one', { lines: [], pagination_id: 'two' }],
      ['GET /v2/export?hosts=a&pagination_id=two'],
    )
    expect(chain).toEqual({ token: 'two', shows: ['lines', 'lines a'] })
  })

  test('is told without a binding by what such fields are called', () => {
    const page = last(['GET /v9/things', { next_page_token: 'x1' }], ['GET /v9/things?after=x1'])
    expect(page).toMatchObject({ token: 'x1' })
    expect(last(['GET /v9/things', { name: 'x1' }], ['GET /v9/things?after=x1'])).toBeUndefined()
  })

  test('is none of another list, nor of what was changed', () => {
    const told = { lines: [], pagination_id: 'one' }
    expect(last(['GET /v2/export', told], ['GET /v1/config/view?x=one'])).toBeUndefined()
    expect(last(['GET /v2/export', told], ['GET /v2/export?pagination_id=other'])).toBeUndefined()
    expect(last(['POST /v9/things', { next: 'one' }], ['GET /v9/things?x=one'])).toBeUndefined()
  })
})
