import { fillTemplate, placeholders } from '../../schemas/template.ts'
import type { Answer } from './client.ts'
import { infer } from './infer.ts'
import { type Fields, isRecord, leavesOf, listWith } from './places.ts'
import { complaintsOf } from './refusal.ts'
import { removeOne } from './removal.ts'
import { exportShows } from './reports.ts'
import { answered, ask, filled, hit, noteTried, type Search, waysOf } from './search.ts'
import { operationOf } from './shipped.ts'
import { LINE_FIELDS, nameAmong, namesFor, plain } from './vocabulary.ts'

type Names = Readonly<Record<string, string>>

/** How lines are sent to a target. */
export interface Intake {
  readonly path: string
  readonly headers: Names
  /** with {{lines}}, and perhaps with {{host}} and {{tags}} beside them */
  readonly body: unknown
  /** our names of the fields of a line -> the target's */
  readonly fields: Names
  readonly isIso: boolean
}

const KEY_HEADERS = [
  'apikey',
  'authorization',
  'x-api-key',
  'api-key',
  ...['ingestion', 'intake', 'ingest', 'log'].map((word) => `x-${word}-key`),
  'ingestion-key',
]
const KEY_FORMS = ['Bearer', 'Basic', 'Key', 'ApiKey', 'Token'].map((word) => `${word} {{ingestionKey}}`)
const OWN_HEADER = /^x-(\w+)-key$/
const LISTS = ['lines', 'records', 'logs', 'events', 'entries', 'data', 'messages', 'items']
const BODIES: readonly unknown[] = [
  ...LISTS.slice(0, 6).map((name) => ({ [name]: '{{lines}}' })),
  { batch: { records: '{{lines}}' } },
  { batch: { lines: '{{lines}}' } },
  '{{lines}}',
]
const MOST_INTAKES = 240
const MOST_TRIES = 40

/** A line with our names of its fields, and values that can be found again. */
export function sampleLine({ ledger: { prefix }, now }: Pick<Search, 'ledger' | 'now'>): Fields {
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

/**
 * Sends one line in the ways that there are, until one is taken in. It cannot be removed again, so no more than one is
 * sent once it was. A refusal tells the place of the lines and the names of their fields.
 */
export async function searchIntake(search: Search, key: string | undefined): Promise<Intake | undefined> {
  const known = operationOf('ingest-lines')
  if (key === undefined) {
    search.open.set('ingest-lines', 'no ingestion key is configured (credentials.ingestionKey)')
    return undefined
  }
  const line = sampleLine(search)
  // Lines that come out may show how those are called that go in.
  const seen = infer({ routes: search.hits, answers: new Map(), open: new Map() }).operations
  const { id: _id, ...exported } = seen.get('export-v2')?.fields ?? seen.get('export-v1')?.fields ?? {}
  const document = search.documented.routes.get('ingest-lines')
  const names = [known.fields, exported as Names].filter((one) => Object.keys(one).length > 0)
  const paths = [...new Set(waysOf(search, 'ingest-lines').map(({ path }) => path))]
  const doors = await openDoors(search, paths.slice(0, MOST_INTAKES))
  let last: string | undefined
  for (const { path, headers } of doors) {
    const told = { path, headers, fields: document?.fields ?? {}, isIso: document?.forms?.time === 'iso' }
    const found = await takenIn(search, line, [
      ...(document?.body ? [{ ...told, body: document.body }] : []),
      ...BODIES.flatMap((body) =>
        (path === known.path ? names : [...names].reverse()).map((fields) => ({ ...told, body, fields, isIso: false })),
      ),
    ])
    if (typeof found === 'object') return found
    last = found ?? last
  }
  search.open.set(
    'ingest-lines',
    `no line was taken in; how is the ingestion key sent (GAP-INGESTION-AUTH), and where to? ${last ?? `Tried ${known.path} and ${MOST_INTAKES} more paths with ${KEY_HEADERS.length} headers`}`,
  )
  return undefined
}

/** Sends a line in each of some ways, and as refusals say, until it is taken in; else what was said last. */
async function takenIn(search: Search, line: Fields, ways: readonly Intake[]): Promise<Intake | string | undefined> {
  const queue = [...ways]
  const tried = new Set<string>()
  let last: string | undefined
  for (let next = queue.shift(); next && tried.size < MOST_TRIES; next = queue.shift()) {
    const form = JSON.stringify([next.body, next.fields, next.isIso])
    if (tried.has(form)) continue
    tried.add(form)
    const answer = await sendLines(search, next, [line])
    if (answer.ok) return noted(search, next, answer, line)
    last = `POST ${next.path} returned ${answer.status}: ${answer.text.slice(0, 200)}`
    const better = answer.status >= 400 && answer.status < 500 ? asToldBy(next, answer) : undefined
    if (better) queue.unshift(better)
  }
  return last
}

/** What is sent, as a refusal says that it should be. */
function asToldBy(intake: Intake, { json, text }: Answer): Intake | undefined {
  let { body, fields, isIso } = intake
  const complaints = complaintsOf(json ?? text)
  // A refusal may name the place of the lines: batch.records must be a list.
  const told = /\b([a-z_]\w*(?:\.[a-z_]\w*)+) (?:is|must|should)/i.exec(text)?.[1]
  if (told !== undefined) body = told.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), '{{lines}}')
  else if (complaints.length === 0 && /array|list|sequence|\[\]/i.test(text)) body = '{{lines}}'
  else {
    for (const { field, inner, text: said } of complaints) {
      const isUnknown = /unknown|extra|not (?:allowed|permitted)|additional|unrecogni/i.test(said)
      // Some name a field of a line as if it stood beside them.
      const own =
        inner ?? (isRecord(body) && body[field] === undefined && OF_LINES.test(oursOf(field) ?? '') ? field : undefined)
      if (own !== undefined) {
        const ours = Object.keys(fields).find((one) => fields[one] === own) ?? oursOf(own)
        if (ours === undefined) continue
        if (isUnknown) fields = Object.fromEntries(Object.entries(fields).filter(([one]) => one !== ours))
        else if (fields[ours] === own) isIso ||= ours === 'time'
        else fields = { ...fields, [ours]: own }
      } else if (isRecord(body) && isUnknown)
        body = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))
      else if (isRecord(body) && body[field] === undefined) body = withField(body, field)
      else if (body === '{{lines}}') body = withField({ lines: '{{lines}}' }, field)
    }
  }
  const better = { ...intake, body, fields, isIso }
  return JSON.stringify(better) === JSON.stringify(intake) ? undefined : better
}

const OF_LINES = /^(line|time|app|level)$/

function oursOf(inner: string): string | undefined {
  return LINE_FIELDS.find((ours) => nameAmong(ours, [inner]) !== undefined)
}

/** A body with one more field: the lines, where it is called like a list of them; else host or tags. */
function withField(body: Fields, field: string): Fields {
  const word = plain(field)
  if (namesFor('host').includes(word)) return { [field]: '{{host}}', ...body }
  if (namesFor('tags').includes(word)) return { [field]: '{{tags}}', ...body }
  return LISTS.some((name) => plain(name) === word) || /s$/.test(field)
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [value === '{{lines}}' ? field : name, value]))
    : { ...body, [field]: 'assay' }
}

/** The paths that are there, each with the header that opens it. A path that nothing opens is left out. */
async function openDoors(search: Search, paths: readonly string[]): Promise<{ path: string; headers: Names }[]> {
  const told = search.documented.answers.get('GAP-INGESTION-AUTH')?.value as { headers?: Names } | undefined
  const forms = [
    ...(told?.headers ? [told.headers] : []),
    ...KEY_HEADERS.map((name) => ({ [name]: '{{ingestionKey}}' })),
    ...KEY_FORMS.map((authorization) => ({ authorization })),
  ]
  // A word before the key, in a header that is called as the path is.
  const worded = (path: string) =>
    KEY_HEADERS.filter((name) => path.includes(OWN_HEADER.exec(name)?.[1] ?? '\n')).flatMap((name) =>
      KEY_FORMS.map((form) => ({ [name]: form })),
    )
  const found: { path: string; headers: Names }[] = []
  let opener: Names | undefined
  for (const path of paths) {
    for (const headers of opener ? [opener] : [...forms, ...worded(path)]) {
      const answer = await search.client.send({ method: 'POST', path, family: 'ingestion', body: {}, headers })
      const { status } = answer
      noteTried(search, 'ingest-lines', { path }, answer)
      if (status === 404 || status === 405) break
      if (status === 401 || status === 403) continue
      opener ??= headers
      found.push({ path, headers })
      break
    }
  }
  return found
}

/** Sends lines in a way that is known, or that is tried. */
function sendLines(
  search: Search,
  { path, headers, body, fields, isIso }: Intake,
  lines: readonly Fields[],
): Promise<Answer> {
  const [{ host = '', tags = [], time = 0 } = {}] = lines
  const named = lines.map((line) =>
    Object.fromEntries(
      Object.entries(line).flatMap(([ours, value]) => {
        const shown = ours === 'time' && isIso ? new Date(Number(value)).toISOString() : value
        return fields[ours] === undefined ? [] : [[fields[ours], shown]]
      }),
    ),
  )
  const query = new URLSearchParams({ hostname: String(host), now: String(time), tags: (tags as string[]).join(',') })
  return search.client.send({
    method: 'POST',
    path: `${path}?${query}`,
    family: 'ingestion',
    body: fillTemplate(body, { lines: named, host, tags }),
    headers,
  })
}

/**
 * Fields that a target does not know are ignored in silence: an export then shows the line without their values. They are
 * sent once more under the names that the export shows, and then what belongs to all lines beside them. A way counts only
 * if the line then shows more. `look`: exports until a line comes out.
 */
export async function refineIntake(
  search: Search,
  intake: Intake,
  look: (line: Fields) => Promise<void>,
): Promise<Intake> {
  const line = sampleLine(search)
  let row = ownRow(search, line)
  let best = intake
  const tried = new Set([JSON.stringify(intake)])
  for (const isBeside of [false, true]) {
    if (!row) break
    const shown = shownOf(line, row)
    const better = withHidden(best, row, shown, isBeside)
    const again = { ...line, line: `${line.line} again${tried.size === 1 ? '' : ' and again'}` }
    if (tried.has(JSON.stringify(better))) continue
    tried.add(JSON.stringify(better))
    const before = search.hits.get('ingest-lines')
    const found = await takenIn(search, again, [better])
    if (typeof found !== 'object') continue
    await look(again)
    const after = ownRow(search, again)
    if (shownOf(again, after).some((ours) => !shown.includes(ours))) [best, row] = [found, after]
    else if (before) search.hits.set('ingest-lines', before)
  }
  return best
}

/** How lines are sent, with the fields that a row has and does not show: in each line, or beside all of them. */
function withHidden(intake: Intake, row: Fields, shown: readonly string[], isBeside: boolean): Intake {
  let { body, fields } = intake
  for (const ours of LINE_FIELDS) {
    const name = nameAmong(ours, Object.keys(row))
    if (name === undefined || shown.includes(ours)) continue
    if (!isBeside || (ours !== 'host' && ours !== 'tags')) fields = { ...fields, [ours]: name.replace(/^_+/, '') }
    else if (isRecord(body) && !JSON.stringify(body).includes(`{{${ours}}}`)) body = { ...body, [name]: `{{${ours}}}` }
  }
  return { ...intake, body, fields }
}

/** Our names of the fields of a line whose values an export shows: perhaps in small letters, or in whole seconds. */
function shownOf(line: Fields, row: Fields = {}): string[] {
  const values = leavesOf(row).map(({ value }) => String(value).toLowerCase())
  const moment = momentOf(row[nameAmong('time', Object.keys(row)) ?? ''])
  return Object.keys(line).filter((ours) =>
    ours === 'time'
      ? moment === line.time || moment === Math.floor(Number(line.time) / 1000) * 1000
      : values.includes(String(leavesOf(line[ours])[0]?.value).toLowerCase()),
  )
}

/** The line that was sent, as an export shows it. */
function ownRow({ hits }: Search, { line }: Fields): Fields | undefined {
  const seen = ['export-v2', 'export-v1'].flatMap((id) => hits.get(id)?.seen ?? [])
  return seen.map(({ answer }) => listWith(answer, String(line))?.element).find((row) => row !== undefined)
}

function momentOf(value: unknown): number {
  const number = Number(value)
  return Number.isNaN(number) ? Date.parse(String(value)) : number < 1e11 ? number * 1000 : number
}

function noted(search: Search, intake: Intake, answer: Answer, line: Fields): Intake {
  const { path, headers, body, isIso } = intake
  // A field beside the lines stands in none of them.
  const beside = new Set(placeholders(body))
  const fields = Object.fromEntries(Object.entries(intake.fields).filter(([ours]) => !beside.has(ours)))
  hit(search, 'ingest-lines', { method: 'POST', path }, answer, {
    body: body as Fields | undefined,
    fields,
    line,
    forms: isIso ? { time: 'iso' } : undefined,
    sure: 'likely',
    why: ` with the key in ${Object.keys(headers).join(', ')}`,
  })
  answered(search, 'GAP-INGESTION-AUTH', { headers }, `POST ${path} returned ${answer.status}`)
  return intake
}

/** An exclusion is tried by its effect: of two lines the one that it names does not come out. Each body by one of its own. */
export async function searchExclusion(search: Search, intake: Intake): Promise<void> {
  const create = search.hits.get('create-exclusion')
  const update = search.hits.get('update-exclusion')
  if (!create?.body) return
  const parameters = (search.hits.get('export-v2') ?? search.hits.get('export-v1'))?.parameters ?? {}
  const known = Object.fromEntries(
    ['apps', 'hosts', 'query'].flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]])),
  )
  const renames = [{}, known].flatMap((some) =>
    [{}, { active: 'enabled' }].map((flag): Record<string, string> => ({ ...some, ...flag })),
  )
  for (const [index, names] of renames.entries()) {
    const named = (body: Fields = {}): Fields =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [names[name] ?? name, isRecord(value) ? named(value) : value]),
      )
    const label = `${search.ledger.prefix}-drop-${index}`
    const body = filled(search, named(create.body), label)
    if (!body) continue
    const thing = await search.ledger.making('exclusion', label, {})
    const answer = await ask(search, create, body.sent)
    if (!answer.ok) {
      if (answer.status < 500) await search.ledger.notMade(thing)
      continue
    }
    const mark = `${search.ledger.prefix} ${Date.now()}`
    const own = sampleLine({ ...search, now: Date.now() })
    // A query may be for the words of a line.
    const texts = [`${mark} kept`, `${mark} ${label} excluded`]
    const lines = texts.map((line, place) => ({ ...own, app: place === 0 ? `${label}-other` : label, line }))
    await sendLines(search, intake, lines)
    const seen = await exportShows(search, texts)
    await removeOne(search, thing)
    if (seen?.[0] !== true || seen[1] === true) continue
    search.hits.set('create-exclusion', {
      ...create,
      body: body.template,
      from: `${create.from}; it drops the lines that it names`,
    })
    if (update?.body) search.hits.set('update-exclusion', { ...update, body: named(update.body) })
    return
  }
  search.open.set(
    'create-exclusion',
    'an exclusion was made, and the lines that it names came out all the same: which fields of its body name apps, and switch it on?',
  )
}
