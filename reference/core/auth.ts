import { type Credentials, type State, things } from '../model/state.ts'

/** Operations that share their authentication (section 'Authentication'). `open`: anybody; only a fault has it. */
export type Access = 'v1' | 'v2' | 'v3' | 'enterprise' | 'ingestion' | 'open'

type Headers = Readonly<Record<string, string | undefined>>

/** Whether the headers carry a credential that the family of the operation accepts. */
export type Authorize = (access: Access, headers: Headers, state: State) => boolean

export const authorize: Authorize = (access, headers, state) => {
  const { credentials } = state
  switch (access) {
    case 'v1':
    case 'v2':
      return isOfAccount(headers, credentials) || hasServiceKey(headers, credentials.serviceKey)
    case 'v3':
      return isOfAccount(headers, credentials)
    case 'enterprise': {
      const key = headers['enterprise-servicekey']
      return opens(key, credentials.enterpriseServiceKey, state, 'enterprise-key', 'service')
    }
    case 'ingestion':
      return [headers.apikey, ...basicOf(headers)].some((key) =>
        ['key', 'enterprise-key'].some((kept) => opens(key, credentials.ingestionKey, state, kept, 'ingestion')),
      )
    case 'open':
      return true
  }
}

function isOfAccount(headers: Headers, credentials: Credentials): boolean {
  return headers.authorization === `Token ${credentials.accessToken}` || hasIam(headers, credentials)
}

// The table names the header `servicekey`; its format column also puts the bare key into `Authorization`.
function hasServiceKey(headers: Headers, key: string): boolean {
  return headers.servicekey === key || headers.authorization === key
}

function hasIam(headers: Headers, credentials: Credentials): boolean {
  const { iam } = credentials
  if (!iam || headers.authorization !== `Bearer ${iam.token}`) return false
  return iam.cloudResourceName === undefined || headers['cloud-resource-name'] === iam.cloudResourceName
}

// Most clients send the key as the user name, some as the password; the other of the two is empty.
function basicOf(headers: Headers): string[] {
  const encoded = /^basic ([a-z0-9+/=]+)$/i.exec(headers.authorization ?? '')?.[1]
  if (encoded === undefined) return []
  const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return user === '' || password === '' ? [user + password] : []
}

/** Whether the key is the one from the start, or one that was made since and not deleted (section 'Key resource'). */
function opens(key: string | undefined, first: string, state: State, kept: string, type: string): boolean {
  if (key === undefined || key === '') return false
  if (key === first) return true
  return [...things(state, kept).values()].some(({ body }) => body.key === key && body.type === type)
}
