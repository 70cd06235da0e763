import { at } from '../../schemas/pointer.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Answer } from './client.ts'
import { type Fields, isRecord, leavesOf, listsIn, parentOf } from './places.ts'
import { ask, isNothing, note, operationOf, type Probe, said } from './probe-things.ts'
import { nameAmong, namesFor, pathsOf, patternsOf, plain } from './vocabulary.ts'

const DAY_S = 86_400
const POLL_MS = 250
const LONGEST_WAIT_MS = 6_000

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
      probe.findings.open.set(id, `no path of ${pathsFor(probe, id).length} answered with rows`)
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
  if (!found) return void probe.findings.open.set(id, 'no path answered with totals')
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

function rowsIn(json: unknown, list: string): Fields[] {
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

function pathsFor(probe: Probe, id: string): string[] {
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

/** A line as it is sent: our names of its fields, with values that can be found again. */
export function sampleLine(prefix: string, now: number): Fields {
  return {
    line: `${prefix} line`,
    time: now,
    app: `${prefix}-app`,
    level: 'error',
    env: `${prefix}-env`,
    meta: { assay: `${prefix}-meta` },
  }
}

/** Sends one line in the ways that are known; returns whether one was taken in. It cannot be removed again. */
export async function probeIngestion(probe: Probe, { credentials = {} }: TargetConfig, now: number): Promise<boolean> {
  const key = credentials.ingestionKey
  const known = operationOf(probe, 'ingest-lines')
  if (!known || key === undefined) {
    probe.findings.open.set('ingest-lines', 'no ingestion key is configured (credentials.ingestionKey)')
    return false
  }
  const sample = sampleLine(probe.ledger.prefix, now)
  const lines = [Object.fromEntries(Object.entries(sample).map(([ours, value]) => [known.fields[ours] ?? ours, value]))]
  const body = fillTemplate(known.body, { lines })
  const paths = [
    ...new Set([known.path, '/v1/ingest', '/ingest', '/v1/logs', '/logs', '/v1/logs/ingest', '/v1/lines', '/intake']),
  ]
  let last = ''
  for (const path of paths) {
    for (const headers of headerForms()) {
      const filled = Object.entries(headers).map(([name, value]) => ({
        name,
        value: value.replace('{{basic}}', Buffer.from(`${key}:`).toString('base64')).replace('{{ingestionKey}}', key),
      }))
      const query = new URLSearchParams({
        hostname: `${probe.ledger.prefix}-host`,
        now: String(now),
        tags: `${probe.ledger.prefix}-tag`,
      })
      const answer = await probe.client.send({
        method: 'POST',
        path: `${path}?${query}`,
        family: 'ingestion',
        body,
        headers: filled,
      })
      last ||= said('POST', path, answer)
      if (answer.status === 404) break
      if (!answer.ok) continue
      const status = Object.keys(isRecord(answer.json) ? answer.json : {}).find((name) => plain(name) === 'status')
      const from = `probe: ${said('POST', path, answer)} with the key in ${Object.keys(headers).join(', ')}`
      note(probe, {
        id: 'ingest-lines',
        method: 'POST',
        path,
        answer: status === undefined ? {} : { status: `/${status}` },
        status: answer.status,
        from,
        sure: 'likely',
      })
      if (!Object.values(headers).some((value) => value.includes('{{basic}}'))) {
        probe.findings.answers.set('GAP-INGESTION-AUTH', { value: { headers }, from, sure: 'proven' })
      }
      return true
    }
  }
  probe.findings.open.set('ingest-lines', `${last}; no other path or header took a line (GAP-INGESTION-AUTH)`)
  return false
}

/** How an ingestion key may be sent. */
function headerForms(): Record<string, string>[] {
  return [
    { apikey: '{{ingestionKey}}' },
    { authorization: 'Bearer {{ingestionKey}}' },
    { 'x-api-key': '{{ingestionKey}}' },
    { authorization: 'ApiKey {{ingestionKey}}' },
    { authorization: 'Basic {{basic}}' },
  ]
}

/** Exports: where they are, what their parameters do, and what the fields of a line are called. */
export async function probeExports(probe: Probe, sent: boolean, now: number, settleMs: number): Promise<void> {
  for (const id of ['export-v2', 'export-v1']) await probeExport(probe, id, sent, now, settleMs)
}

interface Exported {
  readonly answer: Answer
  readonly list: string
  readonly rows: readonly Fields[]
}

async function probeExport(probe: Probe, id: string, sent: boolean, now: number, settleMs: number): Promise<void> {
  const get = async (path: string, query: Readonly<Record<string, string>>): Promise<Exported | undefined> => {
    const answer = await ask(probe, 'GET', path, undefined, `?${new URLSearchParams(query)}`)
    if (!answer.ok || isNothing(probe, path, answer)) return undefined
    const list = id === 'export-v1' ? '' : listsIn(answer.json)[0]
    if (list === undefined) return undefined
    return { answer, list, rows: id === 'export-v1' ? jsonLines(answer.text) : rowsIn(answer.json, list) }
  }
  const seconds = Math.floor(now / 1000)
  const period = { from: String(seconds - 7 * DAY_S), to: String(seconds + 3600) }
  for (const path of pathsFor(probe, id)) {
    let found = await get(path, period)
    if (!found) continue
    const line = `${probe.ledger.prefix} line`
    for (const until = Date.now() + LONGEST_WAIT_MS + settleMs; sent && !lineOf(found, line) && Date.now() < until; ) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      found = (await get(path, period)) ?? found
    }
    const own = lineOf(found, line)
    const fields = lineFields(probe, own, found.rows[0], now)
    const parameters = await parametersOf((query) => get(path, { ...period, ...query }), found, fields, now)
    const { answer, list, rows } = found
    const token =
      id === 'export-v2' && isRecord(answer.json) ? nameAmong('pagination_id', Object.keys(answer.json)) : undefined
    note(probe, {
      id,
      method: 'GET',
      path,
      parameters: token === undefined ? parameters : { ...parameters, pagination_id: token },
      fields,
      answer: id === 'export-v1' ? {} : { list, ...(token === undefined ? {} : { pagination_id: `/${token}` }) },
      status: answer.status,
      from: `probe: ${said('GET', path, answer)} with ${rows.length} lines${own ? ', and the one that was sent' : ''}`,
      sure: own || Object.keys(parameters).length > 2 ? 'proven' : 'likely',
    })
    if (token !== undefined) await probeFirstPage(probe, (query) => get(path, { ...period, ...query }), token)
    return
  }
  probe.findings.open.set(id, `no path of ${pathsFor(probe, id).length} answered with lines`)
}

/** How a first page is asked for: with the parameter as the specification has it, or else without. */
async function probeFirstPage(
  probe: Probe,
  get: (query: Readonly<Record<string, string>>) => Promise<Exported | undefined>,
  token: string,
): Promise<void> {
  const rows = (await get({}))?.rows.length ?? 0
  for (const [value, written] of [
    ['null', 'null'],
    ['empty', ''],
  ] as const) {
    if (((await get({ [token]: written }))?.rows.length ?? -1) < rows) continue
    probe.findings.answers.set('GAP-EXPORT-FIRST-PAGE', {
      value,
      from: `probe: ${token}=${written} returned the first page`,
      sure: 'proven',
    })
    return
  }
  probe.findings.answers.set('GAP-EXPORT-FIRST-PAGE', {
    value: 'left-out',
    from: `probe: without ${token} the first page was returned`,
    sure: 'proven',
  })
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

function jsonLines(text: string): Fields[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = line === '' ? undefined : JSON.parse(line)
      return isRecord(value) ? [value] : []
    } catch {
      return []
    }
  })
}

function lineOf({ rows }: Exported, text: string): Fields | undefined {
  return rows.find((row) => leavesOf(row).some(({ value }) => value === text))
}

/** What each field of a line is called: of the line that was sent by its values, of others by names. */
function lineFields(
  { ledger: { prefix } }: Probe,
  own: Fields | undefined,
  any: Fields | undefined,
  now: number,
): Record<string, string> {
  const row = own ?? any
  if (!row) return {}
  const values: Fields = {
    line: `${prefix} line`,
    host: `${prefix}-host`,
    app: `${prefix}-app`,
    env: `${prefix}-env`,
    time: now,
    level: 'error',
    tags: JSON.stringify([`${prefix}-tag`]),
    meta: JSON.stringify({ assay: `${prefix}-meta` }),
  }
  return Object.fromEntries(
    ['id', 'line', 'time', 'host', 'app', 'level', 'env', 'tags', 'meta'].flatMap((ours): [string, string][] => {
      const byValue =
        own && Object.keys(row).find((name) => row[name] === values[ours] || JSON.stringify(row[name]) === values[ours])
      const name = byValue ?? nameAmong(ours, Object.keys(row))
      return name === undefined ? [] : [[ours, name]]
    }),
  )
}

/** Parameters, each found by what it does: fewer lines, none, the other end. */
async function parametersOf(
  get: (query: Readonly<Record<string, string>>) => Promise<Exported | undefined>,
  { rows }: Exported,
  fields: Readonly<Record<string, string>>,
  now: number,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  if (rows.length < 2) return found
  const nobody = 'assay-nobody'
  const day = Math.floor(now / 1000)
  const tests: [string, string, (after: readonly Fields[]) => boolean][] = [
    ['from', String(day + DAY_S), (after) => after.length === 0],
    ['to', String(day - 400 * DAY_S), (after) => after.length === 0],
    ['hosts', nobody, (after) => after.length === 0],
    ['apps', nobody, (after) => after.length === 0],
    ['levels', nobody, (after) => after.length === 0],
    ['query', nobody, (after) => after.length === 0],
    ['size', '1', (after) => after.length === 1],
  ]
  for (const [ours, value, fits] of tests) {
    for (const name of namesFor(ours).flatMap((one) =>
      one === plain(ours) ? [ours, one] : [one, `${one}s`, pluralY(one)],
    )) {
      if (Object.values(found).includes(name)) continue
      const after = await get({ [name]: value })
      if (!after || !fits(after.rows)) continue
      found[ours] = name
      break
    }
  }
  const line = fields.line
  const size = found.size
  if (line === undefined || size === undefined) return found
  const tail = await get({ [size]: '1' })
  for (const name of namesFor('prefer')) {
    const head = await get({ [size]: '1', [name]: 'head' })
    const end = await get({ [size]: '1', [name]: 'tail' })
    if (!head || !end || head.rows[0]?.[line] === end.rows[0]?.[line] || end.rows[0]?.[line] !== tail?.rows[0]?.[line])
      continue
    found.prefer = name
    break
  }
  return found
}

function pluralY(word: string): string {
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : word
}
