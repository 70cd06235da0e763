import { empty, isPending, type Reply } from '../../core/message.ts'
import { invalid } from '../../core/refusal.ts'
import type { Handler } from '../../core/route.ts'
import type { Json } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import { all } from '../core/changes.ts'
import type { Variant } from '../core/variant.ts'

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

const USAGE = ['app', 'host', 'tag'].flatMap((by) => [`list-usage-by-${by}`, `list-usage-v2-by-${by}`])

/** Refuses reports of periods that end more than so many milliseconds from now. */
function noReportBeyond(ahead: number): () => Changes {
  const wrap =
    (inner: Handler): Handler =>
    (call) => {
      if (Number(call.query.get('to')) * 1000 > call.env.now() + ahead)
        throw invalid('query parameter to', 'must not lie in the future')
      return inner(call)
    }
  return () => ({ handlers: Object.fromEntries(USAGE.map((operation) => [operation, wrap])) })
}

/** Answers reports without rows in another way. */
function withoutRows(change: (answer: Exclude<Reply, { resume: unknown }>) => Reply): () => Changes {
  const wrap =
    (inner: Handler): Handler =>
    (call) => {
      const reply = inner(call)
      if (isPending(reply)) return reply
      const { json } = reply
      const rows = Array.isArray(json) ? json : (json as { results?: unknown[] } | undefined)?.results
      return rows?.length === 0 ? change(reply) : reply
    }
  return () => ({ handlers: Object.fromEntries(USAGE.map((operation) => [operation, wrap])) })
}

/** Other ways to report usage. */
export const usageVariants: readonly Variant[] = [
  {
    name: 'usage-summed',
    about: 'a usage report lists three names, and sums up the others in one row',
    changes: () =>
      usageRows((rows, _, limit) =>
        rows.length <= 3 || limit <= 3 ? rows : [...rows.slice(0, 3), { ...summed(rows.slice(3)), name: '(other)' }],
      ),
  },
  {
    name: 'usage-shuffled',
    about: 'the rows of a usage report come in another order each time',
    changes: () => {
      let turn = 0
      return {
        answer: (answer, _, operation) => {
          if (operation !== 'list-usage-by-tag' || answer.status !== 200) return answer
          const rows = answer.json as unknown[]
          turn += 1
          const cut = turn % Math.max(1, rows.length)
          return { ...answer, json: [...rows.slice(cut), ...rows.slice(0, cut)] }
        },
      }
    },
  },
  {
    name: 'usage-rounded',
    about: 'percentages of usage are whole numbers',
    changes: () => ({
      answer(answer, _, operation) {
        if (operation !== 'list-usage-by-tag' || answer.status !== 200) return answer
        const round = (row: Json) => ({ ...row, percentage_of_total: Math.round(Number(row.percentage_of_total)) })
        return { ...answer, json: (answer.json as Json[]).map(round) }
      },
    }),
  },
  {
    name: 'usage-other-zone',
    about: 'usage is cut into days at another hour',
    binding: () => ({
      formatVersion: 1,
      name: 'usage-other-zone',
      answers: { 'GAP-USAGE-DAY-ZONE': 'Asia/Kathmandu' },
    }),
    changes: () =>
      all((inner, operation) => (call) => {
        if (!operation.startsWith('list-usage-')) return inner(call)
        const query = new URLSearchParams(call.query)
        for (const name of ['from', 'to']) {
          const value = query.get(name)
          // What Kathmandu is ahead of UTC, in seconds.
          if (value !== null && /^-?\d+$/.test(value)) query.set(name, String(Number(value) + 20_700))
        }
        return inner({ ...call, query })
      }),
  },
  {
    name: 'usage-fields-turned',
    about: 'the fields of the rows of usage reports come in another order each time',
    changes() {
      let count = 0
      return usageRows((rows) => {
        count += 1
        return count % 2 === 0 ? rows : rows.map((row) => Object.fromEntries(Object.entries(row).reverse()))
      })
    },
  },
  {
    name: 'usage-texts',
    about: 'shares are texts with a percent sign, bytes are texts',
    changes: () =>
      usageRows((rows) =>
        rows.map((row) => ({
          ...row,
          ...('percentage_of_total' in row ? { percentage_of_total: `${row.percentage_of_total}%` } : {}),
          ...('total_bytes' in row ? { total_bytes: String(row.total_bytes) } : {}),
        })),
      ),
  },
  {
    name: 'usage-every-name',
    about: 'usage reports name what they have ever named, with nothing counted',
    changes: everyName,
  },
  {
    name: 'usage-ahead-refused',
    about: 'usage of a period that ends more than a day ahead is refused',
    changes: noReportBeyond(86_400_000),
  },
  {
    name: 'usage-future-refused',
    about: 'usage of a period that ends after now is refused',
    changes: noReportBeyond(0),
  },
  {
    name: 'usage-nothing-no-content',
    about: 'a usage report without rows is answered with 204, but for the one by tag, whose 200 is stated',
    changes: () => {
      const { handlers = {} } = withoutRows(() => empty(204))()
      return { handlers: Object.fromEntries(Object.entries(handlers).filter(([id]) => id !== 'list-usage-by-tag')) }
    },
  },
  {
    name: 'usage-nothing-empty',
    about: 'a usage report without rows has no body',
    changes: withoutRows(() => empty()),
  },
]
