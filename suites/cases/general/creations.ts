import { jsonOf } from '../../../rules/core/view.ts'
import { type Case, NotRun } from '../../kit/case.ts'
import { lookInList } from '../../kit/left-alone.ts'
import { requireOperation } from '../../kit/lines.ts'
import { resourceGap } from '../../kit/resource-gap.ts'
import { parentsOf } from './parents.ts'
import { sendWithWrong } from './wrong-credentials.ts'

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
    const sent = await sendWithWrong(context, requirement, group, next)
    const list = context.binding.resources.get(type)?.list
    if (list === undefined || context.binding.operations.get(list)?.offered !== true) return
    const bodies = sent.map((one) => jsonOf(one.view.request))
    await lookInList(context, type, list, params, group, bodies)
  },
}))
