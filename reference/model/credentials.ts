/** Secrets that the service knows from its start. */
export interface Credentials {
  readonly accessToken: string
  readonly serviceKey: string
  readonly enterpriseServiceKey: string
  readonly ingestionKey: string
  /** absent: the IAM-based scheme is not offered */
  readonly iam?: { readonly token: string; readonly cloudResourceName?: string }
}
