import { service } from '../../../schemas/service.ts'
import type { Authorize } from '../../core/auth.ts'
import type { Credentials } from '../../model/state.ts'
import { admission, unguarded } from '../core/changes.ts'
import { type Changes, type Fault, fault } from '../core/fault.ts'
import type { Coded } from '../core/rows.ts'

const TOKEN = /^Token (.+)$/

/** No case sends these with wrong credentials, or a fault below is about them. */
const APART = new Set(['list-enterprise-keys', 'update-archiving', 'delete-archiving', 'ingest-lines'])

type Given = (headers: Parameters<Authorize>[1], known: Credentials) => unknown

/** What holds for all clients that send such headers to operations of these families. */
function admits(families: string, admitted: boolean, given: Given): Changes {
  const all = families.split(' ')
  return admission((access, headers, { credentials }) =>
    all.includes(access) && given(headers, credentials) ? admitted : undefined,
  )
}

/** Families that let in clients which they have to keep out. */
const lets = (families: string, given: Given): Changes => admits(families, true, given)

/** Families that keep out clients which they have to let in. */
const keeps = (families: string, given: Given): Changes => admits(families, false, given)

function tokenIn({ authorization = '' }: Parameters<Given>[0]): string | undefined {
  return TOKEN.exec(authorization)?.[1]
}

/** Lets enterprise operations be opened by a key of their header. `right`: the one that opens them. */
function letsKey(takes: (key: string | undefined, right: string) => unknown): Changes {
  return lets('enterprise', (headers, known) => takes(headers['enterprise-servicekey'], known.enterpriseServiceKey))
}

/** Operations that only an access token opens, like those of pipelines. `status`: other clients are told this. */
function asV3(operation: string, status: number = 401): Changes {
  return {
    routes: { [operation]: (route) => ({ ...route, access: 'v3' }) },
    answer: (answer, _, id) => (id === operation && answer.status === 401 ? { ...answer, status } : answer),
  }
}

const familyFaults = (['v1', 'v3'] as const).flatMap((family) => {
  const open = (name: string, about: string, given: Given): Fault =>
    fault(
      `${family}-${name}`,
      `AUTH-${family.toUpperCase()}-REQUIRED`,
      `${family} operations ${about}`,
      lets(family, given),
    )
  return [
    open('open', 'are carried out without credentials', () => true),
    open('any-token', 'take any access token', (headers) => tokenIn(headers) !== undefined),
    open('empty-token', 'take an empty access token', ({ authorization }) => authorization?.trim() === 'Token'),
    open('no-header', 'check credentials only where there are some', ({ authorization, servicekey }) => {
      return authorization === undefined && servicekey === undefined
    }),
  ]
})

/** Every operation without its guard. */
const openFaults = service().operations.flatMap(({ id, family }) => {
  const requirement = `AUTH-${family.toUpperCase()}-REQUIRED`
  const about = `${id} is carried out without credentials`
  return APART.has(id) ? [] : [fault(`${id}-open`, requirement, about, unguarded(id))]
})

const refusedFaults = [
  ...['delete-screen', 'list-boards', 'get-view', 'update-category', 'export-v1'].map((operation) => {
    const about = `${operation} refuses existing service keys`
    return fault(`${operation}-no-service-key`, 'AUTH-V1-SERVICE-KEY', about, asV3(operation))
  }),
  ...['v1', 'v2', 'v3'].map((family) => {
    const about = `right access tokens are refused by ${family} operations`
    const changes = keeps(family, ({ authorization }) => authorization?.startsWith('Token '))
    return fault(`${family}-token-refused`, `AUTH-${family.toUpperCase()}-TOKEN`, about, changes)
  }),
]

/** Faults in who is let in that are made by rule. */
export const accessFaults: readonly Fault[] = [...familyFaults, ...refusedFaults, ...openFaults]

/** Other faults in who is let in. */
export const authenticationFaults: Coded = {
  'token-beginning': lets('v1 v3', (headers, known) => {
    const given = tokenIn(headers)
    return given !== undefined && known.accessToken.startsWith(given)
  }),
  'token-longer': lets('v1 v3', ({ authorization }, known) => authorization?.startsWith(`Token ${known.accessToken}`)),
  'token-same-length': lets('v1 v3', (headers, known) => tokenIn(headers)?.length === known.accessToken.length),
  'any-bearer': lets('v1 v2 v3', ({ authorization }) => /^Bearer ./.test(authorization ?? '')),
  'v1-any-service-key': lets('v1', ({ servicekey }) => servicekey),
  'service-key-empty': lets('v1 v2', ({ servicekey }) => servicekey === ''),
  'service-key-begins': lets('v1 v2', ({ servicekey }, known) => servicekey && known.serviceKey.startsWith(servicekey)),
  'enterprise-open': letsKey(() => true),
  'enterprise-any-key': letsKey((key) => key),
  'enterprise-empty-key': letsKey((key) => key === ''),
  'enterprise-key-beginning': letsKey((key, right) => key && right.startsWith(key)),
  'enterprise-key-longer': letsKey((key, right) => key?.startsWith(right)),
  'enterprise-no-header': lets('enterprise', (headers) => {
    return headers['enterprise-servicekey'] === undefined && !headers.authorization
  }),
  'enterprise-takes-service-key': lets('enterprise', ({ servicekey }, known) => servicekey === known.serviceKey),
  'enterprise-token-alone': lets('enterprise', (headers, known) => tokenIn(headers) === known.accessToken),
  'made-key-opens-nothing': keeps('enterprise', (headers, known) => {
    return headers['enterprise-servicekey'] !== known.enterpriseServiceKey
  }),
  'iam-refused': keeps('v1 v2 v3', ({ authorization }) => authorization?.startsWith('Bearer ')),
  'enterprise-key-beside-token': keeps('enterprise', ({ authorization }) => authorization !== undefined),
  'enterprise-key-refused': keeps('enterprise', () => true),
  'service-key-refused': keeps('v1', ({ servicekey }) => servicekey !== undefined),
  'v2-service-key-refused': keeps('v2', ({ servicekey }) => servicekey !== undefined),
  'list-views-service-key-400': asV3('list-views', 400),
  'list-usage-v2-by-host-service-key-404': asV3('list-usage-v2-by-host', 404),
  'made-ingestion-key-opens-nothing': keeps('ingestion', ({ apikey }, known) => apikey !== known.ingestionKey),
}
