import { invalid } from '../../core/refusal.ts'
import { type Answer, empty } from '../../core/route.ts'
import { asked, demands, rows, success, withQuery } from '../../faults/core/changes.ts'
import type { Changes } from '../../faults/core/fault.ts'
import type { CodedVariants } from '../core/variant.ts'

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

/** Three names are listed, and the others summed up in one row. */
function threeNames(): Changes {
  return usageRows((all, _, limit) =>
    all.length <= 3 || limit <= 3 ? all : [...all.slice(0, 3), { ...summed(all.slice(3)), name: '(other)' }],
  )
}

/** The rows come in another order each time. */
function shuffled(): Changes {
  let turn = 0
  return rows('list-usage-by-tag', (all) => {
    turn += 1
    const cut = turn % Math.max(1, all.length)
    return [...all.slice(cut), ...all.slice(0, cut)]
  })
}

/** What Kathmandu is ahead of UTC, in seconds. */
const AHEAD = 20_700

/** Days are cut at another hour. */
function otherZone(): Changes {
  return asked(USAGE, (call) => {
    const ahead = (value: string | null): string | null =>
      value !== null && /^-?\d+$/.test(value) ? String(Number(value) + AHEAD) : value
    return withQuery(call, { from: ahead(call.query.get('from')), to: ahead(call.query.get('to')) })
  })
}

/** The fields of the rows come in another order each time. */
function fieldsTurned(): Changes {
  let count = 0
  return usageRows((all) => {
    count += 1
    return count % 2 === 0 ? all : all.map((row) => Object.fromEntries(Object.entries(row).reverse()))
  })
}

/** Shares are texts with a percent sign, bytes are texts. */
function texts(): Changes {
  return usageRows((all) =>
    all.map((row) => ({
      ...row,
      ...('percentage_of_total' in row ? { percentage_of_total: `${row.percentage_of_total}%` } : {}),
      ...('total_bytes' in row ? { total_bytes: String(row.total_bytes) } : {}),
    })),
  )
}

/** Other ways to report usage. */
export const usageVariants: CodedVariants = {
  'usage-summed': threeNames,
  'usage-shuffled': shuffled,
  'usage-other-zone': otherZone,
  'usage-fields-turned': fieldsTurned,
  'usage-texts': texts,
  'usage-every-name': everyName,
  'usage-ahead-refused': noReportBeyond(86_400_000),
  'usage-future-refused': noReportBeyond(0),
  'usage-nothing-no-content': withoutRows(OTHERS, empty(204)),
  'usage-nothing-empty': withoutRows(USAGE, empty()),
}
