import { jsonIn } from '../../schemas/json.ts'
import { emailFor } from '../../suites/request/sink.ts'
import type { Answer } from './client.ts'
import { type Fields, isRecord, leavesOf, listsIn } from './places.ts'
import { DAY_S, pathsFor, rowsIn } from './probe-usage.ts'
import { ask, isNothing, note, type Probe, said } from './probing.ts'
import { nameAmong, namesFor, plain } from './vocabulary.ts'

export const POLL_MS = 250

export const LONGEST_WAIT_MS = 6_000

/** Exports: where they are, what their parameters do, and what the fields of a line are called. */
export async function probeExports(probe: Probe, sent: boolean, now: number, settleMs: number): Promise<void> {
  for (const id of ['export-v2', 'export-v1']) await probeExport(probe, id, sent, now, settleMs)
  const found = ['export-v2', 'export-v1'].some((id) => probe.findings.operations.get(id)?.from.includes(SHOWN))
  const intake = probe.findings.operations.get('ingest-lines')
  if (found && intake) note(probe, { ...intake, from: `${intake.from}; an export then shows the line`, sure: 'proven' })
}

const SHOWN = 'and the one that was sent'

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
    if (id === 'export-v1' && probe.agreed.modify) {
      const mail = await mailOf(probe, (query) => get(path, { ...period, ...query }), found.rows.length)
      if (mail !== undefined) parameters.email = mail
    }
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
      from: `probe: ${said('GET', path, answer)} with ${rows.length} lines${own ? `, ${SHOWN}` : ''}`,
      sure: own || Object.keys(parameters).length > 2 ? 'proven' : 'likely',
    })
    if (token !== undefined) await probeFirstPage(probe, (query) => get(path, { ...period, ...query }), token)
    return
  }
  probe.findings.open.set(id, `no path of ${pathsFor(probe, id).length} returned lines`)
}

/** The parameter that has lines mailed, to an address that is nobody's: the answer then has none. */
async function mailOf(
  probe: Probe,
  get: (query: Readonly<Record<string, string>>) => Promise<Exported | undefined>,
  rows: number,
): Promise<string | undefined> {
  if (rows === 0) return undefined
  for (const name of ['email', 'mail', 'notify', 'recipient', 'mail_to', 'send_to']) {
    const after = await get({ [name]: emailFor(probe.sink, `${probe.ledger.prefix}-export`) })
    if (after?.answer.ok === true && after.rows.every((row) => Object.keys(row).length < 3) && after.rows.length < 2)
      return name
  }
  return undefined
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

export function jsonLines(text: string): Fields[] {
  return text.split('\n').flatMap((line) => {
    const value = jsonIn(line)
    return isRecord(value) ? [value] : []
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
