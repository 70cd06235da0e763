import type { Credentials, Document, Exclusion, Key, Member } from './configuration.ts'
import type { LineStore, Mail, Suspension } from './lines.ts'
import type { GatewayRoute, Group, Pipeline } from './pipelines.ts'

/** What the plan of the account grants. */
export interface Plan {
  /** lines of one export v1: 10,000 or 20,000 (section 'Limits') */
  readonly exportLines: number
  readonly retentionDays: number
}

export type CategoryOf = 'views' | 'boards' | 'screens'

/** Everything that one account holds. Plain data: it can be cloned and compared. */
export interface State {
  readonly credentials: Credentials
  readonly plan: Plan
  readonly enterpriseKeys: Map<string, Key>
  /** of the organisation */
  readonly keys: Map<string, Key>
  /** by e-mail address in lower case */
  readonly members: Map<string, Member>
  readonly screens: Map<string, Document>
  readonly boards: Map<string, Document>
  readonly views: Map<string, Document>
  readonly alerts: Map<string, Document>
  readonly presets: Map<string, Document>
  /** what is sorted into categories -> its categories */
  readonly categories: Readonly<Record<CategoryOf, Map<string, Document>>>
  /** the one archiving configuration, if there is any */
  archiving: Readonly<Record<string, unknown>> | null
  readonly exclusions: Map<string, Exclusion>
  readonly pipelines: Map<string, Pipeline>
  readonly groups: Map<string, Group>
  readonly gatewayRoutes: Map<string, GatewayRoute>
  readonly lines: LineStore
  readonly suspension: Suspension
  /** mails of exports, the oldest first */
  readonly outbox: Mail[]
}
