import { openJournal } from '../../fixtures/journal.ts'
import { service } from '../../schemas/service.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import { UnreachableError } from '../errors.ts'
import { journalHeader } from '../leftovers.ts'
import { openTargetSession } from '../session.ts'
import { type Answer, createClient, createLedger, type Made, runPrefix, Stopped } from './client.ts'
import type { Source } from './exchanges.ts'
import { refineIntake, sampleLine, searchExclusion, searchIntake } from './intake.ts'
import { fromOpenApi } from './openapi.ts'
import { parsedOpenApi } from './openapi-document.ts'
import { searchPipelines } from './pipelines.ts'
import { settingsFor } from './questions.ts'
import { removeAll } from './removal.ts'
import { searchExports, searchUsage } from './reports.ts'
import { begun, isFilled, type Search } from './search.ts'
import { shipped } from './shipped.ts'
import { searchSuspension } from './suspension.ts'
import { type Found, searchThing } from './things.ts'

export interface ProbeOptions {
  /** begins the name of everything that is made */
  readonly prefix: string
  /** path of a new journal */
  readonly journal: string
  readonly target: TargetConfig
  /** what documents say: tried first */
  readonly documented: Source
  /** id of the account that the paths of the target stand in, if they do */
  readonly account?: string | undefined
  /** the user agreed that things are made and removed */
  readonly modify: boolean
  readonly interrupted: () => boolean
  /** Hears what is searched for. */
  readonly onStep: (what: string) => void
}

export interface Probed {
  readonly source: Source
  /** what a document says that the target serves itself */
  readonly document: Source | undefined
  /** what could not be removed */
  readonly left: readonly Made[]
  readonly made: number
  readonly requests: number
  readonly failure: string | undefined
  readonly interrupted: boolean
  readonly linesSent: boolean
}

/**
 * Finds out how a target has the operations, by asking it. With consent one thing of each kind is made, found again by the
 * name that it was given, and removed; without, everything is only read. It keeps good exchanges.
 * @throws UnreachableError where nothing answers, or nothing lets us in
 */
export async function probeTarget(options: ProbeOptions): Promise<Probed> {
  const { target, modify, prefix } = options
  const session = openTargetSession(target, { idPrefix: 'bind-', connections: 8 })
  const journal = await openJournal(options.journal)
  try {
    await journal.write(journalHeader({ binding: 'default', ...target }, prefix))
    const client = createClient(session, target, options.interrupted)
    const own = options.documented.routes.size > 0 ? undefined : await ownDocument(client, options.account)
    const search: Search = {
      client,
      ledger: createLedger(journal, prefix),
      documented: own ?? options.documented,
      sink: target.sink ?? {},
      agreed: { exclusions: false, suspend: false, archiving: false, ...target.consent, modify },
      ...begun(),
      waitMs: target.settleTimeout ?? 0,
      nothing: await controls(client),
    }
    const { left, interrupted } = await searchedAndRemoved(search, options)
    requireAnswers(client, target.baseUrl)
    return {
      source: { routes: search.hits, answers: search.answers, open: search.open, tried: lookedFor(search) },
      document: own,
      left,
      made: modify ? search.ledger.things.filter(({ id }) => id !== undefined).length : 0,
      requests: client.count(),
      failure: client.failure(),
      interrupted,
      linesSent: search.hits.has('ingest-lines'),
    }
  } finally {
    await journal.close()
    await session.close()
  }
}

/** Searches, and removes what was made, however the search ended. */
async function searchedAndRemoved(
  search: Search,
  options: ProbeOptions,
): Promise<Pick<Probed, 'left' | 'interrupted'>> {
  // Where an operation is found all the same, that counts.
  for (const row of service().operations) {
    const settings = settingsFor(row, options.target, options.modify)
    if (settings.length > 0) search.open.set(row.id, `it needs ${settings.join(' and ')}`)
  }
  let left: Made[] = []
  let interrupted = false
  try {
    await searchAll(search, options)
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown
    interrupted = true
  } finally {
    options.onStep('removing what was made')
    left = await removeAll(search)
  }
  return { left, interrupted }
}

/** @throws UnreachableError where nothing answered, or nothing let us in */
function requireAnswers({ statuses, failure }: Search['client'], where: string): void {
  const seen = [...statuses.keys()]
  if (seen.some((status) => status >= 200 && status < 300)) return
  if (seen.every((status) => status === 0)) {
    const hint = 'is the target running, and is this its base URL?'
    throw new UnreachableError({ where, what: `no response (${failure() ?? 'none'})`, hint })
  }
  if (seen.some((status) => status === 401 || status === 403)) {
    const hint = 'name a configuration with credentials in --config'
    throw new UnreachableError({ where, what: 'the credentials are refused, so nothing can be found out', hint })
  }
  const hint = 'is this the base URL, with the path that stands before /v1 and /v3?'
  throw new UnreachableError({ where, what: 'no operation was found: nothing returned 2xx', hint })
}

async function searchAll(search: Search, { target, modify, onStep }: ProbeOptions): Promise<void> {
  const key = target.credentials?.ingestionKey
  onStep('exports')
  await searchExports(search, undefined)
  onStep('log lines')
  let intake = modify ? await searchIntake(search, key) : undefined
  if (intake) {
    await searchExports(search, sampleLine(search))
    intake = await refineIntake(search, intake, (line) => searchExports(search, line))
  }
  const made = new Map<string, Found>()
  // Parents stand before what belongs to them.
  for (const [type, { create }] of shipped()[0].resources) {
    if (create === undefined) continue
    onStep(type.replaceAll('-', ' '))
    const found = await searchThing(search, type)
    if (found) made.set(type, found)
  }
  onStep('pipelines')
  if (modify) await searchPipelines(search, made)
  if (intake && made.has('exclusion')) {
    onStep('what an exclusion drops')
    await searchExclusion(search, intake)
  }
  onStep('usage')
  await searchUsage(search)
  onStep('suspension')
  await searchSuspension(search)
}

/**
 * The operations that were looked for wherever they may be. One that is about a thing needs its id, else its answers say
 * nothing. Where a kind of thing is neither listed nor made, there is none of its operations.
 */
function lookedFor(search: Search): ReadonlyMap<string, boolean> {
  const [{ operations, resources }] = shipped()
  const known = new Map([...search.tried].filter(([id]) => isFilled(search, operations.get(id)?.path ?? '{')))
  for (const { list = '', create = '' } of resources.values()) {
    if (known.get(list) !== false || known.get(create) !== false) continue
    for (const { id, type } of operations.values()) if (type === operations.get(create)?.type) known.set(id, false)
  }
  // Without consent things were looked for by reads alone.
  return new Map([...known].filter(([, isThere]) => isThere || search.agreed.modify))
}

/** Where services have their OpenAPI documents. */
const DOCUMENTS = ['/openapi.json', '/v3/api-docs', '/swagger.json', '/api-docs', '/docs/openapi.json', '/openapi.yaml']

/** The document that a target serves, if there is one that names operations of the interface. */
async function ownDocument(client: Search['client'], account: string | undefined): Promise<Source | undefined> {
  for (const path of DOCUMENTS) {
    const { ok, text } = await client.send({ method: 'GET', path, family: 'v1' })
    if (!ok || !/openapi/.test(text.slice(0, 2_000))) continue
    const name = `the target's ${path}`
    const document = await parsedOpenApi(text, /^\s*\{/.test(text), name).catch(() => undefined)
    const source = document && fromOpenApi(document, name, account)
    if (source && source.routes.size > 0) return source
  }
  return undefined
}

/** What the target says of a path that there cannot be, by family. */
async function controls(client: Search['client']): Promise<Map<string, Answer>> {
  const name = runPrefix()
  const paths = { v1: `/v1/config/${name}`, v2: `/v2/${name}`, v3: `/v3/${name}`, enterprise: `/v1/enterprise/${name}` }
  const answers = new Map<string, Answer>()
  for (const [family, path] of Object.entries(paths))
    answers.set(family, await client.send({ method: 'GET', path, family }))
  return answers
}
