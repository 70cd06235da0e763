import { at } from '../../schemas/pointer.ts'
import type { Answer } from './client.ts'
import { type Fields, isRecord, leavesOf, listsIn, parentOf } from './places.ts'
import { ask, isNothing, note, operationOf, type Probe, said } from './probing.ts'
import { nameAmong, namesFor, pathsOf, patternsOf } from './vocabulary.ts'

export const DAY_S = 86_400

/** Usage reports: rows, what their fields are called, the parameter that limits them. */
export async function probeUsage(probe: Probe, now: number): Promise<void> {
  const query = { from: String(Math.floor(now / 1000) - 7 * DAY_S), to: String(Math.floor(now / 1000)) }
  for (const id of [
    'list-usage-by-tag',
    'list-usage-by-app',
    'list-usage-by-host',
    'list-usage-v2-by-tag',
    'list-usage-v2-by-app',
    'list-usage-v2-by-host',
  ]) {
    const found = await firstThat(probe, pathsFor(probe, id), query, (answer) => listsIn(answer.json).length > 0)
    if (!found) {
      probe.findings.open.set(id, `no path of ${pathsFor(probe, id).length} returned rows`)
      continue
    }
    const { path, answer } = found
    const list = listsIn(answer.json)[0] ?? ''
    const rows = rowsIn(answer.json, list)
    const limit = await limitOf(probe, path, query, list, rows.length)
    const limitKnown: Record<string, string> = limit === undefined ? {} : { limit }
    const fields = rowFields(rows)
    note(probe, {
      id,
      method: 'GET',
      path,
      parameters: { from: 'from', to: 'to', ...limitKnown },
      fields,
      answer: { list },
      status: answer.status,
      from: `probe: ${said('GET', path, answer)} with ${rows.length} rows`,
      sure: limit === undefined ? 'likely' : 'proven',
    })
    if (id === 'list-usage-by-tag') {
      if (limit !== undefined)
        probe.findings.answers.set('GAP-USAGE-LIMIT-PARAMETER', {
          value: limit,
          from: `probe: ${limit}=1 returned one row`,
          sure: 'proven',
        })
      if (fields.name !== undefined && fields.percent !== undefined) {
        const value = { rows: list, name: fields.name, value: fields.percent }
        probe.findings.answers.set('GAP-USAGE-TAGS-BODY', {
          value,
          from: `probe: ${said('GET', path, answer)}`,
          sure: 'likely',
        })
      }
    }
  }
  await probeTotals(probe, query)
}

async function probeTotals(probe: Probe, query: Readonly<Record<string, string>>): Promise<void> {
  const id = 'get-usage-v2'
  const found = await firstThat(
    probe,
    pathsFor(probe, id),
    query,
    ({ json }) => isRecord(json) && leavesOf(json).some(({ value }) => typeof value === 'number'),
  )
  if (!found) return void probe.findings.open.set(id, 'no path returned totals')
  const numbers = leavesOf(found.answer.json).filter(({ value }) => typeof value === 'number')
  const names = numbers.map(({ name }) => name)
  const fields = Object.fromEntries(['lines', 'bytes'].flatMap((ours) => nameOrNone(ours, names)))
  const holder = numbers.find(({ name }) => Object.values(fields).includes(name))
  note(probe, {
    id,
    method: 'GET',
    path: found.path,
    parameters: { from: 'from', to: 'to' },
    fields,
    answer: holder ? { record: parentOf(holder.pointer) } : {},
    status: found.answer.status,
    from: `probe: ${said('GET', found.path, found.answer)}`,
    sure: 'likely',
  })
}

function nameOrNone(ours: string, names: readonly string[]): [string, string][] {
  const name = nameAmong(ours, names)
  return name === undefined ? [] : [[ours, name]]
}

export function rowsIn(json: unknown, list: string): Fields[] {
  const rows = at(json, list)
  return Array.isArray(rows) ? rows.filter(isRecord) : []
}

/** What the fields of usage rows are called: the one with words is the name; numbers by their names. */
function rowFields(rows: readonly Fields[]): Record<string, string> {
  const [row] = rows
  if (!row) return {}
  const texts = Object.keys(row).filter((name) => typeof row[name] === 'string')
  const numbers = Object.keys(row).filter((name) => typeof row[name] === 'number')
  const name = texts.length === 1 ? texts[0] : nameAmong('name', texts)
  return {
    ...(name === undefined ? {} : { name }),
    ...Object.fromEntries(['percent', 'lines', 'bytes'].flatMap((ours) => nameOrNone(ours, numbers))),
  }
}

/** The parameter that limits the rows: with 1 for its value there is one. */
async function limitOf(
  probe: Probe,
  path: string,
  query: Readonly<Record<string, string>>,
  list: string,
  rows: number,
): Promise<string | undefined> {
  if (rows < 2) return undefined
  for (const name of namesFor('limit')) {
    const answer = await ask(probe, 'GET', path, undefined, `?${new URLSearchParams({ ...query, [name]: '1' })}`)
    if (answer.ok && rowsIn(answer.json, list).length === 1) return name
  }
  return undefined
}

export function pathsFor(probe: Probe, id: string): string[] {
  const known = operationOf(probe, id)
  if (known?.specified === true) return [known.path]
  const paths = patternsOf(id).flatMap((pattern) => pathsOf(pattern.slice(pattern.indexOf(' ') + 1)))
  return [...new Set([...(known ? [known.path] : []), ...paths])].slice(0, 60)
}

async function firstThat(
  probe: Probe,
  paths: readonly string[],
  query: Readonly<Record<string, string>>,
  fits: (answer: Answer) => boolean,
): Promise<{ path: string; answer: Answer } | undefined> {
  for (const path of paths) {
    const answer = await ask(probe, 'GET', path, undefined, `?${new URLSearchParams(query)}`)
    if (answer.ok && !isNothing(probe, path, answer) && fits(answer)) return { path, answer }
  }
  return undefined
}

/** A query that the list of enterprise keys refuses. */
export async function probeInvalidQuery(probe: Probe): Promise<void> {
  const path = '/v1/enterprise/keys'
  const good = await ask(probe, 'GET', path)
  if (!good.ok) return
  for (const query of [{ unknown: '1' }, { limit: '-1' }, { type: 'nobody' }]) {
    const answer = await ask(probe, 'GET', path, undefined, `?${new URLSearchParams(query)}`)
    if (answer.status !== 400 && answer.status !== 422) continue
    probe.findings.answers.set('GAP-KEYS-INVALID-QUERY', {
      value: { query },
      from: `probe: ${said('GET', `${path}?${new URLSearchParams(query)}`, answer)}`,
      sure: 'proven',
    })
    return
  }
}
