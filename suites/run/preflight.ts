import { retryAfter } from '../../fixtures/http/retry.ts'
import type { Session } from '../../fixtures/http/session.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import type { Credentials } from '../../schemas/types/config.ts'
import type { CredentialScheme, Exchange } from '../../schemas/types/exchange.ts'
import type { CredentialChoice } from '../case.ts'
import { accountQuery, accountReads, FAMILIES_OF } from '../request/account-reads.ts'
import { credentialHeaders, defaultChoices, secretsOf } from '../request/credentials.ts'
import { allAlike, describe, type Failure, isPage, PATIENCE_MS, unreachable } from './unreachable.ts'

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
  /** a request to a path that does not exist */
  readonly first: Exchange
  /** the reads of the account that were tried */
  readonly reads: readonly Read[]
  /** what each credential was answered */
  readonly trials: readonly Trial[]
  /** the credentials that are not configured although reads are refused without them */
  readonly lacking: readonly Lacking[]
}

export interface Read {
  readonly operation: TargetOperation
  readonly exchange: Exchange
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

/** Reads of one family that a credential is tried with before it counts as refused there. */
const MOST_TRIED = 3

/** What one credential was answered. */
export interface Trial extends Read {
  readonly scheme: CredentialScheme
}

/** Sends a few requests that change nothing, to tell whether the target can be tested at all. */
export async function preflight(input: PreflightInput): Promise<Preflight> {
  const { binding, credentials, claimed } = input
  const patience = { left: PATIENCE_MS, repeats: MOST_REPEATS, sleep: input.sleep }
  const send = (operation: TargetOperation, choices: readonly CredentialChoice[]): Promise<Exchange> =>
    patiently(patience, () => sendRead(input, operation, choices))
  const nonsense: TargetOperation = { ...EMPTY, path: `/v1/assay-preflight-${Math.floor(input.now())}` }
  const first = await send(nonsense, defaultChoices('v1', credentials, 'alone'))
  let found: Pick<Preflight, 'reads' | 'trials' | 'lacking'> = { reads: [], trials: [], lacking: [] }
  const result = (failure: Failure | undefined, more: Partial<Preflight> = {}): Preflight => ({
    failure: failure?.what,
    hint: failure?.hint ?? '',
    enterprise: 'alone',
    unfit: [],
    notes: [],
    first,
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
  const told = new Set(reads.filter(({ exchange }) => isSuccess(exchange) || isRefused(exchange)).map(idOf))
  const silent = new Set(reads.map(idOf).filter((id) => !told.has(id)))
  const useful = told.size === 0 ? [] : accountReads(binding, claims).filter(({ id }) => !silent.has(id))
  const tried = await tryCredentials(input, useful, trials, send)
  const lacking = lackingCredentials(reads, configured)
  found = { reads, trials: tried, lacking }
  const useless = uselessCredentials(tried, nothing)
  if (useless.length > 0) return result(refusedEverywhere(useless, tried, binding))
  if (nothing) return result(lacking[0] === undefined ? allAlike(seen) : nothingConfigured(lacking[0]))
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
  const notes = [
    ...unfit.map((id) => `${id} of the binding is answered as if the target did not have it; what needs it is not run`),
    ...lacking.map(
      ({ field, answers }) =>
        `no ${field} is configured: requests without it are refused by ${answers}; what needs it is not run`,
    ),
    ...refusedInPart(tried),
    ...uncheckedCredentials(credentials, binding),
  ]
  return result(undefined, { enterprise, unfit, notes })
}

/** What the reads were answered that are tried before a run. */
interface AccountAnswers {
  readonly enterprise: 'alone' | 'both'
  readonly reads: readonly Read[]
  readonly trials: readonly Trial[]
}

async function readAccount(
  { binding, credentials, claimed, thorough }: PreflightInput,
  configured: ReadonlySet<CredentialScheme>,
  send: (operation: TargetOperation, choices: readonly CredentialChoice[]) => Promise<Exchange>,
): Promise<AccountAnswers> {
  let enterprise: 'alone' | 'both' = 'alone'
  const reads: Read[] = []
  const trials: Trial[] = []
  for (const operation of accountReads(binding, (feature) => claimed.has(feature), thorough !== true)) {
    if (reads.length >= MOST_SILENT && reads.every(({ exchange: { _outcome } }) => _outcome === 'timeout')) break
    const choices = defaultChoices(operation.family, credentials, enterprise)
    let exchange = await send(operation, choices)
    if (operation.family === 'enterprise' && isRefused(exchange)) {
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

/** Whether the header of a scheme is known: that of IAM is a gap. */
function isHeaderKnown(scheme: CredentialScheme, binding: Binding): boolean {
  return scheme !== 'iam' || binding.answers.has('GAP-IAM-HEADER')
}

/**
 * Tries each configured credential on a few reads of each family that it applies to, until one is answered with success.
 * `known`: what was tried already. A header that is a guess is tried only where a run depends on it.
 */
async function tryCredentials(
  { binding, credentials }: PreflightInput,
  operations: readonly TargetOperation[],
  known: readonly Trial[],
  send: (operation: TargetOperation, choices: readonly CredentialChoice[]) => Promise<Exchange>,
): Promise<readonly Trial[]> {
  const trials = [...known]
  const tryFamily = async (scheme: CredentialScheme, family: string): Promise<void> => {
    const before = trials.filter((trial) => trial.scheme === scheme && trial.operation.family === family)
    let left = before.some(({ exchange }) => isSuccess(exchange)) ? 0 : MOST_TRIED - before.length
    for (const operation of operations.filter((one) => one.family === family)) {
      if (left <= 0) return
      if (before.some((trial) => trial.operation.id === operation.id)) continue
      const exchange = await send(operation, [{ scheme, variant: 'right' }])
      trials.push({ scheme, operation, exchange })
      left = isRefused(exchange) ? left - 1 : 0
    }
  }
  for (const scheme of secretsOf(credentials).values()) {
    if (!isHeaderKnown(scheme, binding)) continue
    for (const family of FAMILIES_OF[scheme]) await tryFamily(scheme, family)
  }
  return trials
}

/**
 * The schemes that are refused wherever they were tried. One 403 may be about the rights of a token, so it needs a second
 * refusal. `nothing`: no read was answered with success, so that one is enough.
 */
function uselessCredentials(trials: readonly Trial[], nothing: boolean): readonly CredentialScheme[] {
  return [...new Set(trials.map(({ scheme }) => scheme))].filter((scheme) => {
    const own = trials.filter((trial) => trial.scheme === scheme)
    const refused = own.filter(({ exchange }) => isRefused(exchange))
    if (own.some(({ exchange }) => isSuccess(exchange))) return false
    return refused.some(({ exchange }) => exchange.response.status === 401) || refused.length > (nothing ? 0 : 1)
  })
}

/** What a configuration calls the credential of a scheme. */
export const FIELDS: Readonly<Record<CredentialScheme, string>> = {
  'access-token': 'accessToken',
  'service-key': 'serviceKey',
  'enterprise-key': 'enterpriseServiceKey',
  'ingestion-key': 'ingestionKey',
  iam: 'iam',
}

function refusedEverywhere(schemes: readonly CredentialScheme[], trials: readonly Trial[], binding: Binding): Failure {
  const fields = schemes.map((scheme) => `credentials.${FIELDS[scheme]}`).sort()
  const refused = trials.filter(({ scheme, exchange }) => schemes.includes(scheme) && isRefused(exchange))
  const named = schemes.length === 1 ? (fields[0] ?? '') : `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`
  const guessed = schemes.includes('iam') && !isHeaderKnown('iam', binding)
  const isOne = schemes.length === 1
  return {
    what: `${named} ${isOne ? 'works' : 'work'} nowhere: refused by ${answersOf(refused)}`,
    hint: guessed
      ? 'correct it, or answer GAP-IAM-HEADER in the binding: until then its header is a guess'
      : `correct ${isOne ? 'it' : 'them'} in the configuration, or leave out what the target does not take`,
  }
}

/** A credential that would be needed. */
export interface Lacking {
  readonly field: string
  /** who refused a request without it */
  readonly answers: string
}

/** The credentials that are not configured although reads are refused without them. */
function lackingCredentials(reads: readonly Read[], configured: ReadonlySet<CredentialScheme>): readonly Lacking[] {
  const bare = reads.filter(
    ({ operation: { family }, exchange }) =>
      isRefused(exchange) && ![...configured].some((scheme) => FAMILIES_OF[scheme].includes(family)),
  )
  return (['accessToken', 'enterpriseServiceKey'] as const).flatMap((field) => {
    const own = bare.filter(({ operation: { family } }) => (family === 'enterprise') === (field !== 'accessToken'))
    return own.length === 0 ? [] : [{ field, answers: answersOf(own) }]
  })
}

function nothingConfigured({ field, answers }: Lacking): Failure {
  return {
    what: `no ${field} is configured: requests without it are refused by ${answers}`,
    hint: `add credentials.${field} to the configuration`,
  }
}

/** Credentials that all reads of one family refused, though the run goes on. */
function refusedInPart(trials: readonly Trial[]): string[] {
  const parts = new Map<string, Trial[]>()
  for (const trial of trials) {
    const part = `${FIELDS[trial.scheme]} ${trial.operation.family}`
    parts.set(part, [...(parts.get(part) ?? []), trial])
  }
  return [...parts.values()].flatMap((part) => {
    const [first] = part
    if (!first || !part.every(({ exchange }) => isRefused(exchange))) return []
    const { scheme, operation } = first
    return [`credentials.${FIELDS[scheme]} is refused by ${operation.family} operations: ${answersOf(part)}`]
  })
}

/** What a run uses without having been able to look at it. */
function uncheckedCredentials({ ingestionKey, iam, ...rest }: Credentials, binding: Binding): string[] {
  const notes: string[] = []
  if (ingestionKey !== undefined)
    notes.push('credentials.ingestionKey is not checked: to send lines with it would not be harmless')
  const other = rest.accessToken !== undefined || rest.serviceKey !== undefined
  if (iam !== undefined && other && !isHeaderKnown('iam', binding))
    notes.push('credentials.iam is not checked: the binding does not answer GAP-IAM-HEADER')
  return notes
}

/** Answers as 'list-pipelines 401, list-boards 403'. */
function answersOf(all: readonly Read[]): string {
  const named = [...new Set(all.map(({ operation, exchange }) => `${operation.id} ${exchange.response.status}`))]
  const rest = named.length - MOST_NAMED
  return named.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

const MOST_NAMED = 3

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

export function isSuccess({ response, _outcome }: Exchange): boolean {
  return _outcome === 'complete' && response.status >= 200 && response.status < 300
}

function idOf({ operation }: { readonly operation: TargetOperation }): string {
  return operation.id
}

export function isRefused({ response, _outcome }: Exchange): boolean {
  return _outcome === 'complete' && (response.status === 401 || response.status === 403)
}
