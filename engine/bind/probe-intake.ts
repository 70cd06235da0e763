import { fillTemplate } from '../../schemas/template.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Answer } from './client.ts'
import { type Fields, isRecord, listsIn } from './places.ts'
import { removeOne } from './probe-changes.ts'
import { jsonLines, LONGEST_WAIT_MS, POLL_MS } from './probe-exports.ts'
import { rowsIn } from './probe-usage.ts'
import { ask, note, noteMade, operationOf, type Probe, said } from './probing.ts'
import { plain, waysOf } from './vocabulary.ts'

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
function sendLines(
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
    if ((await noteMade(probe, thing, answer, create.answer.id)) === undefined) continue
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
