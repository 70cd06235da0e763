import { at } from '../../schemas/pointer.ts'
import { emailFor } from '../../suites/request/sink.ts'
import type { Answer } from './client.ts'
import { type Fields, isRecord, leavesOf, listsIn } from './places.ts'
import { complaintsOf } from './refusal.ts'
import { ask, hit, isNothing, type Search, trial, type Way, waysOf } from './search.ts'
import { nameAmong, namesFor, plain } from './vocabulary.ts'

const DAY_S = 86_400
const POLL_MS = 250
const LONGEST_WAIT_MS = 6_000
const MOST_WAYS = 60

type Query = Readonly<Record<string, string>>

interface Exported {
  readonly answer: Answer
  readonly rows: readonly Fields[]
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Exports: where they are, and what their parameters do. `line`: what was sent, and should come out. */
export async function searchExports(
  search: Search,
  line: Fields | undefined,
  now: number,
  waitMs: number,
): Promise<void> {
  for (const id of ['export-v2', 'export-v1']) await searchExport(search, id, line, now, waitMs)
  const intake = search.hits.get('ingest-lines')
  const isShown = ['export-v2', 'export-v1'].some((id) => search.hits.get(id)?.from.includes(SHOWN) === true)
  if (intake && isShown)
    search.hits.set('ingest-lines', {
      ...intake,
      sure: 'proven',
      from: `${intake.from}; an export then shows the line`,
    })
}

const SHOWN = 'and the one that was sent'

/** How a period is written. */
const FORMS = {
  seconds: (ms: number) => String(Math.floor(ms / 1000)),
  milliseconds: (ms: number) => String(ms),
  iso: (ms: number) => new Date(ms).toISOString(),
}

async function searchExport(
  search: Search,
  id: string,
  line: Fields | undefined,
  now: number,
  waitMs: number,
): Promise<void> {
  const ways = waysOf(search, id).slice(0, MOST_WAYS)
  const document = Object.keys(search.documented.get(id)?.seen[0]?.query ?? {})
  const names = { from: nameAmong('from', document) ?? 'from', to: nameAmong('to', document) ?? 'to' }
  for (const way of ways) {
    const get = async (query: Query): Promise<Exported | undefined> => {
      const answer = await ask(search, way, undefined, query)
      // A refusal may name the parameters of the period.
      for (const { field } of answer.status === 400 || answer.status === 422
        ? complaintsOf(answer.json ?? answer.text)
        : [])
        for (const ours of ['from', 'to'] as const) if (nameAmong(ours, [field]) !== undefined) names[ours] = field
      const rows = answer.ok && !isNothing(search, way.path, answer) ? rowsOf(id, answer) : undefined
      return rows && { answer, rows }
    }
    const isOwn = (row: Fields): boolean => line !== undefined && leavesOf(row).some(({ value }) => value === line.line)
    for (const [form, write] of Object.entries(FORMS)) {
      const period = (): Query => ({ [names.from]: write(now - 7 * DAY_S * 1000), [names.to]: write(now + 3_600_000) })
      let found = (await get(period())) ?? (await get(period()))
      if (!found) continue
      const until = Date.now() + LONGEST_WAIT_MS + waitMs
      while (line && form === 'seconds' && !found.rows.some(isOwn) && Date.now() < until) {
        await sleep(POLL_MS)
        found = (await get(period())) ?? found
      }
      // Where nothing comes out, the period may be written in another way.
      if (line && found.rows.length === 0 && form !== 'iso') continue
      const whole = found
      const more = (query: Query): Promise<Exported | undefined> => get({ ...period(), ...query })
      const { parameters, forms } = await parametersOf(search, id, more, whole, line, now)
      const asked = form === 'seconds' ? {} : { from: form, to: form }
      hit(search, id, way, whole.answer, {
        asked: period(),
        parameters,
        ...(Object.keys({ ...forms, ...asked }).length > 0 ? { forms: { ...forms, ...asked } } : {}),
        why: ` with ${whole.rows.length} lines${whole.rows.some(isOwn) ? `, ${SHOWN}` : ''}`,
        sure: whole.rows.some(isOwn) || Object.keys(parameters).length > 2 ? 'proven' : 'likely',
      })
      const token = parameters.pagination_id
      if (token !== undefined) await searchFirstPage(search, more, token)
      return
    }
  }
  if (!search.hits.has(id)) search.open.set(id, `no path of ${ways.length} returned lines`)
}

function rowsOf(id: string, { json, text }: Answer): Fields[] | undefined {
  if (id === 'export-v1') {
    const rows = text
      .split('\n')
      .filter((one) => one.trim() !== '')
      .map((one) => parsed(one))
    return rows.every(isRecord) && !/^\s*\{\s*$/.test(text) ? rows : undefined
  }
  const [list] = listsIn(json)
  return list === undefined ? undefined : rowsAt(json, list)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function rowsAt(json: unknown, list: string): Fields[] {
  const rows = at(json, list)
  return Array.isArray(rows) ? rows.filter(isRecord) : []
}

/** Parameters, each found by what it does: fewer lines, none, the other end; with the forms in which several values are sent. */
async function parametersOf(
  search: Search,
  id: string,
  get: (query: Query) => Promise<Exported | undefined>,
  { answer, rows }: Exported,
  line: Fields | undefined,
  now: number,
): Promise<{ parameters: Record<string, string>; forms: Record<string, string> }> {
  const found: Record<string, string> = {}
  const forms: Record<string, string> = {}
  const token =
    id === 'export-v2' && isRecord(answer.json) ? nameAmong('pagination_id', Object.keys(answer.json)) : undefined
  if (token !== undefined) found.pagination_id = token
  const document = Object.keys(search.documented.get(id)?.seen[0]?.query ?? {})
  const known = (ours: string): string[] => {
    const name = document.includes(ours) ? ours : nameAmong(ours, document)
    return name === undefined ? [] : [name]
  }
  if (rows.length < 1) return { parameters: found, forms }
  const none = (after: readonly Fields[]): boolean => after.length === 0
  const tests: readonly (readonly [string, string, (after: readonly Fields[]) => boolean])[] = [
    ['from', String(Math.floor(now / 1000) + DAY_S), none],
    ['to', String(Math.floor(now / 1000) - 400 * DAY_S), none],
    ...['hosts', 'apps', 'levels', 'query'].map((one) => [one, 'assay-nobody', none] as const),
    ['size', '1', (after) => after.length === 1 && rows.length > 1],
  ]
  for (const [ours, value, fits] of tests) {
    const words = namesFor(ours).flatMap((one) =>
      one === plain(ours) ? [ours, one] : [one, `${one}s`, one.replace(/y$/, 'ies')],
    )
    const shown = nameAmong(ours.replace(/s$/, ''), Object.keys(rows[0] ?? {}))
    const own = shown === undefined ? [] : [`${shown}s`, shown]
    for (const name of new Set([...known(ours), ...words, ...own])) {
      if (Object.values(found).includes(name)) continue
      const after = await get({ [name]: value })
      if (!after || !fits(after.rows)) continue
      found[ours] = name
      const own = { hosts: line?.host, apps: line?.app, levels: line?.level }[ours]
      // Of several values with commas between nothing comes out: then each has a parameter of its own.
      const alone = own === undefined ? undefined : await get({ [name]: String(own) })
      const both = alone && alone.rows.length > 0 ? await get({ [name]: `${String(own)},assay-nobody` }) : undefined
      if (both && none(both.rows)) forms[ours] = 'repeated'
      break
    }
  }
  const [size] = found.size === undefined ? [] : [found.size]
  if (size !== undefined && rows.length > 1) {
    const shown = async (query: Query): Promise<string> =>
      JSON.stringify((await get({ [size]: '1', ...query }))?.rows[0] ?? null)
    const tail = await shown({})
    for (const name of new Set([...known('prefer'), ...namesFor('prefer')])) {
      const [head, end] = [await shown({ [name]: 'head' }), await shown({ [name]: 'tail' })]
      if (head === 'null' || end === 'null' || head === end || end !== tail) continue
      found.prefer = name
      break
    }
  }
  if (id === 'export-v1' && search.agreed.modify) {
    const address = emailFor(search.sink, `${search.ledger.prefix}-export`)
    for (const name of new Set([...known('email'), 'email', 'mail', 'notify', 'recipient', 'mail_to', 'send_to'])) {
      const after = await get({ [name]: address })
      if (!after || after.rows.length > 1 || after.rows.some((row) => Object.keys(row).length > 2)) continue
      found.email = name
      break
    }
  }
  return { parameters: found, forms }
}

/** How a first page is asked for: with the parameter as the specification has it, or else without. */
async function searchFirstPage(
  search: Search,
  get: (query: Query) => Promise<Exported | undefined>,
  token: string,
): Promise<void> {
  const rows = (await get({}))?.rows.length ?? 0
  const forms = [
    ['null', 'null'],
    ['empty', ''],
  ] as const
  for (const [value, written] of forms) {
    if (((await get({ [token]: written }))?.rows.length ?? -1) < rows) continue
    search.answers.set('GAP-EXPORT-FIRST-PAGE', {
      value,
      from: `probe: ${token}=${written} returned the first page`,
      sure: 'proven',
    })
    return
  }
  search.answers.set('GAP-EXPORT-FIRST-PAGE', {
    value: 'left-out',
    from: `probe: without ${token} the first page was returned`,
    sure: 'proven',
  })
}

/** Waits until an export shows the first of some texts; whether it then shows each. */
export async function exportShows(
  search: Search,
  texts: readonly string[],
  waitMs: number,
): Promise<readonly boolean[] | undefined> {
  const [id, route] = ['export-v2', 'export-v1'].flatMap((one) => {
    const seen = search.hits.get(one)
    return seen ? [[one, seen] as const] : []
  })[0] ?? ['', undefined]
  if (!route) return undefined
  for (const until = Date.now() + LONGEST_WAIT_MS + waitMs; Date.now() < until; ) {
    const query = Object.fromEntries(Object.entries(route.seen[0]?.query ?? {}))
    const answer = await ask(search, route, undefined, query)
    const values = (rowsOf(id, answer) ?? []).flatMap((row) => leavesOf(row).map(({ value }) => value))
    if (values.includes(texts[0])) return texts.map((text) => values.includes(text))
    await sleep(POLL_MS)
  }
  return undefined
}

/** Usage reports: rows, and the parameter that limits them. */
export async function searchUsage(search: Search, now: number): Promise<void> {
  const seconds = Math.floor(now / 1000)
  const asked = { from: String(seconds - 7 * DAY_S), to: String(seconds) }
  const reports = search.shipped[0]
    ? [...search.shipped[0].operations.values()].filter(({ id }) => id.includes('usage'))
    : []
  for (const { id } of reports) {
    const isTotal = id === 'get-usage-v2'
    const fits = ({ json }: Answer): boolean =>
      isTotal
        ? isRecord(json) && leavesOf(json).some(({ value }) => typeof value === 'number')
        : listsIn(json).length > 0
    const found = await trial(search, id, waysOf(search, id).slice(0, MOST_WAYS), fits, { asked, sure: 'likely' })
    if (!found || isTotal) continue
    const list = listsIn(found.answer.json)[0] ?? ''
    const rows = rowsAt(found.answer.json, list).length
    const document = Object.keys(search.documented.get(id)?.seen[0]?.query ?? {})
    const told = document.includes('limit') ? 'limit' : nameAmong('limit', document)
    for (const name of rows < 2 ? [] : new Set([...(told === undefined ? [] : [told]), ...namesFor('limit')])) {
      const answer = await ask(search, found.way, undefined, { ...asked, [name]: '1' })
      if (!answer.ok || rowsAt(answer.json, list).length !== 1) continue
      hit(search, id, found.way, answer, {
        parameters: { from: 'from', to: 'to', limit: name },
        why: ` with one row of ${rows}`,
      })
      break
    }
  }
  await searchInvalidQuery(search)
}

/** A query that the list of enterprise keys refuses. */
async function searchInvalidQuery(search: Search): Promise<void> {
  const way: Way = { method: 'GET', path: '/v1/enterprise/keys' }
  if (!(await ask(search, way)).ok) return
  for (const query of [{ unknown: '1' }, { limit: '-1' }, { type: 'nobody' }] as Query[]) {
    const { status } = await ask(search, way, undefined, query)
    if (status !== 400 && status !== 422) continue
    const from = `probe: GET ${way.path}?${new URLSearchParams(query)} returned ${status}`
    search.answers.set('GAP-KEYS-INVALID-QUERY', { value: { query }, from, sure: 'proven' })
    return
  }
}
