import type { Credentials } from '../core/auth.ts'
import type { Document, Exclusion, Key, Member } from './config.ts'
import type { LineStore } from './logs.ts'
import type { GatewayRoute, Group, Pipeline } from './pipeline.ts'

/** What the plan of the account grants. */
export interface Plan {
  /** lines of one export v1: 10,000 or 20,000 (section 'Limits') */
  readonly exportLines: number
  readonly retentionDays: number
}

/** Everything that one account holds. Plain data: it can be cloned and compared. */
export interface State {
  readonly credentials: Credentials
  readonly plan: Plan
  readonly enterpriseKeys: Map<string, Key>
  /** by e-mail address in lower case */
  readonly members: Map<string, Member>
  readonly screens: Map<string, Document>
  readonly presets: Map<string, Document>
  readonly exclusions: Map<string, Exclusion>
  readonly pipelines: Map<string, Pipeline>
  readonly groups: Map<string, Group>
  readonly gatewayRoutes: Map<string, GatewayRoute>
  readonly lines: LineStore
}
