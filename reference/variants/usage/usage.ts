import { invalid } from '../../core/refusal.ts'
import { type Answer, empty } from '../../core/route.ts'
import { asked, demands, rows, success, withQuery } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { type Variant, variant } from '../core/variant.ts'

type Row = Readonly<Record<string, unknown>>

const USAGE_REPORT = /^list-usage-/

/** Changes the rows of usage reports, which the specification does not show. */
function usageRows(change: (rows: readonly Row[], operation: string, limit: number) => readonly Row[]): Changes {
  return {
    answer(answer, { search }, operation = '') {
      if (!USAGE_REPORT.test(operation) || answer.status >= 300) return answer
      const limit = Number(new URLSearchParams(search).get('limit') ?? Number.POSITIVE_INFINITY)
      const { json } = answer
      if (Array.isArray(json)) return { ...answer, json: change(json as Row[], operation, limit) }
      const { results, ...rest } = json as { results: Row[] }
      return { ...answer, json: { ...rest, results: change(results, operation, limit) } }
    },
  }
}

/** What a report names that it has named before, with nothing counted. */
function everyName(): Changes {
  const known = new Map<string, Map<unknown, Row>>()
  return usageRows((rows, operation, limit) => {
    const names = known.get(operation) ?? new Map<unknown, Row>()
    known.set(operation, names)
    for (const row of rows) {
      const counted = Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? 0 : value])
      names.set(row.name, Object.fromEntries(counted) as Row)
    }
    const listed = new Set(rows.map(({ name }) => name))
    return [...rows, ...[...names].flatMap(([name, row]) => (listed.has(name) ? [] : [row]))].slice(0, limit)
  })
}

/** One row with the sums of all. */
function summed(rows: readonly Row[]): Row {
  const names = Object.keys(rows[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + Number(row[name]), 0)]))
}

/** All reports by name, but for the one of shares by tag. */
const OTHERS = 'list-usage-by-app list-usage-by-host list-usage-v2-by-app list-usage-v2-by-host list-usage-v2-by-tag'
const USAGE = `list-usage-by-tag ${OTHERS}`

/** Refuses reports of periods that end more than so many milliseconds from now. */
function noReportBeyond(ahead: number): () => Changes {
  return () =>
    demands(USAGE, ({ query, env }) => {
      if (Number(query.get('to')) * 1000 > env.now() + ahead)
        throw invalid('query parameter to', 'must not lie in the future')
    })
}

/** Answers reports without rows in another way. */
function withoutRows(operations: string, instead: Answer): () => Changes {
  return () =>
    success(operations, (answer) => {
      const { json } = answer
      const rows = Array.isArray(json) ? json : (json as { results?: unknown[] } | undefined)?.results
      return rows?.length === 0 ? instead : answer
    })
}

/** Other ways to report usage. */
export const usageVariants: readonly Variant[] = [
  variant('usage-summed', 'a usage report lists three names, and sums up the others in one row', () =>
    usageRows((rows, _, limit) =>
      rows.length <= 3 || limit <= 3 ? rows : [...rows.slice(0, 3), { ...summed(rows.slice(3)), name: '(other)' }],
    ),
  ),
  variant('usage-shuffled', 'the rows of a usage report come in another order each time', () => {
    let turn = 0
    return rows('list-usage-by-tag', (all) => {
      turn += 1
      const cut = turn % Math.max(1, all.length)
      return [...all.slice(cut), ...all.slice(0, cut)]
    })
  }),
  variant('usage-rounded', 'percentages of usage are whole numbers', () =>
    rows('list-usage-by-tag', (all) =>
      all.map((row) => ({ ...row, percentage_of_total: Math.round(Number(row.percentage_of_total)) })),
    ),
  ),
  {
    name: 'usage-other-zone',
    about: 'usage is cut into days at another hour',
    binding: () => ({
      formatVersion: 1,
      name: 'usage-other-zone',
      answers: { 'GAP-USAGE-DAY-ZONE': 'Asia/Kathmandu' },
    }),
    changes: () =>
      asked(USAGE, (call) => {
        // What Kathmandu is ahead of UTC, in seconds.
        const ahead = (value: string | null) =>
          value !== null && /^-?\d+$/.test(value) ? String(Number(value) + 20_700) : value
        return withQuery(call, { from: ahead(call.query.get('from')), to: ahead(call.query.get('to')) })
      }),
  },
  variant('usage-fields-turned', 'the fields of the rows of usage reports come in another order each time', () => {
    let count = 0
    return usageRows((rows) => {
      count += 1
      return count % 2 === 0 ? rows : rows.map((row) => Object.fromEntries(Object.entries(row).reverse()))
    })
  }),
  variant('usage-texts', 'shares are texts with a percent sign, bytes are texts', () =>
    usageRows((rows) =>
      rows.map((row) => ({
        ...row,
        ...('percentage_of_total' in row ? { percentage_of_total: `${row.percentage_of_total}%` } : {}),
        ...('total_bytes' in row ? { total_bytes: String(row.total_bytes) } : {}),
      })),
    ),
  ),
  variant('usage-every-name', 'usage reports name what they have ever named, with nothing counted', everyName),
  variant(
    'usage-ahead-refused',
    'usage of a period that ends more than a day ahead is refused',
    noReportBeyond(86_400_000),
  ),
  variant('usage-future-refused', 'usage of a period that ends after now is refused', noReportBeyond(0)),
  variant(
    'usage-nothing-no-content',
    'a usage report without rows is answered with 204, but for the one by tag, whose 200 is stated',
    withoutRows(OTHERS, empty(204)),
  ),
  variant('usage-nothing-empty', 'a usage report without rows has no body', withoutRows(USAGE, empty())),
]
