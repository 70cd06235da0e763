import { service } from '../../../schemas/service.ts'
import type { Authorize } from '../../core/auth.ts'
import type { Credentials } from '../../model/state.ts'
import { admission, unguarded } from '../core/changes.ts'
import { type Changes, type Fault, fault, withheld } from '../core/fault.ts'

const TOKEN = /^Token (.+)$/

/** No case sends these with wrong credentials, or a fault below is about them. */
const APART = new Set(['list-enterprise-keys', 'update-archiving', 'delete-archiving', 'ingest-lines'])

type Given = (headers: Parameters<Authorize>[1], credentials: Credentials) => unknown

/** What holds for all clients that send such headers to operations of these families. */
function admits(families: string, admitted: boolean, given: Given): Changes {
  const all = families.split(' ')
  return admission((access, headers, { credentials }) =>
    all.includes(access) && given(headers, credentials) ? admitted : undefined,
  )
}

/** Families that let in clients which they have to keep out: each breaks the requirement of its own. */
function lets(name: string, families: string, about: string, given: Given): Fault {
  const kills = families.split(' ').map((family) => `AUTH-${family.toUpperCase()}-REQUIRED`)
  return fault(name, kills.join(' '), about, admits(families, true, given))
}

/** Families that keep out clients which they have to let in. */
function keeps(name: string, families: string, requirement: string, about: string, given: Given): Fault {
  return fault(name, requirement, about, admits(families, false, given))
}

const familyFaults = (['v1', 'v3'] as const).flatMap((family) => [
  lets(`${family}-open`, family, `${family} operations are carried out without credentials`, () => true),
  lets(`${family}-any-token`, family, `${family} operations take any access token`, ({ authorization }) =>
    TOKEN.test(authorization ?? ''),
  ),
  lets(
    `${family}-empty-token`,
    family,
    `${family} operations take an empty access token`,
    ({ authorization }) => authorization?.trim() === 'Token',
  ),
  lets(
    `${family}-no-header`,
    family,
    `${family} operations check credentials only where there are some`,
    ({ authorization, servicekey }) => authorization === undefined && servicekey === undefined,
  ),
])

const looseFaults: readonly Fault[] = [
  ...familyFaults,
  lets('token-beginning', 'v1 v3', 'the beginning of an access token is enough', ({ authorization }, known) => {
    const given = TOKEN.exec(authorization ?? '')?.[1]
    return given !== undefined && known.accessToken.startsWith(given)
  }),
  lets('token-longer', 'v1 v3', 'what follows an access token is not looked at', ({ authorization }, known) =>
    authorization?.startsWith(`Token ${known.accessToken}`),
  ),
  lets(
    'token-same-length',
    'v1 v3',
    'only the length of an access token is compared',
    ({ authorization }, known) => TOKEN.exec(authorization ?? '')?.[1]?.length === known.accessToken.length,
  ),
  lets('any-bearer', 'v1 v2 v3', 'anything behind Bearer opens the account', ({ authorization }) =>
    /^Bearer ./.test(authorization ?? ''),
  ),
  lets('v1-any-service-key', 'v1', 'v1 operations take any service key', ({ servicekey }) => servicekey),
  lets('service-key-empty', 'v1 v2', 'an empty service key opens the account', ({ servicekey }) => servicekey === ''),
  lets(
    'service-key-begins',
    'v1 v2',
    'the beginning of a service key is enough',
    ({ servicekey }, known) => servicekey && known.serviceKey.startsWith(servicekey),
  ),
  ...(
    [
      ['open', 'enterprise operations are carried out without credentials', () => true],
      ['any-key', 'enterprise operations take any enterprise key', (key) => key],
      ['empty-key', 'enterprise operations take an empty enterprise key', (key) => key === ''],
      ['key-beginning', 'the beginning of an enterprise key is enough', (key, right) => key && right.startsWith(key)],
      ['key-longer', 'what follows an enterprise key is not looked at', (key, right) => key?.startsWith(right)],
    ] satisfies [name: string, about: string, takes: (key: string | undefined, right: string) => unknown][]
  ).map(([name, about, takes]) =>
    lets(`enterprise-${name}`, 'enterprise', about, (headers, known) =>
      takes(headers['enterprise-servicekey'], known.enterpriseServiceKey),
    ),
  ),
  lets(
    'enterprise-no-header',
    'enterprise',
    'enterprise operations check the enterprise key only where there is one',
    (headers) => headers['enterprise-servicekey'] === undefined && !headers.authorization,
  ),
  fault(
    'enterprise-takes-service-key',
    'ENT-KEYS-LIST-HEADER',
    'a service key of the organisation opens the list of enterprise keys',
    admits('enterprise', true, ({ servicekey }, known) => servicekey === known.serviceKey),
  ),
  fault(
    'enterprise-token-alone',
    'AUTH-ENTERPRISE-TOKEN-ALONE',
    'an access token alone opens enterprise operations',
    admits('enterprise', true, ({ authorization }, known) => authorization === `Token ${known.accessToken}`),
  ),
]

/** Operations that only an access token opens, like those of pipelines. */
function asV3(operation: string): Changes {
  return { routes: { [operation]: (route) => ({ ...route, access: 'v3' }) } }
}

const strictFaults: readonly Fault[] = [
  keeps(
    'made-key-opens-nothing',
    'enterprise',
    'KEY-KEY-AUTHENTICATES',
    'the secret of a key that was made opens nothing',
    (headers, known) => headers['enterprise-servicekey'] !== known.enterpriseServiceKey,
  ),
  keeps('iam-refused', 'v1 v2 v3', 'AUTH-IAM', 'IAM credentials are refused', ({ authorization }) =>
    authorization?.startsWith('Bearer '),
  ),
  keeps(
    'enterprise-key-beside-token',
    'enterprise',
    'AUTH-ENTERPRISE-KEY',
    'an enterprise key is refused where an access token stands beside it',
    ({ authorization }) => authorization !== undefined,
  ),
  withheld(
    keeps('enterprise-key-refused', 'enterprise', 'AUTH-ENTERPRISE-KEY', 'enterprise keys are refused', () => true),
    'no other family takes this key, so that it looks like a wrong one, which preflight finds',
  ),
  ...['v1', 'v2'].map((family) => {
    const [name, id] = [family === 'v1' ? 'service-key-refused' : 'v2-service-key-refused', family.toUpperCase()]
    const about = `${family} operations refuse existing service keys`
    return keeps(name, family, `AUTH-${id}-SERVICE-KEY`, about, ({ servicekey }) => servicekey !== undefined)
  }),
  ...['v1', 'v2', 'v3'].map((family) =>
    keeps(
      `${family}-token-refused`,
      family,
      `AUTH-${family.toUpperCase()}-TOKEN`,
      `right access tokens are refused by ${family} operations`,
      ({ authorization }) => authorization?.startsWith('Token '),
    ),
  ),
  ...['delete-screen', 'list-boards', 'get-view', 'update-category', 'export-v1'].map((operation) => {
    const about = `${operation} refuses existing service keys`
    return fault(`${operation}-no-service-key`, 'AUTH-V1-SERVICE-KEY', about, asV3(operation))
  }),
  ...(
    [
      ['list-views', 'AUTH-V1-SERVICE-KEY', 400],
      ['list-usage-v2-by-host', 'AUTH-V2-SERVICE-KEY', 404],
    ] as const
  ).map(([operation, requirement, status]) =>
    fault(`${operation}-service-key-${status}`, requirement, `${operation} answers service keys with ${status}`, {
      ...asV3(operation),
      answer: (answer, _, id) => (id === operation && answer.status === 401 ? { ...answer, status } : answer),
    }),
  ),
  fault(
    'made-ingestion-key-opens-nothing',
    'KEY-KEY-SENDS-LINES',
    'lines are not taken with an ingestion key that was made',
    admission((access, { apikey }, { credentials }) =>
      access === 'ingestion' && apikey !== credentials.ingestionKey ? false : undefined,
    ),
  ),
]

/** Every operation without its guard. */
const openFaults = service().operations.flatMap(({ id, family }) => {
  const requirement = `AUTH-${family.toUpperCase()}-REQUIRED`
  const about = `${id} is carried out without credentials`
  return APART.has(id) ? [] : [fault(`${id}-open`, requirement, about, unguarded(id))]
})

/** Faults in who is let in. */
export const authenticationFaults: readonly Fault[] = [...looseFaults, ...strictFaults, ...openFaults]
