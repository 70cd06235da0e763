import { retryAfter } from '../fixtures/retry-after.ts'
import type { Session } from '../fixtures/session.ts'
import type { Binding, TargetOperation } from '../schemas/binding.ts'
import type { Credentials } from '../schemas/types/config.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { type CredentialChoice, credentialHeaders, defaultChoices } from './kit/credentials.ts'
import { type Failure, unreachable } from './unreachable.ts'

/** What a look at the target before the run tells. */
export interface Preflight {
  /** why no run makes sense, in one line; undefined: it may begin */
  readonly failure: string | undefined
  /** what to do about the failure; '' without one */
  readonly hint: string
  readonly enterprise: 'alone' | 'both'
  /** operations known only from the binding that the target does not seem to have */
  readonly unfit: readonly string[]
  /** what a person wants to know, though it stops nothing */
  readonly notes: readonly string[]
  /** credentials without those that the target refuses everywhere */
  readonly credentials: Credentials
}

export interface PreflightInput {
  readonly session: Session
  readonly binding: Binding
  readonly credentials: Credentials
  /** features that are claimed */
  readonly claimed: ReadonlySet<string>
  /** URL of the proxy that stands between */
  readonly proxy?: string | undefined
  readonly now: () => number
  /** Waits so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

const DAY = 86_400
/** Milliseconds that preflight waits in all for a target that puts requests off. */
const PATIENCE_MS = 4_000
/** Answers to one request that put it off. */
const MOST_WAITS = 3
/** Requests that are sent again in all, since they failed or broke off: a moment later they may work. */
const MOST_REPEATS = 6
const REPEAT_MS = 100
/** Reads without an answer, from the first on, after which the others are not tried. */
const MOST_SILENT = 2

/** Reads that need no id of anything: operation -> feature that has to be claimed. */
const READS: readonly (readonly [string, string])[] = [
  ['list-enterprise-keys', 'enterprise-keys'],
  ['list-usage-by-tag', 'usage-by-tag'],
  ['list-pipelines', 'pipelines'],
  ['list-preset-alerts', 'preset-alerts'],
  ['list-members', 'member-removal'],
  ['list-screens', 'screen-removal'],
  ['list-exclusions', 'exclusion-removal'],
]

/** Sends a few requests that change nothing, to tell whether the target can be tested at all. */
export async function preflight(input: PreflightInput): Promise<Preflight> {
  const { binding, credentials, claimed } = input
  const patience = { left: PATIENCE_MS, repeats: MOST_REPEATS, sleep: input.sleep }
  const send = (operation: TargetOperation, choices: readonly CredentialChoice[]): Promise<Exchange> =>
    patiently(patience, () => sendRead(input, operation, choices))
  const nonsense: TargetOperation = { ...EMPTY, path: `/v1/assay-preflight-${Math.floor(input.now())}` }
  const result = (failure: Failure | undefined, more: Partial<Preflight> = {}): Preflight => ({
    failure: failure?.what,
    hint: failure?.hint ?? '',
    enterprise: 'alone',
    unfit: [],
    notes: [],
    credentials,
    ...more,
  })

  const first = await send(nonsense, defaultChoices('v1', credentials, 'alone'))
  if (first._outcome !== 'complete') return result(unreachable(first, input.proxy))

  let enterprise: 'alone' | 'both' = 'alone'
  const seen: Exchange[] = [first]
  const reads: { operation: TargetOperation; exchange: Exchange }[] = []
  for (const [id, feature] of READS) {
    const operation = binding.operations.get(id)
    if (!claimed.has(feature) || !operation?.offered) continue
    if (reads.length >= MOST_SILENT && reads.every(({ exchange: { _outcome } }) => _outcome === 'timeout')) break
    let exchange = await send(operation, defaultChoices(operation.family, credentials, enterprise))
    if (operation.family === 'enterprise' && isRefused(exchange)) {
      const both = await send(operation, defaultChoices(operation.family, credentials, 'both'))
      if (isSuccess(both)) {
        enterprise = 'both'
        exchange = both
      }
    }
    seen.push(exchange)
    reads.push({ operation, exchange })
  }
  const readable = reads.filter(({ exchange }) => isSuccess(exchange))
  if (reads.length > 0 && readable.length === 0) return result(allAlike(seen))
  if (isSuccess(first)) {
    const probe = readable[0]
    const bare = probe ? await send(probe.operation, []) : first
    if (isSuccess(bare)) {
      return result({
        what: `the target answers ${describe(first)} to paths that do not exist and to requests without credentials, so nothing that it accepts means anything`,
        hint: `is the base URL that of the service? ${isPage(first) ? 'This looks like a web page' : 'This looks like a stub or a catch-all in front of it'}`,
      })
    }
  }
  const unfit = reads
    .filter(({ operation, exchange }) => !operation.specified && [404, 405, 501].includes(exchange.response.status))
    .map(({ operation }) => operation.id)
  const notes = unfit.map(
    (id) => `${id} of the binding is answered as if the target did not have it; what needs it is not run`,
  )
  return result(undefined, { enterprise, unfit, ...(await checkServiceKey(input, reads, send, notes)) })
}

/** Reads that a service key is tried with before it is taken for an old one. */
const MOST_TRIED = 3

/** A service key that is refused wherever the access token is accepted may be an old one: it proves nothing. */
async function checkServiceKey(
  { credentials }: PreflightInput,
  reads: readonly { operation: TargetOperation; exchange: Exchange }[],
  send: (operation: TargetOperation, choices: readonly CredentialChoice[]) => Promise<Exchange>,
  notes: readonly string[],
): Promise<Pick<Preflight, 'notes' | 'credentials'>> {
  const open = reads.filter(({ operation, exchange }) => operation.family === 'v1' && isSuccess(exchange))
  if (credentials.serviceKey === undefined || credentials.accessToken === undefined || open.length === 0)
    return { notes, credentials }
  const refusals: string[] = []
  for (const { operation } of open.slice(0, MOST_TRIED)) {
    const exchange = await send(operation, [{ scheme: 'service-key', variant: 'right' }])
    if (!isRefused(exchange)) return { notes, credentials }
    refusals.push(`${operation.id} (status ${exchange.response.status})`)
  }
  const { serviceKey: _refused, ...rest } = credentials
  const note = `the service key is refused by ${refusals.join(', ')}; it is not used in this run`
  return { notes: [...notes, note], credentials: rest }
}

const EMPTY: TargetOperation = {
  id: 'preflight',
  method: 'GET',
  path: '/',
  family: 'v1',
  effect: 'read',
  specified: true,
  offered: true,
  query: {},
  parameters: {},
  fields: {},
  body: undefined,
  answer: {},
}

function sendRead(
  { session, binding, credentials, now }: PreflightInput,
  operation: TargetOperation,
  choices: readonly CredentialChoice[],
): Promise<Exchange> {
  const { headers, labels } = credentialHeaders(choices, credentials, binding.answers)
  const today = Math.floor(now() / 1000 / DAY) * DAY
  const query =
    operation.id === 'list-usage-by-tag' ? { from: String(today - 2 * DAY), to: String(today - DAY) } : operation.query
  const text = new URLSearchParams(query).toString()
  return session.send({
    method: operation.method,
    path: text === '' ? operation.path : `${operation.path}?${text}`,
    headers,
    body: undefined,
    credentials: labels,
    operation: operation.id,
    caseId: undefined,
    intent: { kind: 'preflight' },
  })
}

interface Patience {
  /** milliseconds */
  left: number
  repeats: number
  readonly sleep: PreflightInput['sleep']
}

/**
 * Sends again what is put off, as long as the target's own wish fits into the patience that is left, and what failed: one
 * bad moment is no reason not to begin.
 */
async function patiently(patience: Patience, send: () => Promise<Exchange>): Promise<Exchange> {
  for (let waits = 0; ; waits += 1) {
    const exchange = await send()
    const putOff = isPutOff(exchange)
    const again = putOff || (isFailure(exchange) && patience.repeats > 0)
    if (!again || waits === MOST_WAITS) return exchange
    if (!putOff) patience.repeats -= 1
    const header = exchange.response.headers.find(({ name }) => name.toLowerCase() === 'retry-after')
    const wait = putOff ? retryAfter(header?.value, Date.now(), Number.MAX_SAFE_INTEGER) : REPEAT_MS
    if (wait > patience.left) return exchange
    patience.left -= wait
    await patience.sleep(wait)
  }
}

function isFailure({ response, _outcome }: Exchange): boolean {
  return _outcome === 'complete' ? response.status >= 500 : _outcome === 'reset' || _outcome === 'truncated'
}

function isPutOff({ response, _outcome }: Exchange): boolean {
  return _outcome === 'complete' && (response.status === 429 || response.status === 503)
}

function isSuccess({ response, _outcome }: Exchange): boolean {
  return _outcome === 'complete' && response.status >= 200 && response.status < 300
}

function isRefused({ response, _outcome }: Exchange): boolean {
  return _outcome === 'complete' && (response.status === 401 || response.status === 403)
}

/** Why none of the reads worked, in one line, and what to do about it. */
function allAlike(seen: readonly Exchange[]): Failure {
  const kinds = [...new Set(seen.map(describe))]
  const [only] = kinds
  const [first] = seen
  if (kinds.length === 1 && only !== undefined && first) {
    return { what: `the target answers ${only} to everything`, hint: hintFor(first) }
  }
  const reads = seen.slice(1)
  if (reads.every(isRefused)) {
    const answers = [...new Set(reads.map(describe))].join(', ')
    return { what: `the credentials are refused (${answers})`, hint: 'check `credentials` in the configuration' }
  }
  return { what: `no read is answered with success: ${kinds.join(', ')}`, hint: hintFor(reads[0] ?? first) }
}

function hintFor(exchange: Exchange | undefined): string {
  const status = exchange?._outcome === 'complete' ? exchange.response.status : 0
  if (status === 401 || status === 403) return 'check `credentials` and `headers` in the configuration'
  if (status === 404 || status === 405) return 'check the path of the base URL, and whether the binding fits the target'
  if (status === 429) {
    return `wait until its limit allows requests again, or raise it; preflight waits ${PATIENCE_MS / 1000} s in all`
  }
  if (status >= 300 && status < 400) return 'redirects are not followed: give the address that it points to'
  if (status >= 500) return 'look into the log of the target'
  return 'check the base URL, and whether the binding fits the target'
}

function isPage({ response }: Exchange): boolean {
  return response.content.mimeType.startsWith('text/html')
}

function describe({ response, _outcome }: Exchange): string {
  if (_outcome !== 'complete') return `nothing whole (${_outcome})`
  const type = response.content.mimeType.split(';')[0]?.trim() ?? ''
  return type === '' || type === 'application/json' ? `${response.status}` : `${response.status} ${type}`
}
