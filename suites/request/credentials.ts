import { type Binding, offered, type TargetOperation } from '../../schemas/binding.ts'
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

/** What a configuration calls the credential of a scheme. */
export const FIELDS: Readonly<Record<CredentialScheme, string>> = {
  'access-token': 'accessToken',
  'service-key': 'serviceKey',
  'enterprise-key': 'enterpriseServiceKey',
  'ingestion-key': 'ingestionKey',
  iam: 'iam',
}

/** The configured secret of a scheme. */
export function secretOf(credentials: Credentials, scheme: CredentialScheme): string | undefined {
  const secret = credentials[FIELDS[scheme] as keyof Credentials]
  return typeof secret === 'object' ? secret.token : secret
}

/** Every configured secret and its scheme. */
export function secretsOf(credentials: Credentials): Map<string, CredentialScheme> {
  return new Map(
    SCHEMES.flatMap((scheme) => {
      const secret = secretOf(credentials, scheme)
      return secret === undefined ? [] : [[secret, scheme] as const]
    }),
  )
}

/** The families of operations to which a scheme applies, the likelier schemes first (section 'Authentication'). */
export const FAMILIES_OF: Readonly<Record<CredentialScheme, readonly string[]>> = {
  'access-token': ['v1', 'v2', 'v3'],
  'service-key': ['v1', 'v2'],
  'enterprise-key': ['enterprise'],
  'ingestion-key': ['ingestion'],
  // listed as an alternative to the first two
  iam: ['v1', 'v2', 'v3'],
}

const SCHEMES = Object.keys(FAMILIES_OF) as CredentialScheme[]

/** The schemes that open the operations of a family. */
function schemesFor(family: string): readonly CredentialScheme[] {
  return SCHEMES.filter((scheme) => FAMILIES_OF[scheme].includes(family))
}

/** The schemes to send with an operation of a family, of those that are configured (section 'Authentication'). */
export function defaultChoices(
  family: string,
  credentials: Credentials,
  enterprise: 'alone' | 'both',
): readonly CredentialChoice[] {
  const [first = 'access-token', ...others] = schemesFor(family)
  const isConfigured = (scheme: CredentialScheme): boolean => secretOf(credentials, scheme) !== undefined
  // Of a family that one scheme opens it is sent in any case.
  const own = others.length === 0 ? first : [first, ...others].find(isConfigured)
  const beside = family === 'enterprise' && enterprise === 'both' ? schemesFor('v1').find(isConfigured) : undefined
  return [own, beside].flatMap((scheme) => (scheme === undefined ? [] : [{ scheme, variant: 'right' }]))
}

/** Field of the configuration that would hold the credential of a family, where none of them is configured. */
export function unconfigured(family: string, schemes: ReadonlySet<string>): string | undefined {
  const own = schemesFor(family)
  return own.some((scheme) => schemes.has(scheme)) ? undefined : `credentials.${FIELDS[own[0] ?? 'access-token']}`
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
  { iam }: Credentials,
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
      const name = iam?.cloudResourceName
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
    .map(([name, template]) => {
      const isBasic = /^basic /i.test(template)
      const all = Object.entries(values).map(([one, value = '']) => [one, isBasic ? userNamed(value) : value])
      return { name, value: String(fillTemplate(template, Object.fromEntries(all))) }
    })
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
    const operation = offered(binding, id)
    // Things in one list may be claimed under several names.
    const beside = verb === 'list' ? service().operations.filter((row) => row.resource === resource) : []
    const features = [feature, ...beside.map((row) => row.feature)]
    return operation && operation.path !== '' && features.some(claims) ? [operation] : []
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
