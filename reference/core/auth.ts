/** Secrets that the service knows. One of each is enough for a test target. */
export interface Credentials {
  readonly accessToken: string
  readonly serviceKey: string
  readonly enterpriseServiceKey: string
  readonly ingestionKey: string
  /** absent: the IAM-based scheme is not offered */
  readonly iam?: { readonly token: string; readonly cloudResourceName?: string }
}

/** Operations that share their authentication (section 'Authentication'). */
export type Access = 'v1' | 'v2' | 'v3' | 'enterprise' | 'ingestion'

type Headers = Readonly<Record<string, string | undefined>>

/** Whether the headers carry a credential that the family of the operation accepts. */
export type Authorize = (access: Access, headers: Headers, credentials: Credentials) => boolean

export const authorize: Authorize = (access, headers, credentials) => {
  switch (access) {
    case 'v1':
    case 'v2':
      return hasToken(headers, credentials) || hasServiceKey(headers, credentials) || hasIam(headers, credentials)
    case 'v3':
      return hasToken(headers, credentials) || hasIam(headers, credentials)
    case 'enterprise':
      return headers['enterprise-servicekey'] === credentials.enterpriseServiceKey
    case 'ingestion':
      return headers.apikey === credentials.ingestionKey || hasBasic(headers, credentials.ingestionKey)
  }
}

function hasToken(headers: Headers, credentials: Credentials): boolean {
  return headers.authorization === `Token ${credentials.accessToken}`
}

// The table names the header `servicekey`; its format column also puts the bare key into `Authorization`.
function hasServiceKey(headers: Headers, credentials: Credentials): boolean {
  return headers.servicekey === credentials.serviceKey || headers.authorization === credentials.serviceKey
}

function hasIam(headers: Headers, credentials: Credentials): boolean {
  const { iam } = credentials
  if (!iam || headers.authorization !== `Bearer ${iam.token}`) return false
  return iam.cloudResourceName === undefined || headers['cloud-resource-name'] === iam.cloudResourceName
}

// Most clients send the key as the user name, some as the password.
function hasBasic(headers: Headers, key: string): boolean {
  const encoded = /^basic ([a-z0-9+/=]+)$/i.exec(headers.authorization ?? '')?.[1]
  if (encoded === undefined) return false
  const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return user === key ? password === '' : user === '' && password === key
}
