import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import type { Credentials } from '../../schemas/types/config.ts'
import type { CredentialScheme, Exchange } from '../../schemas/types/exchange.ts'
import type { CredentialChoice } from '../case.ts'
import { FAMILIES_OF, FIELDS, secretsOf } from '../request/credentials.ts'
import { isRefusal } from '../request/outage.ts'
import type { Failure } from './unreachable.ts'

export interface Read {
  readonly operation: TargetOperation
  readonly exchange: Exchange
}

/** Reads of one family that a credential is tried with before it counts as refused there. */
const MOST_TRIED = 3

/** What one credential was answered. */
export interface Trial extends Read {
  readonly scheme: CredentialScheme
}

/** Whether the header of a scheme is known: that of IAM is a gap. */
function isHeaderKnown(scheme: CredentialScheme, binding: Binding): boolean {
  return scheme !== 'iam' || binding.answers.has('GAP-IAM-HEADER')
}

/**
 * Tries each configured credential on a few reads of each family that it applies to, until one is answered with success.
 * `known`: what was tried already. A header that is a guess is tried only where a run depends on it.
 */
export async function tryCredentials(
  { binding, credentials }: { readonly binding: Binding; readonly credentials: Credentials },
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
      left = isRefusal(exchange) ? left - 1 : 0
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
export function uselessCredentials(trials: readonly Trial[], nothing: boolean): readonly CredentialScheme[] {
  return [...new Set(trials.map(({ scheme }) => scheme))].filter((scheme) => {
    const own = trials.filter((trial) => trial.scheme === scheme)
    const refused = own.filter(({ exchange }) => isRefusal(exchange))
    if (own.some(({ exchange }) => isSuccess(exchange))) return false
    return refused.some(({ exchange }) => exchange.response.status === 401) || refused.length > (nothing ? 0 : 1)
  })
}

export function refusedEverywhere(
  schemes: readonly CredentialScheme[],
  trials: readonly Trial[],
  binding: Binding,
): Failure {
  const fields = schemes.map((scheme) => `credentials.${FIELDS[scheme]}`).sort()
  const refused = trials.filter(({ scheme, exchange }) => schemes.includes(scheme) && isRefusal(exchange))
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
export function lackingCredentials(
  reads: readonly Read[],
  configured: ReadonlySet<CredentialScheme>,
): readonly Lacking[] {
  const bare = reads.filter(
    ({ operation: { family }, exchange }) =>
      isRefusal(exchange) && ![...configured].some((scheme) => FAMILIES_OF[scheme].includes(family)),
  )
  return (['accessToken', 'enterpriseServiceKey'] as const).flatMap((field) => {
    const own = bare.filter(({ operation: { family } }) => (family === 'enterprise') === (field !== 'accessToken'))
    return own.length === 0 ? [] : [{ field, answers: answersOf(own) }]
  })
}

export function nothingConfigured({ field, answers }: Lacking): Failure {
  return {
    what: `no ${field} is configured: requests without it are refused by ${answers}`,
    hint: `add credentials.${field} to the configuration`,
  }
}

/** Credentials that all reads of one family refused, though the run goes on. */
export function refusedInPart(trials: readonly Trial[]): string[] {
  const parts = new Map<string, Trial[]>()
  for (const trial of trials) {
    const part = `${FIELDS[trial.scheme]} ${trial.operation.family}`
    parts.set(part, [...(parts.get(part) ?? []), trial])
  }
  return [...parts.values()].flatMap((part) => {
    const [first] = part
    if (!first || !part.every(({ exchange }) => isRefusal(exchange))) return []
    const { scheme, operation } = first
    return [`credentials.${FIELDS[scheme]} is refused by ${operation.family} operations: ${answersOf(part)}`]
  })
}

/** What a run uses without having been able to look at it. */
export function uncheckedCredentials({ ingestionKey, iam, ...rest }: Credentials, binding: Binding): string[] {
  const notes: string[] = []
  if (ingestionKey !== undefined) notes.push('credentials.ingestionKey is not checked: sending lines is not harmless')
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

export function isSuccess({ response, _outcome }: Exchange): boolean {
  return _outcome === 'complete' && response.status >= 200 && response.status < 300
}
