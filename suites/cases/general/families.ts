import { ACCEPTED_BY } from '../../../rules/topics/general/families.ts'
import { accountQuery, accountReads } from '../../kit/account-reads.ts'
import type { Call, Case, CaseContext } from '../../kit/case.ts'
import { exportOfNobody, withToken } from '../../kit/lines.ts'

/** Features of which several families have reads. A run that sends lines besides asks for another consent. */
const FEATURES: readonly string[] = [
  'pipelines',
  'preset-alerts',
  'member-removal',
  'members',
  'screen-removal',
  'screens',
  'boards',
  'views',
  'categories',
  'alerts',
  'keys',
]

/** Reads of a family that a credential is tried with until one takes it. */
const MOST = 6

/** A credential that works with one family of operations works with the others to which it applies. */
export const familyCases: readonly Case[] = (['access-token', 'service-key'] as const).map((scheme) => ({
  id: `list-usage-by-tag/${scheme}-families`,
  title: `the ${scheme} works with each family of operations to which it applies`,
  operation: 'list-usage-by-tag',
  features: FEATURES,
  requirements: Object.values(ACCEPTED_BY[scheme]),
  cost: 5,
  async run(context) {
    if (!context.schemes.has(scheme)) return
    for (const [family, requirement] of Object.entries(ACCEPTED_BY[scheme])) {
      for (const call of readsOf(context, family).slice(0, MOST)) {
        const { view } = await context.send({
          ...call,
          credentials: [{ scheme, variant: 'right' }],
          intent: { kind: 'auth', requirement, edge: scheme, data: { right: true } },
        })
        if (view.accepted) break
      }
    }
  },
}))

/** The reads of a family. The first page of an export of nobody's lines is the one that differs most from the others. */
function readsOf(context: CaseContext, family: string): Call[] {
  const { binding, claims, today } = context
  const reads = accountReads(binding, claims).filter((operation) => operation.family === family)
  const calls: Call[] = reads.map((operation) => ({
    operation: operation.id,
    query: accountQuery(operation, today / 1000),
  }))
  const exported = binding.operations.get('export-v2')
  if (family !== 'v2' || !claims('export-v2') || exported?.offered !== true || exported.path === '') return calls
  return [{ operation: 'export-v2', query: withToken(context, exportOfNobody(context, 'export-v2'), null) }, ...calls]
}
