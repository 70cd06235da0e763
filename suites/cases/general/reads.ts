import type { Case, CaseContext } from '../../kit/case.ts'
import { exportOfNobody, requireOperation } from '../../kit/lines.ts'
import { createTwins } from '../../kit/twins.ts'
import { usageQuery } from '../../kit/usage.ts'
import { sendWithRight, sendWithWrong } from './wrong-credentials.ts'

type Query = (context: CaseContext) => Record<string, string>

const NONE: Query = () => ({})
const usage =
  (id: string): Query =>
  (context) =>
    usageQuery(context, id, 7, 1)

/** operation -> its feature, the gap that gives it a path, and a good query */
const V1: readonly (readonly [string, string, string, Query])[] = [
  ['list-preset-alerts', 'preset-alerts', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-members', 'members', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-exclusions', 'exclusions', 'GAP-PATHS-EXCLUSIONS', NONE],
  ['list-screens', 'screens', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-boards', 'boards', 'GAP-PATHS-BOARDS', NONE],
  ['list-views', 'views', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-categories', 'categories', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-alerts', 'alerts', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-keys', 'keys', 'GAP-PATHS-CONFIGURATION', NONE],
  ['get-ingestion-status', 'suspension', 'GAP-PATHS-SUSPENSION', NONE],
  ['list-usage-by-app', 'usage-v1', 'GAP-PATHS-USAGE', usage('list-usage-by-app')],
  ['list-usage-by-host', 'usage-v1', 'GAP-PATHS-USAGE', usage('list-usage-by-host')],
  ['export-v1', 'export-v1', 'GAP-PATHS-EXPORT', (context) => exportOfNobody(context, 'export-v1')],
]

const V3: readonly (readonly [string, string, string, Query])[] = [
  ['list-pipelines', 'pipelines', 'GAP-PATHS-PIPELINES', NONE],
  ['list-gateway-routes', 'pipelines', 'GAP-PATHS-PIPELINES', NONE],
  ['list-groups', 'pipelines', 'GAP-PATHS-PIPELINES', NONE],
]

/** Reads whose paths only a binding gives need credentials as well (section 'Authentication': all operations but one). */
export const readCredentialCases: readonly Case[] = [
  ...V1.map((read) => ['AUTH-V1-REQUIRED', ...read] as const),
  ...V3.map((read) => ['AUTH-V3-REQUIRED', ...read] as const),
].map(([requirement, operation, feature, gap, query]) => ({
  id: `${operation}/credentials`,
  title: `${operation} is carried out with right credentials only`,
  operation,
  features: [feature],
  requirements: requirement === 'AUTH-V1-REQUIRED' ? [requirement, 'AUTH-V1-SERVICE-KEY'] : [requirement],
  cost: 3,
  async run(context) {
    requireOperation(context, operation, gap)
    const request = { operation, params: {}, query: query(context), body: undefined, label: '' }
    const twins = createTwins(context, { operation: { id: operation }, request: async () => request, learn: () => {} })
    await twins.mustAccept()
    await sendWithRight(context, requirement, twins.group, () => request)
    await sendWithWrong(context, requirement, twins.group, () => request)
    await twins.base()
  },
}))
