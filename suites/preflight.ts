import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../fixtures/session.ts'
import type { Binding, TargetOperation } from '../schemas/binding.ts'
import type { Credentials } from '../schemas/types/config.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import { type CredentialChoice, credentialHeaders, defaultChoices } from './kit/credentials.ts'
import { retryAfter } from './kit/pace.ts'

/** What a look at the target before the run tells. */
export interface Preflight {
  /** why no run makes sense, in one line; undefined: it may begin */
  readonly failure: string | undefined
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
  readonly now: () => number
}

const DAY = 86_400
const LONGEST_WAIT_MS = 3_000

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
  const send = (operation: TargetOperation, choices: readonly CredentialChoice[]): Promise<Exchange> =>
    patiently(() => sendRead(input, operation, choices))
  const nonsense: TargetOperation = { ...EMPTY, path: `/v1/assay-preflight-${Math.floor(input.now())}` }
  const result = (failure: string | undefined, more: Partial<Preflight> = {}): Preflight => ({
    failure,
    enterprise: 'alone',
    unfit: [],
    notes: [],
    credentials,
    ...more,
  })

  const first = await send(nonsense, defaultChoices('v1', credentials, 'alone'))
  if (first._outcome !== 'complete') return result(unreachable(first))

  let enterprise: 'alone' | 'both' = 'alone'
  const seen: Exchange[] = [first]
  const reads: { operation: TargetOperation; exchange: Exchange }[] = []
  for (const [id, feature] of READS) {
    const operation = binding.operations.get(id)
    if (!claimed.has(feature) || !operation?.offered) continue
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
      return result(
        `the target answers ${describe(first)} to paths that do not exist and to requests without credentials, so nothing that it accepts means anything`,
      )
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

/** A service key that is refused where the access token is accepted may be an old one: it proves nothing. */
async function checkServiceKey(
  { credentials }: PreflightInput,
  reads: readonly { operation: TargetOperation; exchange: Exchange }[],
  send: (operation: TargetOperation, choices: readonly CredentialChoice[]) => Promise<Exchange>,
  notes: readonly string[],
): Promise<Pick<Preflight, 'notes' | 'credentials'>> {
  const read = reads.find(({ operation, exchange }) => operation.family === 'v1' && isSuccess(exchange))
  if (credentials.serviceKey === undefined || credentials.accessToken === undefined || !read)
    return { notes, credentials }
  const exchange = await send(read.operation, [{ scheme: 'service-key', variant: 'right' }])
  if (!isRefused(exchange)) return { notes, credentials }
  const { serviceKey: _refused, ...rest } = credentials
  const note = `the service key is refused by ${read.operation.id} (status ${exchange.response.status}); it is not used in this run`
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
  { session, credentials, now }: PreflightInput,
  operation: TargetOperation,
  choices: readonly CredentialChoice[],
): Promise<Exchange> {
  const { headers, labels } = credentialHeaders(choices, credentials)
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

async function patiently(send: () => Promise<Exchange>): Promise<Exchange> {
  const exchange = await send()
  if (exchange.response.status !== 429 && exchange.response.status !== 503) return exchange
  const header = exchange.response.headers.find(({ name }) => name.toLowerCase() === 'retry-after')
  await sleep(retryAfter(header?.value, Date.now(), LONGEST_WAIT_MS))
  return send()
}

function isSuccess({ response, _outcome }: Exchange): boolean {
  return _outcome === 'complete' && response.status >= 200 && response.status < 300
}

function isRefused({ response, _outcome }: Exchange): boolean {
  return _outcome === 'complete' && (response.status === 401 || response.status === 403)
}

function unreachable(exchange: Exchange): string {
  switch (exchange._outcome) {
    case 'timeout':
      return `no answer within ${Math.round(exchange.time)} ms`
    case 'refused':
      return `no connection (${exchange._error ?? 'refused'})`
    case 'too-large':
      return `the answer to a path that does not exist is endless (${exchange._error ?? 'too large'})`
    default:
      return `the answer broke off or is not HTTP (${exchange._outcome}: ${exchange._error ?? 'no reason given'})`
  }
}

/** Why none of the reads worked, in one line. */
function allAlike(seen: readonly Exchange[]): string {
  const kinds = [...new Set(seen.map(describe))]
  const [only] = kinds
  if (kinds.length === 1 && only !== undefined) return `the target answers ${only} to everything`
  const reads = seen.slice(1)
  if (reads.every(isRefused)) return `the credentials are refused (${[...new Set(reads.map(describe))].join(', ')})`
  return `no read is answered with success: ${kinds.join(', ')}`
}

function describe({ response, _outcome }: Exchange): string {
  if (_outcome !== 'complete') return `nothing whole (${_outcome})`
  const type = response.content.mimeType.split(';')[0]?.trim() ?? ''
  return type === '' || type === 'application/json' ? `${response.status}` : `${response.status} ${type}`
}
