import type { Case, CaseContext } from '../../kit/case.ts'
import { exportOfNobody, requireOperation, withToken } from '../../kit/lines.ts'
import { usageQuery } from '../../kit/usage.ts'
import { type CredentialPlan, tryCredentials } from './credentials.ts'

const PLAN: CredentialPlan = {
  required: 'AUTH-V2-REQUIRED',
  scheme: 'access-token',
  right: [
    { requirement: 'AUTH-V2-TOKEN', scheme: 'access-token' },
    { requirement: 'AUTH-V2-SERVICE-KEY', scheme: 'service-key' },
  ],
  also: [],
}

/** operation -> its feature, the gap that gives it a path, and a good query */
const OPERATIONS: readonly (readonly [string, string, string, (context: CaseContext) => Record<string, string>])[] = [
  [
    'export-v2',
    'export-v2',
    'GAP-PATHS-EXPORT',
    (context) => withToken(context, exportOfNobody(context, 'export-v2'), null),
  ],
  ...['get-usage-v2', 'list-usage-v2-by-app', 'list-usage-v2-by-host', 'list-usage-v2-by-tag'].map(
    (id) => [id, 'usage-v2', 'GAP-PATHS-USAGE', (context: CaseContext) => usageQuery(context, id, 7, 1)] as const,
  ),
]

/** The v2 operations, whose paths only a binding gives. */
export const v2CredentialCases: readonly Case[] = OPERATIONS.map(([operation, feature, gap, query]) => ({
  id: `${operation}/credentials`,
  title: `${operation} is carried out with right credentials only`,
  operation,
  features: [feature],
  requirements: [PLAN.required, ...PLAN.right.map(({ requirement }) => requirement)],
  cost: 15,
  async run(context) {
    requireOperation(context, operation, gap)
    const request = { operation, params: {}, query: query(context), body: undefined, label: '' }
    const source = { operation: { id: operation }, request: async () => request, learn: () => {} }
    await tryCredentials(context, source, PLAN)
  },
}))
