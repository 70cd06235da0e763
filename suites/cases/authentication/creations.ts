import { type Case, type CaseContext, NotRun } from '../../kit/case.ts'
import { requireOperation } from '../../kit/lines.ts'
import { resourceGap } from '../../kit/resource-gap.ts'
import { sendWithWrong } from './wrong.ts'

/** type of a resource -> the feature that it belongs to */
const V1: Readonly<Record<string, string>> = {
  board: 'boards',
  view: 'views',
  category: 'categories',
  alert: 'alerts',
  screen: 'screens',
  member: 'members',
  key: 'keys',
  exclusion: 'exclusions',
}
const V3: Readonly<Record<string, string>> = {
  pipeline: 'pipelines',
  source: 'pipelines',
  transform: 'pipelines',
  'gateway-route': 'pipelines',
  'group-revision': 'pipelines',
}

const CREATIONS: readonly (readonly [type: string, feature: string, requirement: string])[] = [
  ...Object.entries(V1).map(([type, feature]) => [type, feature, 'AUTH-V1-REQUIRED'] as const),
  ...Object.entries(V3).map(([type, feature]) => [type, feature, 'AUTH-V3-REQUIRED'] as const),
  ['enterprise-key', 'enterprise-keys', 'AUTH-ENTERPRISE-REQUIRED'],
]

/** The parents of a new resource, made before. */
async function parentsOf(context: CaseContext, type: string): Promise<Readonly<Record<string, string>>> {
  let params: Readonly<Record<string, string>> = {}
  for (const needed of context.binding.resources.get(type)?.needs ?? []) {
    const placeholder = context.binding.resources.get(needed)?.id
    if (placeholder !== undefined && params[placeholder] !== undefined) continue
    params = { ...params, ...(await context.make(needed, params)).params }
  }
  return params
}

/** Creations whose paths only a binding gives need credentials as well (section 'Authentication': all operations but one). */
export const creationCredentialCases: readonly Case[] = CREATIONS.map(([type, feature, requirement]) => ({
  id: `create-${type}/credentials`,
  title: `create-${type} is carried out with right credentials only`,
  operation: `create-${type}`,
  features: [feature],
  requirements: [requirement],
  cost: 6,
  async run(context) {
    if (type === 'exclusion' && !context.embedded && context.consent.exclusions !== true) {
      throw new NotRun('no-consent', 'exclusion rules act on the whole account (consent.exclusions)')
    }
    const operation = requireOperation(
      context,
      context.binding.resources.get(type)?.create ?? `create-${type}`,
      resourceGap(type),
    )
    const params = await parentsOf(context, type)
    const group = context.group()
    const next = () => {
      const label = context.label()
      const values = { ...params, label, email: context.email(label) }
      return { operation: operation.id, params, body: context.fill(operation.body, values), label }
    }
    const { view } = await context.send({ ...next(), intent: { kind: 'base', group } })
    if (!view.accepted) throw new NotRun('inconclusive', `${operation.id} is answered with status ${view.status}`)
    await sendWithWrong(context, requirement, group, next)
  },
}))
