import { resolveBinding, shippedBinding } from '../../../schemas/binding.ts'
import type { Access, Authorize } from '../../core/auth.ts'
import type { State } from '../../model/state.ts'
import { admission, unguarded } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'

const TOKEN = /^Token (.+)$/

const files = [shippedBinding('reference'), shippedBinding('default')]
const { operations } = resolveBinding({ name: 'reference', chain: ['reference', 'default'], files })

/** No case sends these with wrong credentials, or a fault below is about them. */
const APART = new Set(['list-enterprise-keys', 'update-archiving', 'delete-archiving', 'ingest-lines'])

type Given = (headers: Parameters<Authorize>[1], credentials: State['credentials']) => unknown

/** Lets in all clients that send such headers to operations of these families. */
function letsIn(families: readonly Access[], given: Given): Changes {
  return admission((access, headers, { credentials }) =>
    families.includes(access) && given(headers, credentials) ? true : undefined,
  )
}

/** Keeps out all clients that send such headers to operations of these families. */
function keepsOut(families: readonly Access[], given: Given): Changes {
  return admission((access, headers, { credentials }) =>
    families.includes(access) && given(headers, credentials) ? false : undefined,
  )
}

/** Families but that of the enterprise, which has keys of its own. */
const OTHERS: readonly Access[] = ['v1', 'v2', 'v3', 'ingestion', 'open']

/** Faults in who is let in. */
export const authenticationFaults: readonly Fault[] = [
  {
    name: 'v1-open',
    about: 'v1 operations are carried out without credentials',
    kills: ['AUTH-V1-REQUIRED'],
    changes: letsIn(['v1'], () => true),
  },
  {
    name: 'enterprise-open',
    about: 'enterprise operations are carried out without credentials',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: letsIn(['enterprise'], () => true),
  },
  {
    name: 'enterprise-takes-service-key',
    about: 'a service key of the organisation opens the list of enterprise keys',
    kills: ['ENT-KEYS-LIST-HEADER'],
    changes: letsIn(['enterprise'], ({ servicekey }, { serviceKey }) => servicekey === serviceKey),
  },
  {
    name: 'made-key-opens-nothing',
    about: 'the secret of a key that was made opens nothing',
    kills: ['KEY-KEY-AUTHENTICATES'],
    changes: keepsOut(
      ['enterprise'],
      (headers, known) => headers['enterprise-servicekey'] !== known.enterpriseServiceKey,
    ),
  },
  {
    name: 'iam-refused',
    about: 'IAM credentials are refused',
    kills: ['AUTH-IAM'],
    changes: admission((_, { authorization }) => (authorization?.startsWith('Bearer ') ? false : undefined)),
  },
  {
    name: 'v1-no-header',
    about: 'v1 operations check credentials only where there are some',
    kills: ['AUTH-V1-REQUIRED'],
    changes: letsIn(['v1'], ({ authorization, servicekey }) => authorization === undefined && servicekey === undefined),
  },
  {
    name: 'v3-no-header',
    about: 'v3 operations check credentials only where there are some',
    kills: ['AUTH-V3-REQUIRED'],
    changes: letsIn(['v3'], ({ authorization }) => authorization === undefined),
  },
  {
    name: 'enterprise-no-header',
    about: 'enterprise operations check the enterprise key only where there is one',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: letsIn(
      ['enterprise'],
      (headers) => headers['enterprise-servicekey'] === undefined && !headers.authorization,
    ),
  },
  ...(['v1', 'v3'] as const).flatMap((family): Fault[] => [
    {
      name: `${family}-any-token`,
      about: `${family} operations take any access token`,
      kills: [`AUTH-${family.toUpperCase()}-REQUIRED`],
      changes: letsIn([family], ({ authorization }) => TOKEN.test(authorization ?? '')),
    },
    {
      name: `${family}-empty-token`,
      about: `${family} operations take an empty access token`,
      kills: [`AUTH-${family.toUpperCase()}-REQUIRED`],
      changes: letsIn([family], ({ authorization }) => authorization?.trim() === 'Token'),
    },
  ]),
  {
    name: 'enterprise-any-key',
    about: 'enterprise operations take any enterprise key',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: letsIn(['enterprise'], (headers) => headers['enterprise-servicekey']),
  },
  {
    name: 'v1-any-service-key',
    about: 'v1 operations take any service key',
    kills: ['AUTH-V1-REQUIRED'],
    changes: letsIn(['v1'], ({ servicekey }) => servicekey),
  },
  {
    name: 'enterprise-empty-key',
    about: 'enterprise operations take an empty enterprise key',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: letsIn(['enterprise'], (headers) => headers['enterprise-servicekey'] === ''),
  },
  {
    name: 'token-beginning',
    about: 'the beginning of an access token is enough',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V3-REQUIRED'],
    changes: letsIn(OTHERS, ({ authorization }, { accessToken }) => {
      const given = TOKEN.exec(authorization ?? '')?.[1]
      return given !== undefined && accessToken.startsWith(given)
    }),
  },
  {
    name: 'token-longer',
    about: 'what follows an access token is not looked at',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V3-REQUIRED'],
    changes: letsIn(OTHERS, ({ authorization }, { accessToken }) => authorization?.startsWith(`Token ${accessToken}`)),
  },
  {
    name: 'token-same-length',
    about: 'only the length of an access token is compared',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V3-REQUIRED'],
    changes: letsIn(
      OTHERS,
      ({ authorization }, { accessToken }) => TOKEN.exec(authorization ?? '')?.[1]?.length === accessToken.length,
    ),
  },
  {
    name: 'enterprise-key-beginning',
    about: 'the beginning of an enterprise key is enough',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: letsIn(
      ['enterprise'],
      ({ 'enterprise-servicekey': given }, known) => given && known.enterpriseServiceKey.startsWith(given),
    ),
  },
  {
    name: 'enterprise-key-longer',
    about: 'what follows an enterprise key is not looked at',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: letsIn(['enterprise'], ({ 'enterprise-servicekey': given }, known) =>
      given?.startsWith(known.enterpriseServiceKey),
    ),
  },
  {
    name: 'enterprise-token-alone',
    about: 'an access token alone opens enterprise operations',
    kills: ['AUTH-ENTERPRISE-TOKEN-ALONE'],
    changes: letsIn(['enterprise'], ({ authorization }, { accessToken }) => authorization === `Token ${accessToken}`),
  },
  {
    name: 'any-bearer',
    about: 'anything behind Bearer opens the account',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V2-REQUIRED', 'AUTH-V3-REQUIRED'],
    changes: letsIn(['v1', 'v2', 'v3', 'open'], ({ authorization }) => /^Bearer ./.test(authorization ?? '')),
  },
  {
    name: 'service-key-empty',
    about: 'an empty service key opens the account',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V2-REQUIRED'],
    changes: letsIn(['v1', 'v2'], ({ servicekey }) => servicekey === ''),
  },
  {
    name: 'service-key-begins',
    about: 'the beginning of a service key is enough',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V2-REQUIRED'],
    changes: letsIn(['v1', 'v2'], ({ servicekey }, { serviceKey }) => servicekey && serviceKey.startsWith(servicekey)),
  },
  {
    name: 'enterprise-key-beside-token',
    about: 'an enterprise key is refused where an access token stands beside it',
    kills: ['AUTH-ENTERPRISE-KEY'],
    changes: keepsOut(['enterprise'], ({ authorization }) => authorization !== undefined),
  },
  {
    name: 'service-key-refused',
    about: 'existing service keys are refused',
    kills: ['AUTH-V1-SERVICE-KEY'],
    changes: keepsOut(['v1'], ({ servicekey }) => servicekey !== undefined),
  },
  {
    // No other family takes this key. So it looks like a wrong one, which preflight finds.
    name: 'enterprise-key-refused',
    about: 'enterprise keys are refused',
    kills: ['AUTH-ENTERPRISE-KEY'],
    withheld: true,
    changes: keepsOut(['enterprise'], () => true),
  },
  {
    name: 'service-key-reads-only',
    about: 'a service key opens no deletion of a screen',
    kills: ['AUTH-V1-SERVICE-KEY'],
    changes: { routes: { 'delete-screen': (route) => ({ ...route, access: 'v3' }) } },
  },
  ...[...operations.values()].flatMap(({ id, family }): Fault[] => {
    if (APART.has(id)) return []
    const kills = [`AUTH-${family.toUpperCase()}-REQUIRED`]
    return [{ name: `${id}-open`, about: `${id} is carried out without credentials`, kills, changes: unguarded(id) }]
  }),
  ...['list-boards', 'get-view', 'update-category', 'export-v1'].map(
    (operation): Fault => ({
      name: `${operation}-no-service-key`,
      about: `${operation} refuses existing service keys`,
      kills: ['AUTH-V1-SERVICE-KEY'],
      changes: { routes: { [operation]: (route) => ({ ...route, access: 'v3' }) } },
    }),
  ),
  {
    name: 'list-views-service-key-400',
    about: 'list-views says of existing service keys that the request is a bad one',
    kills: ['AUTH-V1-SERVICE-KEY'],
    changes: {
      routes: { 'list-views': (route) => ({ ...route, access: 'v3' }) },
      answer: (answer, _, id) => (id === 'list-views' && answer.status === 401 ? { ...answer, status: 400 } : answer),
    },
  },
  ...(['v1', 'v2', 'v3'] as const).map(
    (family): Fault => ({
      name: `${family}-token-refused`,
      about: `right access tokens are refused by ${family} operations`,
      kills: [`AUTH-${family.toUpperCase()}-TOKEN`],
      changes: keepsOut([family], ({ authorization }) => authorization?.startsWith('Token ')),
    }),
  ),
  {
    name: 'v2-service-key-refused',
    about: 'v2 operations refuse existing service keys',
    kills: ['AUTH-V2-SERVICE-KEY'],
    changes: keepsOut(['v2'], ({ servicekey }) => servicekey !== undefined),
  },
]
