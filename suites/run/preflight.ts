import { askedOf, hasFailed, retryAfter } from '../../fixtures/http/retry.ts'
import type { Session } from '../../fixtures/http/session.ts'
import { isPutOff } from '../../rules/core/says.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import type { Credentials } from '../../schemas/types/config.ts'
import type { CredentialScheme, Exchange } from '../../schemas/types/exchange.ts'
import type { CredentialChoice } from '../case.ts'
import { accountQuery, accountReads, credentialHeaders, defaultChoices, secretsOf } from '../request/credentials.ts'
import { isRefusal } from '../request/outage.ts'
import {
  isSuccess,
  type Lacking,
  lackingCredentials,
  nothingConfigured,
  type Read,
  refusedEverywhere,
  refusedInPart,
  type Trial,
  tryCredentials,
  uncheckedCredentials,
  uselessCredentials,
} from './tried-credentials.ts'
import { allAlike, describe, type Failure, isPage, PATIENCE_MS, unreachable } from './unreachable.ts'

/** The result of preflight. */
export interface Preflight extends Found {
  /** why no run makes sense, in one line; undefined: it may begin */
  readonly failure: string | undefined
  /** what to do about the failure; '' without one */
  readonly hint: string
  readonly enterprise: 'alone' | 'both'
  /** operations known only from the binding that the target does not seem to have */
  readonly unfit: readonly string[]
  /** worth knowing, though it does not stop the run */
  readonly notes: readonly string[]
}

/** The answers that preflight got, and the credentials that it misses. */
interface Found {
  /** a request to a path that does not exist */
  readonly first: Exchange
  /** the reads of the account that were tried */
  readonly reads: readonly Read[]
  /** what each credential was answered */
  readonly trials: readonly Trial[]
  /** the credentials that are not configured although reads are refused without them */
  readonly lacking: readonly Lacking[]
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
  /** whether a line is sent after it, which checks the key for lines */
  readonly sendsLine?: boolean
  /** tries every read of the account, and not only as many as tell whether a run makes sense */
  readonly thorough?: boolean
  /** Waits so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

const DAY = 86_400
/** Answers to one request that put it off. */
const MOST_WAITS = 3
/** Requests that are sent again in all, since they failed or broke off: a moment later they may work. */
const MOST_REPEATS = 6
const REPEAT_MS = 100
/** Reads without an answer, from the first on, after which the others are not tried. */
const MOST_SILENT = 2

/** Sends a few requests that change nothing, to tell whether the target can be tested at all. */
export async function preflight(input: PreflightInput): Promise<Preflight> {
  const { binding, credentials, claimed } = input
  const patience = { left: PATIENCE_MS, repeats: MOST_REPEATS, sleep: input.sleep }
  const send = (operation: TargetOperation, choices: readonly CredentialChoice[]): Promise<Exchange> =>
    patiently(patience, () => sendRead(input, operation, choices))
  const nonsense: TargetOperation = { ...EMPTY, path: `/v1/assay-preflight-${Math.floor(input.now())}` }
  const first = await send(nonsense, defaultChoices('v1', credentials, 'alone'))
  let found: Found = { first, reads: [], trials: [], lacking: [] }
  const result = (failure: Failure | undefined, more: Partial<Preflight> = {}): Preflight => ({
    failure: failure?.what,
    hint: failure?.hint ?? '',
    enterprise: 'alone',
    unfit: [],
    notes: [],
    ...found,
    ...more,
  })
  if (first._outcome !== 'complete') return result(unreachable(first, input.proxy))

  const configured = new Set(secretsOf(credentials).values())
  const claims = (feature: string): boolean => claimed.has(feature)
  const { enterprise, reads, trials } = await readAccount(input, configured, send)
  const seen = [first, ...reads.map(({ exchange }) => exchange)]
  const readable = reads.filter(({ exchange }) => isSuccess(exchange))
  const nothing = reads.length > 0 && readable.length === 0
  const told = new Set(reads.filter(({ exchange }) => isSuccess(exchange) || isRefusal(exchange)).map(idOf))
  const silent = new Set(reads.map(idOf).filter((id) => !told.has(id)))
  const useful = told.size === 0 ? [] : accountReads(binding, claims).filter(({ id }) => !silent.has(id))
  const tried = await tryCredentials(input, useful, trials, send)
  const lacking = lackingCredentials(reads, configured)
  found = { first, reads, trials: tried, lacking }
  const useless = uselessCredentials(tried, nothing)
  if (useless.length > 0) return result(refusedEverywhere(useless, tried, binding))
  if (nothing) return result(lacking[0] === undefined ? allAlike(seen) : nothingConfigured(lacking[0]))
  if (isSuccess(first)) {
    const probe = readable[0]
    const bare = probe ? await send(probe.operation, []) : first
    if (isSuccess(bare)) return result(acceptsEverything(first))
  }
  const unfit = reads.filter(
    ({ operation, exchange }) => !operation.specified && [404, 405, 501].includes(exchange.response.status),
  )
  const notes = [
    ...redirected(reads),
    ...skipped(unfit, lacking),
    ...refusedInPart(tried),
    ...uncheckedCredentials(uncheckedOf(input), binding),
  ]
  return result(undefined, { enterprise, unfit: unfit.map(idOf), notes })
}

function uncheckedOf({ credentials, sendsLine }: PreflightInput): Credentials {
  const { ingestionKey: _checked, ...others } = credentials
  return sendsLine === true ? others : credentials
}

function acceptsEverything(first: Exchange): Failure {
  return {
    what: `the target answers ${describe(first)} to paths that do not exist and to requests without credentials, so an accepted request means nothing`,
    hint: `check the base URL. ${isPage(first) ? 'This looks like a web page' : 'This looks like a stub or a catch-all in front of it'}`,
  }
}

/** Whose requirements are not run: operations that are not there, and credentials that are not configured. */
function skipped(unfit: readonly Read[], lacking: readonly Lacking[]): string[] {
  return [
    ...unfit.map(
      ({ operation: { id, method, path }, exchange }) =>
        `${id} (${method} ${path}) returned ${exchange.response.status}; requirements that need it are skipped; correct its path in the binding, or set "offered": false`,
    ),
    ...lacking.map(
      ({ field, answers }) =>
        `no ${field} is configured: requests without it are refused by ${answers}; requirements that need it are skipped`,
    ),
  ]
}

/** Reads whose answers only point to another address, such as one with a slash at its end. */
function redirected(reads: readonly Read[]): string[] {
  const away = reads.filter(({ exchange: { response } }) => response.status >= 300 && response.status < 400)
  const [first] = away
  if (!first) return []
  const { operation, exchange } = first
  const { headers, status } = exchange.response
  const to = headers.find(({ name }) => name.toLowerCase() === 'location')?.value ?? 'nowhere'
  const others = away.length === 1 ? '' : `, and ${away.length - 1} more`
  const what = `${operation.id} (${operation.method} ${operation.path}) is redirected to ${to} (${status})${others}`
  return [`${what}: redirects are not followed; write the paths in the binding as the target has them`]
}

/** What the reads were answered that are tried before a run. */
async function readAccount(
  { binding, credentials, claimed, thorough }: PreflightInput,
  configured: ReadonlySet<CredentialScheme>,
  send: (operation: TargetOperation, choices: readonly CredentialChoice[]) => Promise<Exchange>,
): Promise<Pick<Preflight, 'enterprise' | 'reads' | 'trials'>> {
  let enterprise: 'alone' | 'both' = 'alone'
  const reads: Read[] = []
  const trials: Trial[] = []
  for (const operation of accountReads(binding, (feature) => claimed.has(feature), thorough !== true)) {
    if (reads.length >= MOST_SILENT && reads.every(({ exchange: { _outcome } }) => _outcome === 'timeout')) break
    const choices = defaultChoices(operation.family, credentials, enterprise)
    let exchange = await send(operation, choices)
    if (operation.family === 'enterprise' && isRefusal(exchange)) {
      const both = await send(operation, defaultChoices(operation.family, credentials, 'both'))
      if (isSuccess(both)) {
        enterprise = 'both'
        exchange = both
      }
    }
    reads.push({ operation, exchange })
    const scheme = choices[0]?.scheme
    if (scheme !== undefined && configured.has(scheme)) trials.push({ scheme, operation, exchange })
  }
  return { enterprise, reads, trials }
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
  const text = new URLSearchParams(accountQuery(operation, Math.floor(now() / 1000 / DAY) * DAY)).toString()
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
 * Sends again after 429 and 503, as long as the wait that the target asks for fits into the remaining patience. Also
 * after failures, since one bad moment is no reason not to begin.
 */
async function patiently(patience: Patience, send: () => Promise<Exchange>): Promise<Exchange> {
  for (let waits = 0; ; waits += 1) {
    const exchange = await send()
    const putOff = exchange._outcome === 'complete' && isPutOff(exchange.response.status)
    const again = putOff || (hasFailed(exchange) && patience.repeats > 0)
    if (!again || waits === MOST_WAITS) return exchange
    if (!putOff) patience.repeats -= 1
    const wait = putOff ? retryAfter(askedOf(exchange), Date.now(), Number.MAX_SAFE_INTEGER) : REPEAT_MS
    if (wait > patience.left) return exchange
    patience.left -= wait
    await patience.sleep(wait)
  }
}

function idOf({ operation }: { readonly operation: TargetOperation }): string {
  return operation.id
}
