import { at } from '../../schemas/pointer.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { emailFor } from '../../suites/request/sink.ts'
import type { Answer } from './client.ts'
import { type Fields, isRecord, leavesOf, listsIn, parentOf } from './places.ts'
import { ask, isNothing, note, operationOf, type Probe, removeOne, said } from './probe-things.ts'
import { nameAmong, namesFor, pathsOf, patternsOf, plain, waysOf } from './vocabulary.ts'

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
function sampleLine(prefix: string, now: number): Fields {
  return {
    line: `${prefix} line`,
    time: now,
    app: `${prefix}-app`,
    level: 'error',
    host: `${prefix}-host`,
    env: `${prefix}-env`,
    meta: { assay: `${prefix}-meta` },
    tags: [`${prefix}-tag`],
  }
}

/** How lines are sent to a target. */
export interface Intake {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** with {{lines}} */
  readonly body: unknown
  readonly fields: Readonly<Record<string, string>>
}

const KEY_HEADERS = [
  'apikey',
  'authorization',
  'x-api-key',
  'api-key',
  'x-ingestion-key',
  'x-intake-key',
  'x-ingest-key',
  'x-log-key',
]
const KEY_FORMS = [
  '{{ingestionKey}}',
  'Bearer {{ingestionKey}}',
  'Key {{ingestionKey}}',
  'ApiKey {{ingestionKey}}',
  'Token {{ingestionKey}}',
]
const ENVELOPES = ['lines', 'records', 'logs', 'events', 'entries', 'data', 'batch.records', 'batch.lines', '']

/**
 * Sends one line in the ways that there are, until one is taken in. It cannot be removed again, so no more than one is
 * sent once it was. The names of its fields are tried as shipped, and as exports show them.
 */
export async function probeIngestion(
  probe: Probe,
  { credentials = {} }: TargetConfig,
  now: number,
): Promise<Intake | undefined> {
  const known = operationOf(probe, 'ingest-lines')
  if (!known || credentials.ingestionKey === undefined) {
    probe.findings.open.set('ingest-lines', 'no ingestion key is configured (credentials.ingestionKey)')
    return undefined
  }
  const paths = [...new Set([known.path, ...waysOf('ingest-lines').map(({ path }) => path)])]
  const ways = await openDoors(probe, paths.slice(0, MOST_INTAKES), credentials.ingestionKey)
  const exported =
    probe.findings.operations.get('export-v2')?.fields ?? probe.findings.operations.get('export-v1')?.fields ?? {}
  const names = [known.fields, Object.fromEntries(Object.entries(exported).filter(([ours]) => ours !== 'id'))]
  for (const { path, headers } of ways) {
    for (const fields of path === known.path ? names : [...names].reverse()) {
      const envelopes = [...ENVELOPES]
      for (let index = 0; index < envelopes.length; index += 1) {
        const body = wrapped(envelopes[index] ?? '')
        const intake = { path, headers, body, fields }
        const answer = await sendLines(
          probe,
          credentials.ingestionKey,
          intake,
          [sampleLine(probe.ledger.prefix, now)],
          now,
        )
        if (answer.ok) return noteIntake(probe, intake, answer)
        // A refusal may name the place of the lines.
        const told = /\b([a-z_]\w*(?:\.[a-z_]\w*)+) (?:is|must|should)/i.exec(answer.text)?.[1]
        if (told !== undefined && !envelopes.includes(told)) envelopes.splice(index + 1, 0, told)
      }
    }
  }
  probe.findings.open.set(
    'ingest-lines',
    `no line was taken in; how is the ingestion key sent (GAP-INGESTION-AUTH), and where to? Tried ${known.path} and ${Math.min(paths.length, MOST_INTAKES) - 1} more paths with ${KEY_HEADERS.length} headers`,
  )
  return undefined
}

const MOST_INTAKES = 100

/** The paths that are there, each with the header that opens it. A path that nothing opens is left out. */
async function openDoors(
  probe: Probe,
  paths: readonly string[],
  key: string,
): Promise<{ path: string; headers: Record<string, string> }[]> {
  const forms = KEY_HEADERS.flatMap((name) => KEY_FORMS.map((form) => ({ [name]: form })))
  const found: { path: string; headers: Record<string, string> }[] = []
  let opener: Record<string, string> | undefined
  for (const path of paths) {
    const first = await ask0(probe, path, opener ?? forms[0] ?? {}, key)
    if (first.status === 404 || first.status === 405) continue
    if (first.status !== 401 && first.status !== 403) {
      found.push({ path, headers: opener ?? forms[0] ?? {} })
      continue
    }
    if (opener !== undefined) continue
    for (const headers of forms) {
      const answer = await ask0(probe, path, headers, key)
      if (answer.status === 401 || answer.status === 403) continue
      opener = headers
      if (answer.status !== 404) found.push({ path, headers })
      break
    }
  }
  return found
}

/** A request that no target can take a line from. */
function ask0(probe: Probe, path: string, headers: Readonly<Record<string, string>>, key: string): Promise<Answer> {
  return probe.client.send({
    method: 'POST',
    path,
    family: 'ingestion',
    body: {},
    headers: filledHeaders(headers, key),
  })
}

function filledHeaders(headers: Readonly<Record<string, string>>, key: string): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value: value.replace('{{ingestionKey}}', key) }))
}

function wrapped(place: string): unknown {
  return place === ''
    ? '{{lines}}'
    : place.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), '{{lines}}')
}

/** Sends lines in a way that is known, or that is tried. */
export function sendLines(
  probe: Probe,
  key: string,
  { path, headers, body, fields }: Intake,
  lines: readonly Fields[],
  now: number,
): Promise<Answer> {
  const named = lines.map((line) =>
    Object.fromEntries(
      Object.entries(line).flatMap(([ours, value]) => (fields[ours] === undefined ? [] : [[fields[ours], value]])),
    ),
  )
  const [{ host = '', tags = [] } = {}] = lines
  const query = new URLSearchParams({ hostname: String(host), now: String(now), tags: (tags as string[]).join(',') })
  return probe.client.send({
    method: 'POST',
    path: `${path}?${query}`,
    family: 'ingestion',
    body: fillTemplate(body, { lines: named }),
    headers: filledHeaders(headers, key),
  })
}

function noteIntake(probe: Probe, intake: Intake, answer: Answer): Intake {
  const { path, headers, body, fields } = intake
  const status = Object.keys(isRecord(answer.json) ? answer.json : {}).find((name) => plain(name) === 'status')
  const from = `probe: ${said('POST', path, answer)} with the key in ${Object.keys(headers).join(', ')}`
  note(probe, {
    id: 'ingest-lines',
    method: 'POST',
    path,
    ...(isRecord(body) ? { body } : {}),
    fields,
    answer: status === undefined ? {} : { status: `/${status}` },
    status: answer.status,
    from,
    sure: 'likely',
  })
  probe.findings.answers.set('GAP-INGESTION-AUTH', { value: { headers }, from, sure: 'proven' })
  return intake
}

/** Exports: where they are, what their parameters do, and what the fields of a line are called. */
export async function probeExports(probe: Probe, sent: boolean, now: number, settleMs: number): Promise<void> {
  for (const id of ['export-v2', 'export-v1']) await probeExport(probe, id, sent, now, settleMs)
  const found = ['export-v2', 'export-v1'].some((id) => probe.findings.operations.get(id)?.from.includes(SHOWN))
  const intake = probe.findings.operations.get('ingest-lines')
  if (found && intake) note(probe, { ...intake, from: `${intake.from}; an export then shows the line`, sure: 'proven' })
}

const SHOWN = 'and the one that was sent'

/** An exclusion is tried by its effect: of two lines the one that it names does not come out. Each body by one of its own. */
export async function probeExclusion(probe: Probe, intake: Intake, key: string, settleMs: number): Promise<void> {
  const exported = probe.findings.operations.get('export-v2') ?? probe.findings.operations.get('export-v1')
  const update = probe.findings.operations.get('update-exclusion')
  const create = probe.findings.operations.get('create-exclusion')
  if (!exported?.fields?.line || !create?.body || create.answer?.id === undefined) return
  const renames = [{}, pick(exported.parameters, ['apps', 'hosts', 'query'])]
  const flags = [{}, { active: 'enabled' }]
  for (const [index, names] of renames.flatMap((some) => flags.map((flag) => ({ ...some, ...flag }))).entries()) {
    const label = `${probe.ledger.prefix}-drop-${index}`
    const thing = await probe.ledger.making('exclusion', label, {})
    const answer = await ask(probe, 'POST', create.path, fillTemplate(renamed(create.body, names), { label }))
    const id = at(answer.json, create.answer.id)
    if (!answer.ok || (typeof id !== 'string' && typeof id !== 'number')) {
      if (answer.status >= 400 && answer.status < 500) await probe.ledger.notMade(thing)
      continue
    }
    await probe.ledger.made(thing, String(id))
    const exporting = {
      label,
      field: exported.fields.line,
      path: exported.path,
      isText: exported.id === 'export-v1',
      settleMs,
    }
    const drops = await dropsLine(probe, intake, key, exporting)
    await removeOne(probe, thing)
    if (!drops) continue
    note(probe, {
      ...create,
      body: renamed(create.body, names),
      from: `${create.from}; it drops the lines that it names`,
    })
    if (update) note(probe, { ...update, body: renamed(update.body ?? {}, names) })
    return
  }
  probe.findings.open.set(
    'create-exclusion',
    'an exclusion was made, and the lines that it names came out all the same: which fields of its body name apps, and switch it on?',
  )
}

function pick(from: Readonly<Record<string, string>> | undefined, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (from?.[name] === undefined || from[name] === name ? [] : [[name, from[name]]])),
  )
}

function renamed(body: Fields, names: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [names[name] ?? name, value]))
}

/** Sends a line of the excluded app and one of another; once the other is exported, the first should have been, too. */
async function dropsLine(
  probe: Probe,
  intake: Intake,
  key: string,
  {
    label,
    field,
    path,
    isText,
    settleMs,
  }: { label: string; field: string; path: string; isText: boolean; settleMs: number },
): Promise<boolean> {
  const now = Date.now()
  const mark = `${probe.ledger.prefix} ${now}`
  const line = (app: string, text: string): Fields => ({ ...sampleLine(probe.ledger.prefix, now), app, line: text })
  const answer = await sendLines(
    probe,
    key,
    intake,
    [line(label, `${mark} excluded`), line(`${label}-other`, `${mark} kept`)],
    now,
  )
  if (!answer.ok) return false
  for (const until = Date.now() + LONGEST_WAIT_MS + settleMs; Date.now() < until; ) {
    const all = await ask(probe, 'GET', path, undefined, `?${new URLSearchParams(lately(probe, path, now))}`)
    const rows = isText ? jsonLines(all.text) : rowsIn(all.json, listsIn(all.json)[0] ?? '')
    const texts = rows.map((row) => String(row[field]))
    if (texts.includes(`${mark} kept`)) return !texts.includes(`${mark} excluded`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return false
}

function lately(probe: Probe, path: string, now: number): Record<string, string> {
  const found = [...probe.findings.operations.values()].find((one) => one.path === path)
  const { from = 'from', to = 'to' } = found?.parameters ?? {}
  return { [from]: String(Math.floor(now / 1000) - 3600), [to]: String(Math.floor(now / 1000) + 3600) }
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
  probe.findings.open.set(id, `no path of ${pathsFor(probe, id).length} answered with lines`)
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
