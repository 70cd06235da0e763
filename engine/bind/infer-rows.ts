import type { SeenRoute } from './exchanges.ts'
import { add, type Findings } from './found.ts'
import { type Fields, isRecord, leavesOf, listsIn, parentOf, recordsAt } from './places.ts'
import { shipped } from './shipped.ts'
import { nameAmong } from './vocabulary.ts'

type Routes = ReadonlyMap<string, SeenRoute>

/** Rows of usage, lines of exports: of a line that was sent by its values, else by the names of the fields. */
export function noteRows(findings: Findings, routes: Routes): void {
  const { line: sent = {} } = routes.get('ingest-lines') ?? {}
  for (const [id, route] of routes) {
    const known = shipped()[0].operations.get(id)
    if (!/usage|^export/.test(id) || !known) continue
    const total = id === 'get-usage-v2'
    const told = findings.operations.get(id)?.answer?.list
    const [list] =
      id === 'export-v1' || total ? [] : route.seen.flatMap(({ answer }) => told ?? listsIn(answer)[0] ?? [])
    const rows = route.seen.flatMap(({ answer }) =>
      list === undefined ? [answer].flat().filter(isRecord) : recordsAt(answer, list),
    )
    const isOwn = (row: Fields): boolean => leavesOf(row).some(({ value }) => value === sent.line)
    const row = rows.find(isOwn) ?? rows[0]
    const leaves = leavesOf(row)
    const names = total ? leaves.map(({ name }) => name) : Object.keys(row ?? {})
    // Where rows count lines too, a single number may be either.
    const only = known.fields.lines === undefined ? { name: 'string', bytes: 'number' } : { name: 'string' }
    const fields = Object.fromEntries(
      Object.keys(known.fields).flatMap((ours) => {
        const byValue =
          row && sent[ours] !== undefined && isOwn(row)
            ? names.find((name) => JSON.stringify(row[name]) === JSON.stringify(sent[ours]))
            : undefined
        // Of the only text, and of the only number, there is no doubt.
        const fitting = names.filter((one) => typeof row?.[one] === only[ours as keyof typeof only])
        const name = byValue ?? (fitting.length === 1 ? fitting[0] : nameAmong(ours, names))
        return name === undefined ? [] : [[ours, name]]
      }),
    )
    const holder = total ? leaves.find(({ name }) => Object.values(fields).includes(name)) : undefined
    add(findings, id, {
      fields,
      answer: {
        ...(list === undefined ? {} : { list }),
        ...(holder ? { record: parentOf(holder.pointer) } : {}),
      },
    })
  }
}

/** Gaps that take a value which exchanges show. */
export function noteAnswers(findings: Findings, routes: Routes): void {
  const set = (gap: string, value: unknown, id: string): void => {
    const { from = '', sure = 'likely' } = findings.operations.get(id) ?? {}
    if (!findings.answers.has(gap)) findings.answers.set(gap, { value, from: `${from} (${id})`, sure })
  }
  for (const type of ['source', 'transform']) {
    const sent = [...(routes.get(`update-${type}`)?.seen ?? []), ...(routes.get(`create-${type}`)?.seen ?? [])]
    // The body that is bound comes first: some targets ignore a field that they do not know.
    const bodies = [findings.operations.get(`create-${type}`)?.body, ...sent.map((one) => one.sent)].filter(isRecord)
    const [kind] = bodies.flatMap((body) => nameAmong('type', Object.keys(body)) ?? [])
    if (kind !== undefined) set(`GAP-${type.toUpperCase()}-KIND-FIELD`, kind, `update-${type}`)
  }
  const tags = findings.operations.get('list-usage-by-tag')
  if (tags?.parameters?.limit !== undefined)
    set('GAP-USAGE-LIMIT-PARAMETER', tags.parameters.limit, 'list-usage-by-tag')
  if (tags?.answer?.list !== undefined && tags.fields?.name !== undefined && tags.fields.percent !== undefined)
    set(
      'GAP-USAGE-TAGS-BODY',
      { rows: tags.answer.list, name: tags.fields.name, value: tags.fields.percent },
      'list-usage-by-tag',
    )
  const events = findings.operations.get('start-tap')?.answer?.events
  if (events !== undefined) set('GAP-TAP-ANSWER', { events }, 'start-tap')
}
