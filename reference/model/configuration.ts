/** Secrets that the service knows from its start. */
export interface Credentials {
  readonly accessToken: string
  readonly serviceKey: string
  readonly enterpriseServiceKey: string
  readonly ingestionKey: string
  /** absent: the IAM-based scheme is not offered */
  readonly iam?: { readonly token: string; readonly cloudResourceName?: string }
}

export interface Member {
  readonly email: string
  role: 'owner' | 'admin' | 'member' | 'readonly'
  groups: readonly string[]
}

export interface Key {
  readonly id: string
  readonly key: string
  name: string
  readonly type: 'ingestion' | 'service'
  /** milliseconds since the epoch */
  readonly created: number
}

/** A resource whose body is kept as it was sent: screens, boards, views, preset alerts and the like. */
export interface Document {
  readonly id: string
  body: Readonly<Record<string, unknown>>
}

export interface Exclusion {
  readonly id: string
  title: string
  apps: readonly string[]
  hosts: readonly string[]
  query: string
  active: boolean
  indexonly: boolean
}
