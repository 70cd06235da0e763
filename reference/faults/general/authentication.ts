import { admission, unguarded } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

const TOKEN = /^Token (.+)$/

/** operations that each can be left open by themselves, and the requirement that this breaks */
const OPEN: readonly (readonly [operation: string, requirement: string])[] = [
  ...[
    'create-preset-alert',
    'update-preset-alert',
    'delete-member',
    'delete-exclusion',
    'delete-screen',
    'list-usage-by-tag',
    'list-preset-alerts',
    'list-members',
    'list-exclusions',
    'list-screens',
    'list-boards',
    'list-views',
    'list-categories',
    'list-alerts',
    'list-keys',
    'get-ingestion-status',
    'list-usage-by-app',
    'list-usage-by-host',
    'export-v1',
    ...['board', 'view', 'category', 'alert', 'screen', 'member', 'key', 'exclusion'].map((type) => `create-${type}`),
    'suspend-ingestion',
    'confirm-suspension',
    'resume-ingestion',
    'get-archiving',
    'create-archiving',
    ...['board', 'view', 'category', 'alert', 'screen'].flatMap((type) => [`get-${type}`, `update-${type}`]),
    ...[
      'get-exclusion',
      'update-exclusion',
      'get-member',
      'update-member',
      'get-key',
      'update-key',
      'get-preset-alert',
    ],
    ...['board', 'view', 'category', 'alert', 'key', 'preset-alert'].map((type) => `delete-${type}`),
  ].map((operation) => [operation, 'AUTH-V1-REQUIRED'] as const),
  ...['export-v2', 'get-usage-v2', 'list-usage-v2-by-app', 'list-usage-v2-by-host', 'list-usage-v2-by-tag'].map(
    (operation) => [operation, 'AUTH-V2-REQUIRED'] as const,
  ),
  ...[
    'update-transform',
    'update-source',
    'create-group-from-pipeline',
    'start-tap',
    'add-group-to-pipeline',
    'switch-group-revision',
    'update-gateway-route',
    'add-signing-key',
    'update-state-variables',
    'update-processing-status',
    'list-pipelines',
    'list-gateway-routes',
    'list-groups',
    ...['pipeline', 'source', 'transform', 'gateway-route', 'group-revision'].map((type) => `create-${type}`),
    ...['pipeline', 'source', 'transform', 'gateway-route', 'group', 'placed-group'].flatMap((type) => [
      `get-${type}`,
      `delete-${type}`,
    ]),
    ...['sources', 'transforms', 'group-revisions', 'placed-groups'].map((types) => `list-${types}`),
    ...['update-pipeline', 'publish-pipeline', 'replace-gateway-route', 'create-access-key'],
    ...['get-group-revision', 'get-state-variables'],
  ].map((operation) => [operation, 'AUTH-V3-REQUIRED'] as const),
  ['create-enterprise-key', 'AUTH-ENTERPRISE-REQUIRED'],
  ['delete-enterprise-key', 'AUTH-ENTERPRISE-REQUIRED'],
]

/** Faults in who is let in. */
export const authenticationFaults: readonly Fault[] = [
  {
    name: 'v1-open',
    about: 'v1 operations are carried out without credentials',
    kills: ['AUTH-V1-REQUIRED'],
    changes: admission((access) => (access === 'v1' ? true : undefined)),
  },
  {
    name: 'enterprise-open',
    about: 'enterprise operations are carried out without credentials',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: admission((access) => (access === 'enterprise' ? true : undefined)),
  },
  {
    name: 'enterprise-takes-service-key',
    about: 'a service key of the organisation opens the list of enterprise keys',
    kills: ['ENT-KEYS-LIST-HEADER'],
    changes: admission((access, { servicekey }, { credentials }) =>
      access === 'enterprise' && servicekey === credentials.serviceKey ? true : undefined,
    ),
  },
  {
    name: 'made-key-opens-nothing',
    about: 'the secret of a key that was made opens nothing',
    kills: ['KEY-KEY-AUTHENTICATES'],
    changes: admission((access, headers, { credentials }) =>
      access === 'enterprise' && headers['enterprise-servicekey'] !== credentials.enterpriseServiceKey
        ? false
        : undefined,
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
    changes: admission((access, { authorization, servicekey }) =>
      access === 'v1' && authorization === undefined && servicekey === undefined ? true : undefined,
    ),
  },
  {
    name: 'v3-no-header',
    about: 'v3 operations check credentials only where there are some',
    kills: ['AUTH-V3-REQUIRED'],
    changes: admission((access, { authorization }) =>
      access === 'v3' && authorization === undefined ? true : undefined,
    ),
  },
  {
    name: 'enterprise-no-header',
    about: 'enterprise operations check the enterprise key only where there is one',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: admission((access, headers) =>
      access === 'enterprise' && headers['enterprise-servicekey'] === undefined && !headers.authorization
        ? true
        : undefined,
    ),
  },
  {
    name: 'v1-any-token',
    about: 'v1 operations take any access token',
    kills: ['AUTH-V1-REQUIRED'],
    changes: admission((access, { authorization }) =>
      access === 'v1' && TOKEN.test(authorization ?? '') ? true : undefined,
    ),
  },
  {
    name: 'v3-any-token',
    about: 'v3 operations take any access token',
    kills: ['AUTH-V3-REQUIRED'],
    changes: admission((access, { authorization }) =>
      access === 'v3' && TOKEN.test(authorization ?? '') ? true : undefined,
    ),
  },
  {
    name: 'enterprise-any-key',
    about: 'enterprise operations take any enterprise key',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: admission((access, headers) =>
      access === 'enterprise' && headers['enterprise-servicekey'] ? true : undefined,
    ),
  },
  {
    name: 'v1-any-service-key',
    about: 'v1 operations take any service key',
    kills: ['AUTH-V1-REQUIRED'],
    changes: admission((access, { servicekey }) => (access === 'v1' && servicekey ? true : undefined)),
  },
  {
    name: 'v1-empty-token',
    about: 'v1 operations take an empty access token',
    kills: ['AUTH-V1-REQUIRED'],
    changes: admission((access, { authorization }) =>
      access === 'v1' && authorization?.trim() === 'Token' ? true : undefined,
    ),
  },
  {
    name: 'v3-empty-token',
    about: 'v3 operations take an empty access token',
    kills: ['AUTH-V3-REQUIRED'],
    changes: admission((access, { authorization }) =>
      access === 'v3' && authorization?.trim() === 'Token' ? true : undefined,
    ),
  },
  {
    name: 'enterprise-empty-key',
    about: 'enterprise operations take an empty enterprise key',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: admission((access, headers) =>
      access === 'enterprise' && headers['enterprise-servicekey'] === '' ? true : undefined,
    ),
  },
  {
    name: 'token-beginning',
    about: 'the beginning of an access token is enough',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V3-REQUIRED'],
    changes: admission((access, { authorization }, { credentials }) => {
      const given = TOKEN.exec(authorization ?? '')?.[1]
      return access !== 'enterprise' && given !== undefined && credentials.accessToken.startsWith(given)
        ? true
        : undefined
    }),
  },
  {
    name: 'token-longer',
    about: 'what follows an access token is not looked at',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V3-REQUIRED'],
    changes: admission((access, { authorization }, { credentials }) =>
      access !== 'enterprise' && authorization?.startsWith(`Token ${credentials.accessToken}`) ? true : undefined,
    ),
  },
  {
    name: 'token-same-length',
    about: 'only the length of an access token is compared',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V3-REQUIRED'],
    changes: admission((access, { authorization }, { credentials }) =>
      access !== 'enterprise' && TOKEN.exec(authorization ?? '')?.[1]?.length === credentials.accessToken.length
        ? true
        : undefined,
    ),
  },
  {
    name: 'enterprise-key-beginning',
    about: 'the beginning of an enterprise key is enough',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: admission((access, headers, { credentials }) => {
      const given = headers['enterprise-servicekey']
      return access === 'enterprise' && given && credentials.enterpriseServiceKey.startsWith(given) ? true : undefined
    }),
  },
  {
    name: 'enterprise-key-longer',
    about: 'what follows an enterprise key is not looked at',
    kills: ['AUTH-ENTERPRISE-REQUIRED'],
    changes: admission((access, headers, { credentials }) =>
      access === 'enterprise' && headers['enterprise-servicekey']?.startsWith(credentials.enterpriseServiceKey)
        ? true
        : undefined,
    ),
  },
  {
    name: 'enterprise-token-alone',
    about: 'an access token alone opens enterprise operations',
    kills: ['AUTH-ENTERPRISE-TOKEN-ALONE'],
    changes: admission((access, { authorization }, { credentials }) =>
      access === 'enterprise' && authorization === `Token ${credentials.accessToken}` ? true : undefined,
    ),
  },
  {
    name: 'any-bearer',
    about: 'anything behind Bearer opens the account',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V2-REQUIRED', 'AUTH-V3-REQUIRED'],
    changes: admission((access, { authorization }) =>
      access !== 'enterprise' && access !== 'ingestion' && /^Bearer ./.test(authorization ?? '') ? true : undefined,
    ),
  },
  {
    name: 'service-key-empty',
    about: 'an empty service key opens the account',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V2-REQUIRED'],
    changes: admission((access, { servicekey }) =>
      (access === 'v1' || access === 'v2') && servicekey === '' ? true : undefined,
    ),
  },
  {
    name: 'service-key-begins',
    about: 'the beginning of a service key is enough',
    kills: ['AUTH-V1-REQUIRED', 'AUTH-V2-REQUIRED'],
    changes: admission((access, { servicekey = '' }, { credentials }) =>
      (access === 'v1' || access === 'v2') && servicekey !== '' && credentials.serviceKey.startsWith(servicekey)
        ? true
        : undefined,
    ),
  },
  {
    name: 'enterprise-key-beside-token',
    about: 'an enterprise key is refused where an access token stands beside it',
    kills: ['AUTH-ENTERPRISE-KEY'],
    changes: admission((access, { authorization }) =>
      access === 'enterprise' && authorization !== undefined ? false : undefined,
    ),
  },
  {
    name: 'service-key-refused',
    about: 'existing service keys are refused',
    kills: ['AUTH-V1-SERVICE-KEY'],
    changes: admission((access, { servicekey }) => (access === 'v1' && servicekey !== undefined ? false : undefined)),
  },
  {
    // No other family takes this key, so that it cannot be told from a wrong one, which preflight finds.
    name: 'enterprise-key-refused',
    about: 'enterprise keys are refused',
    kills: ['AUTH-ENTERPRISE-KEY'],
    withheld: true,
    changes: admission((access) => (access === 'enterprise' ? false : undefined)),
  },
  {
    name: 'service-key-reads-only',
    about: 'a service key opens no deletion of a screen',
    kills: ['AUTH-V1-SERVICE-KEY'],
    changes: { routes: { 'delete-screen': (route) => ({ ...route, access: 'v3' }) } },
  },
  ...OPEN.map(
    ([operation, requirement]): Fault => ({
      name: `${operation}-open`,
      about: `${operation} is carried out without credentials`,
      kills: [requirement],
      changes: unguarded(operation),
    }),
  ),
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
      changes: admission((access, { authorization }) =>
        access === family && authorization?.startsWith('Token ') ? false : undefined,
      ),
    }),
  ),
  {
    name: 'v2-service-key-refused',
    about: 'v2 operations refuse existing service keys',
    kills: ['AUTH-V2-SERVICE-KEY'],
    changes: admission((access, { servicekey }) => (access === 'v2' && servicekey !== undefined ? false : undefined)),
  },
]
