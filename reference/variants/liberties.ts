import type { Answer } from '../core/message.ts'
import type { Changes } from '../faults/core/fault.ts'
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

type Fields = Readonly<Record<string, unknown>>

/** Changes what reads of some operations show. */
function shown(operations: readonly string[], change: (value: unknown) => unknown): () => Changes {
  return () => ({
    answer: (answer, _request, operation) =>
      operations.includes(operation ?? '') && answer.status < 300 && answer.json !== undefined
        ? { ...answer, json: change(answer.json) }
        : answer,
  })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Within configurations, fields that say nothing are left out. */
function withoutEmpty(value: unknown, inside = false): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutEmpty(element, inside))
  if (!isFields(value)) return value
  const kept = Object.entries(value).map(([name, child]) => [
    name,
    withoutEmpty(child, inside || name === 'user_config'),
  ])
  return Object.fromEntries(inside ? kept.filter(([, child]) => !isEmpty(child)) : kept)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

const MINUTES = /^(\d+)m$/

/** Channels as a target of its own mind keeps them. */
function respelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respelled)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => {
      if (name === 'headers' && isFields(child)) {
        return [name, Object.fromEntries(Object.entries(child).map(([field, text]) => [field.toUpperCase(), text]))]
      }
      if (name === 'triggerlimit') return [name, Number(child)]
      if (name === 'triggerinterval') return [name, String(child).replace(MINUTES, (_, count) => String(count * 60))]
      if (name === 'operator') return [name, String(child).toUpperCase()]
      return [name, respelled(child)]
    }),
  )
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
    name: 'preset-respelled',
    about: 'preset alerts are shown with numbers, units, capitals and names of header fields as the target keeps them',
    changes: shown(['get-preset-alert', 'list-preset-alerts'], respelled),
  },
  {
    name: 'configurations-without-empty',
    about: 'configurations of nodes are shown without fields that say nothing',
    changes: shown(['get-transform', 'get-source', 'list-transforms', 'list-sources'], withoutEmpty),
  },
  {
    name: 'export-numbered-pages',
    about: 'the tokens of pages are numbers',
    changes: numberedPages,
  },
]
