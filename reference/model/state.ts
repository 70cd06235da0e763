import type { LineStore, Suspension } from './lines.ts'

/** Secrets that the service knows from its start. */
export interface Credentials {
  readonly accessToken: string
  readonly serviceKey: string
  readonly enterpriseServiceKey: string
  readonly ingestionKey: string
  /** absent: the IAM-based scheme is not offered */
  readonly iam?: { readonly token: string; readonly cloudResourceName?: string }
}

/** What the plan of the account grants. */
export interface Plan {
  /** lines of one export v1: 10,000 or 20,000 (section 'Limits') */
  readonly exportLines: number
  readonly retentionDays: number
}

export type Fields = Readonly<Record<string, unknown>>

/** Whatever is made, read, changed and removed: a document with an id. */
export interface Thing {
  readonly id: string
  /** id of the thing that it stands in */
  readonly in?: string
  /** as a read shows it, without the id */
  body: Fields
}

/** Everything that one account holds. Plain data: it can be cloned and compared. */
export interface State {
  readonly credentials: Credentials
  readonly plan: Plan
  /** type, as `schemas/service.json` calls it -> things by id; members by their address in lower case */
  readonly things: Map<string, Map<string, Thing>>
  readonly lines: LineStore
  readonly suspension: Suspension
}

/** The things of one type, in the order in which they were made. */
export function things(state: State, type: string): Map<string, Thing> {
  const known = state.things.get(type)
  if (known) return known
  const made = new Map<string, Thing>()
  state.things.set(type, made)
  return made
}

/** Those that stand in another one. */
export function within(state: State, type: string, holder: string | undefined): Thing[] {
  return [...things(state, type).values()].filter((thing) => thing.in === holder)
}
