import type { Answer } from '../core/message.ts'
import type { Changes } from '../mutants/mutant.ts'
import type { Variant } from './variant.ts'

type Row = Readonly<Record<string, unknown>>

const USAGE = /^list-usage-/

/** Changes the rows of usage reports, which the specification does not show. */
function usageRows(change: (rows: readonly Row[], operation: string, limit: number) => readonly Row[]): Changes {
  return {
    answer(answer, { search }, operation = '') {
      if (!USAGE.test(operation) || answer.status >= 300) return answer
      const limit = Number(new URLSearchParams(search).get('limit') ?? Number.POSITIVE_INFINITY)
      const { json } = answer
      if (Array.isArray(json)) return { ...answer, json: change(json as Row[], operation, limit) }
      const { results, ...rest } = json as { results: Row[] }
      return { ...answer, json: { ...rest, results: change(results, operation, limit) } }
    },
  }
}

/** Changes how a read says that there is nothing to read. */
function nothing(answerOf: (path: string) => Answer): () => Changes {
  return () => ({
    answer: (answer, { method, path }) => (method === 'GET' && answer.status === 404 ? answerOf(path) : answer),
  })
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

/** Tokens of pages are numbers. */
function numberedPages(): Changes {
  const tokens = new Map<string, number>()
  return {
    handlers: {
      'export-v2': (inner) => (call) => {
        const given = call.query.get('pagination_id')
        const token = [...tokens].find(([, number]) => String(number) === given)?.[0]
        if (token === undefined) return inner(call)
        const query = new URLSearchParams(call.query)
        query.set('pagination_id', token)
        return inner({ ...call, query })
      },
    },
    answer(answer, _request, operation) {
      const json = answer.json as { pagination_id?: unknown } | undefined
      if (operation !== 'export-v2' || typeof json?.pagination_id !== 'string') return answer
      const number = tokens.get(json.pagination_id) ?? 1_000 + tokens.size
      tokens.set(json.pagination_id, number)
      return { ...answer, json: { ...json, pagination_id: number } }
    },
  }
}

/** What users of other implementations have met. */
export const libertyVariants: readonly Variant[] = [
  {
    name: 'gone-null',
    about: 'reading what is not there is answered with success, and null',
    changes: nothing((path) => ({ status: 200, json: path.startsWith('/v3/') ? { data: null } : null })),
  },
  {
    name: 'gone-no-content',
    about: 'reading what is not there is answered with success, and nothing',
    changes: nothing(() => ({ status: 204 })),
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
    name: 'owner-forbidden',
    about: 'the removal of the owner is refused with 403',
    changes: () => ({
      answer: (answer, _request, operation) =>
        operation === 'delete-member' && (answer.json as { code?: unknown } | undefined)?.code === 'Conflict'
          ? { ...answer, status: 403 }
          : answer,
    }),
  },
  {
    name: 'export-numbered-pages',
    about: 'the tokens of pages are numbers',
    changes: numberedPages,
  },
]
