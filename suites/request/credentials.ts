import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { service } from '../../schemas/service.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { Credentials } from '../../schemas/types/config.ts'
import type { CredentialLabel, CredentialScheme, HarHeader } from '../../schemas/types/exchange.ts'
import type { CredentialChoice } from '../case.ts'

/** Header fields and the labels that stand for them in the evidence. */
export interface CredentialHeaders {
  readonly headers: readonly HarHeader[]
  readonly labels: readonly CredentialLabel[]
}

/** The configured secret of a scheme. */
function secretOf(credentials: Credentials, scheme: CredentialScheme): string | undefined {
  switch (scheme) {
    case 'access-token':
      return credentials.accessToken
    case 'service-key':
      return credentials.serviceKey
    case 'enterprise-key':
      return credentials.enterpriseServiceKey
    case 'ingestion-key':
      return credentials.ingestionKey
    case 'iam':
      return credentials.iam?.token
  }
}

/** Every configured secret and its scheme. */
export function secretsOf(credentials: Credentials): Map<string, CredentialScheme> {
  const schemes: CredentialScheme[] = ['access-token', 'service-key', 'enterprise-key', 'ingestion-key', 'iam']
  return new Map(
    schemes.flatMap((scheme) => {
      const secret = secretOf(credentials, scheme)
      return secret === undefined ? [] : [[secret, scheme] as const]
    }),
  )
}

/** The schemes to send with an operation of a family, of those that are configured (section 'Authentication'). */
export function defaultChoices(
  family: string,
  credentials: Credentials,
  enterprise: 'alone' | 'both',
): readonly CredentialChoice[] {
  const account: CredentialScheme[] = family === 'v3' ? ['access-token', 'iam'] : ['access-token', 'service-key', 'iam']
  const regular = account.find((scheme) => secretOf(credentials, scheme) !== undefined)
  const right = (scheme: CredentialScheme | undefined): CredentialChoice[] =>
    scheme === undefined ? [] : [{ scheme, variant: 'right' }]
  if (family === 'enterprise') return [...right('enterprise-key'), ...(enterprise === 'both' ? right(regular) : [])]
  if (family === 'ingestion') return right('ingestion-key')
  return right(regular)
}

/** Field of the configuration that would hold the credential of a family, where none of them is configured. */
export function unconfigured(family: string, schemes: ReadonlySet<string>): string | undefined {
  if (family === 'enterprise') return schemes.has('enterprise-key') ? undefined : 'credentials.enterpriseServiceKey'
  if (family === 'ingestion') return schemes.has('ingestion-key') ? undefined : 'credentials.ingestionKey'
  const isConfigured =
    schemes.has('access-token') || schemes.has('iam') || (family !== 'v3' && schemes.has('service-key'))
  return isConfigured ? undefined : 'credentials.accessToken'
}

/**
 * Writes the header fields of the chosen credentials. A choice of a scheme without a configured secret sends a made-up
 * one. `answers`: what the binding says of the two schemes whose headers the specification does not show.
 */
export function credentialHeaders(
  choices: readonly CredentialChoice[],
  credentials: Credentials,
  answers: Binding['answers'],
): CredentialHeaders {
  const headers: HarHeader[] = []
  const labels: CredentialLabel[] = []
  for (const { scheme, variant, form, value: given } of choices) {
    const secret = given ?? secretOf(credentials, scheme)
    const value = vary(secret, variant)
    headers.push(...(form ? [authorization(form, value)] : headersOf(scheme, value, credentials, answers)))
    const right = variant === 'right' && secret !== undefined && given === undefined
    const state = right ? 'configured' : variant === 'empty' ? 'malformed' : 'other'
    labels.push({ scheme, state })
  }
  return { headers, labels }
}

function authorization(form: 'bare' | 'basic', value: string): HarHeader {
  return { name: 'Authorization', value: form === 'basic' ? `Basic ${userNamed(value)}` : value }
}

function headersOf(
  scheme: CredentialScheme,
  value: string,
  credentials: Credentials,
  answers: Binding['answers'],
): HarHeader[] {
  switch (scheme) {
    case 'access-token':
      return [{ name: 'Authorization', value: `Token ${value}` }]
    case 'service-key':
      return [{ name: 'servicekey', value }]
    case 'enterprise-key':
      return [{ name: 'enterprise-servicekey', value }]
    case 'ingestion-key':
      return bound(answers, 'GAP-INGESTION-AUTH', { ingestionKey: value }) ?? [{ name: 'apikey', value }]
    case 'iam': {
      const name = credentials.iam?.cloudResourceName
      const told = bound(answers, 'GAP-IAM-HEADER', { iamToken: value, cloudResourceName: name })
      if (told) return told
      const bearer = { name: 'Authorization', value: `Bearer ${value}` }
      return name === undefined ? [bearer] : [bearer, { name: 'cloud-resource-name', value: name }]
    }
  }
}

/** The headers that the binding gives a scheme, without those whose placeholder has no value; undefined: it is silent. */
function bound(
  answers: Binding['answers'],
  gap: string,
  values: Readonly<Record<string, string | undefined>>,
): HarHeader[] | undefined {
  const answer = answers.get(gap)?.value as { readonly headers?: Readonly<Record<string, string>> } | undefined
  if (answer?.headers === undefined) return undefined
  const missing = Object.keys(values).filter((name) => values[name] === undefined)
  return Object.entries(answer.headers)
    .filter(([, template]) => !missing.some((name) => template.includes(`{{${name}}}`)))
    .map(([name, template]) => ({ name, value: String(fillTemplate(template, encoded(template, values))) }))
}

function encoded(
  template: string,
  values: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  if (!/^basic /i.test(template)) return values
  return Object.fromEntries(Object.entries(values).map(([name, value = '']) => [name, userNamed(value)]))
}

/** HTTP Basic of a user with this name, and no password. */
function userNamed(name: string): string {
  return Buffer.from(`${name}:`).toString('base64')
}

const NOBODY = 'assay-nobody-0000000000000000'

/** Characters at the end of a secret of which one or all are touched until it is surely another one: fewer than these. */
const MOST_TOUCHED = 8

function vary(secret: string | undefined, variant: CredentialChoice['variant']): string {
  if (variant === 'empty') return ''
  if (secret === undefined || variant === 'unknown') return NOBODY
  if (variant === 'right') return secret
  for (let count = 1; count < Math.min(MOST_TOUCHED, secret.length); count += 1) {
    const others = varied(secret, variant, count)
    const other = others.find((one) => bytesOf(one) !== bytesOf(secret))
    if (other !== undefined) return other
  }
  return NOBODY
}

/** A secret without so many characters, with so many more, or with another one so far from its end. */
function varied(secret: string, variant: CredentialChoice['variant'], count: number): string[] {
  const kept = secret.slice(0, -count)
  if (variant === 'shortened') return [kept]
  const last = secret.slice(-1)
  if (variant === 'lengthened') return [`${secret}${(last === '=' ? '0' : last).repeat(count)}`]
  const end = secret.slice(secret.length - count + 1)
  return [secret.at(-count) === '0' ? '1' : '0', 'A'].map((other) => `${kept}${other}${end}`)
}

const BASE64 = /^[\w+/=-]+$/

/** What a target may read of a token. The last characters of base64, as at the end of a signed one, may count for nothing. */
function bytesOf(token: string): string {
  const start = token.lastIndexOf('.') + 1
  const last = token.slice(start)
  return BASE64.test(last) ? `${token.slice(0, start)}${Buffer.from(last, 'base64').toString('hex')}` : token
}

/** How many of them tell whether a target can be tested; the others are for credentials that these refuse. */
const FIRST = 8

/** The reads that a target with these features offers. `first`: only those that are tried before a run. */
export function accountReads(
  binding: Binding,
  claims: (feature: string) => boolean,
  first: boolean = false,
): readonly TargetOperation[] {
  const reads = service().operations.filter(({ free }) => free)
  return reads.slice(0, first ? FIRST : reads.length).flatMap(({ id, verb, resource, feature }) => {
    const operation = binding.operations.get(id)
    // Things in one list may be claimed under several names.
    const beside = verb === 'list' ? service().operations.filter((row) => row.resource === resource) : []
    const features = [feature, ...beside.map((row) => row.feature)]
    const asked = operation?.offered === true && operation.path !== '' && features.some(claims)
    return operation && asked ? [operation] : []
  })
}

const DAY = 86_400

/** A good query of such a read. `today`: midnight UTC, in seconds. */
export function accountQuery({ id, query, parameters }: TargetOperation, today: number): Record<string, string> {
  if (!id.includes('usage')) return { ...query }
  return {
    ...query,
    [parameters.from ?? 'from']: String(today - 2 * DAY),
    [parameters.to ?? 'to']: String(today - DAY),
  }
}

/** The families of operations to which a scheme applies (section 'Authentication'), but for sending lines. */
export const FAMILIES_OF: Readonly<Record<CredentialScheme, readonly string[]>> = {
  'access-token': ['v1', 'v2', 'v3'],
  'service-key': ['v1', 'v2'],
  'enterprise-key': ['enterprise'],
  'ingestion-key': [],
  // listed as an alternative to the other two
  iam: ['v1', 'v2', 'v3'],
}
