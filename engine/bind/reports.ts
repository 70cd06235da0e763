import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { jsonIn } from '../../schemas/json.ts'
import { emailFor } from '../../suites/request/sink.ts'
import type { Answer } from './client.ts'
import { type Fields, isRecord, leavesOf, listsIn, recordsAt } from './places.ts'
import { complaintsOf } from './refusal.ts'
import { answered, ask, hit, isNothing, noteTried, type Search, trial, type Way, waysOf } from './search.ts'
import { shipped } from './shipped.ts'
import { nameAmong, spellingsOf } from './vocabulary.ts'

const DAY_S = 86_400
const POLL_MS = 250
const LONGEST_WAIT_MS = 6_000

type Query = Readonly<Record<string, string>>

interface Exported {
  readonly answer: Answer
  readonly rows: readonly Fields[]
}

/** Exports: where they are, and what their parameters do. `line`: what was sent, and should come out. */
export async function searchExports(search: Search, line: Fields | undefined): Promise<void> {
  for (const id of ['export-v2', 'export-v1']) await searchExport(search, id, line)
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

async function searchExport(search: Search, id: string, line: Fields | undefined): Promise<void> {
  const { now, waitMs } = search
  const ways = waysOf(search, id)
  const names = { from: toldBy(search, id, 'from')[0] ?? 'from', to: toldBy(search, id, 'to')[0] ?? 'to' }
  for (const way of ways) {
    const get = async (query: Query): Promise<Exported | undefined> => {
      const answer = await ask(search, way, undefined, query)
      noteTried(search, id, way, answer)
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
      // A page has room for few lines of a busy target.
      const since = line ? now - 120_000 : now - 7 * DAY_S * 1000
      const period = (): Query => ({ [names.from]: write(since), [names.to]: write(now + 3_600_000) })
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
      const { parameters, forms } = await parametersOf(search, id, more, whole, line, (ms) => write(now + ms))
      const asked = form === 'seconds' ? {} : { from: form, to: form }
      hit(search, id, way, whole.answer, {
        asked: period(),
        parameters,
        forms: Object.keys({ ...forms, ...asked }).length > 0 ? { ...forms, ...asked } : undefined,
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
    const rows = text.split('\n').flatMap((one) => (one.trim() === '' ? [] : [jsonIn(one)]))
    return rows.every(isRecord) && !/^\s*\{\s*$/.test(text) ? rows : undefined
  }
  const [list] = listsIn(json)
  return list === undefined ? undefined : recordsAt(json, list)
}

/** Parameters, each found by what it does: fewer lines, none, the other end; with the forms in which several values are sent. */
async function parametersOf(
  search: Search,
  id: string,
  get: (query: Query) => Promise<Exported | undefined>,
  { answer, rows }: Exported,
  line: Fields | undefined,
  after: (ms: number) => string,
): Promise<{ parameters: Record<string, string>; forms: Record<string, string> }> {
  const found: Record<string, string> = {}
  const forms: Record<string, string> = {}
  const token =
    id === 'export-v2' && isRecord(answer.json) ? nameAmong('pagination_id', Object.keys(answer.json)) : undefined
  if (token !== undefined) found.pagination_id = token
  if (rows.length < 1) return { parameters: found, forms }
  /** The first parameter that has an effect with this value. */
  const find = async (
    ours: string,
    value: string,
    fits: (after: readonly Fields[], name: string) => boolean | Promise<boolean>,
    { words = spellingsOf(ours), beside = {} }: { words?: readonly string[]; beside?: Query } = {},
  ): Promise<string | undefined> => {
    const field = nameAmong(ours.replace(/s$/, ''), Object.keys(rows[0] ?? {}))
    for (const name of new Set([...toldBy(search, id, ours), ...words, ...(field ? [`${field}s`, field] : [])])) {
      if (Object.values(found).includes(name)) continue
      const after = await get({ ...beside, [name]: value })
      if (!after || !(await fits(after.rows, name))) continue
      found[ours] = name
      return name
    }
    return undefined
  }
  const none = (after: readonly Fields[]): boolean => after.length === 0
  // A period that ends before it begins may be refused.
  const from = (await find('from', after(1_800_000), none)) ?? 'from'
  await find('to', after(-400 * DAY_S * 1000), none, { beside: { [from]: after(-401 * DAY_S * 1000) } })
  for (const ours of ['hosts', 'apps', 'levels', 'query']) {
    const value = line?.[ours.replace(/s$/, '')]
    const name = await find(ours, 'assay-nobody', none)
    if (name === undefined || value === undefined) continue
    // Of several values with commas between nothing comes out: then each has a parameter of its own.
    const alone = await get({ [name]: String(value) })
    const both = alone && alone.rows.length > 0 ? await get({ [name]: `${String(value)},assay-nobody` }) : undefined
    if (both && none(both.rows)) forms[ours] = 'repeated'
  }
  const size = rows.length > 1 ? await find('size', '1', (after) => after.length === 1) : undefined
  if (size !== undefined) {
    const shown = async (query: Query): Promise<unknown> => (await get({ [size]: '1', ...query }))?.rows[0]
    const tail = await shown({})
    await find('prefer', 'head', async ([head], name) => {
      const [first, last] = [await shown({ [name]: 'head' }), await shown({ [name]: 'tail' })]
      return head !== undefined && isDeepStrictEqual(last, tail) && !isDeepStrictEqual(first, tail)
    })
  }
  if (id === 'export-v1' && search.agreed.modify) {
    const confirms = (after: readonly Fields[]): boolean =>
      after.length < 2 && after.every((row) => Object.keys(row).length < 3)
    await find('email', emailFor(search.sink, `${search.ledger.prefix}-export`), confirms, {
      words: spellingsOf('mail'),
    })
  }
  return { parameters: found, forms }
}

/** What a document calls a parameter. */
function toldBy({ documented }: Search, id: string, ours: string): string[] {
  const names = Object.keys(documented.routes.get(id)?.seen[0]?.query ?? {})
  const name = nameAmong(ours, names)
  return name === undefined ? [] : [name]
}

/** How a first page is asked for: with the parameter as the specification has it, or else without. */
async function searchFirstPage(
  search: Search,
  get: (query: Query) => Promise<Exported | undefined>,
  token: string,
): Promise<void> {
  const rows = (await get({}))?.rows.length ?? 0
  for (const [value, written] of Object.entries({ null: 'null', empty: '' })) {
    if (((await get({ [token]: written }))?.rows.length ?? -1) < rows) continue
    return answered(search, 'GAP-EXPORT-FIRST-PAGE', value, `${token}=${written} returned the first page`)
  }
  answered(search, 'GAP-EXPORT-FIRST-PAGE', 'left-out', `without ${token} the first page was returned`)
}

/** Waits until an export shows the first of some texts; whether it then shows each. */
export async function exportShows(search: Search, texts: readonly string[]): Promise<boolean[] | undefined> {
  const id = ['export-v2', 'export-v1'].find((one) => search.hits.has(one)) ?? ''
  const route = search.hits.get(id)
  if (!route) return undefined
  for (const until = Date.now() + LONGEST_WAIT_MS + search.waitMs; Date.now() < until; ) {
    const query = route.seen.at(-1)?.query
    const answer = await ask(search, route, undefined, query)
    const values = (rowsOf(id, answer) ?? []).flatMap((row) => leavesOf(row).map(({ value }) => value))
    if (values.includes(texts[0])) return texts.map((text) => values.includes(text))
    await sleep(POLL_MS)
  }
  return undefined
}

/** Usage reports: rows, and the parameter that limits them. */
export async function searchUsage(search: Search): Promise<void> {
  const seconds = Math.floor(search.now / 1000)
  const asked = { from: String(seconds - 7 * DAY_S), to: String(seconds) }
  let limit: string | undefined
  const reports = [...shipped()[0].operations.keys()].filter((id) => id.includes('usage'))
  // Of apps there are several.
  for (const id of reports.sort((a, b) => Number(b.endsWith('app')) - Number(a.endsWith('app')))) {
    const isTotal = id === 'get-usage-v2'
    const fits = ({ json }: Answer): boolean =>
      isTotal
        ? isRecord(json) && leavesOf(json).some(({ value }) => typeof value === 'number')
        : listsIn(json).length > 0
    const found = await trial(search, id, waysOf(search, id), fits, { asked, sure: 'likely' })
    if (!found || isTotal) continue
    const list = listsIn(found.answer.json)[0] ?? ''
    const rows = recordsAt(found.answer.json, list).length
    // A document may give it any name: the effect tells, for all reports that have a parameter of this name.
    const others = Object.keys(search.documented.routes.get(id)?.seen[0]?.query ?? {}).filter((one) => !(one in asked))
    const names = [...toldBy(search, id, 'limit'), ...spellingsOf('limit'), ...others]
    for (const name of rows < 2 ? others.filter((one) => one === limit) : new Set(names)) {
      const answer = await ask(search, found.way, undefined, { ...asked, [name]: '1' })
      if (!answer.ok || recordsAt(answer.json, list).length !== Math.min(rows, 1)) continue
      limit = name
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
    const from = `GET ${way.path}?${new URLSearchParams(query)} returned ${status}`
    return answered(search, 'GAP-KEYS-INVALID-QUERY', { query }, from)
  }
}
