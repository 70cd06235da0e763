import { type Collection, collections } from '../../../rules/collections.ts'
import { LEFT_ALONE } from '../../../rules/history/refusals.ts'
import { inWords, oneOf } from '../../../rules/words.ts'
import { specifiedOperations } from '../../../schemas/operations.ts'
import { table } from '../../../schemas/table.ts'
import type { Intent } from '../../../schemas/types/exchange.ts'
import { type Call, type Case, type CaseContext, NotRun } from '../../kit/case.ts'
import { requireOperation } from '../../kit/lines.ts'
import { readBack } from '../../kit/read-back.ts'
import { resourceGap } from '../../kit/resource-gap.ts'
import { parentsOf } from './parents.ts'
import { type NextCall, sendWithRight, sendWithWrong } from './wrong.ts'

const V3 = new Set(['pipelines'])

function requirementOf({ feature }: Collection): string {
  if (feature === 'enterprise-keys') return 'AUTH-ENTERPRISE-REQUIRED'
  return V3.has(feature) ? 'AUTH-V3-REQUIRED' : 'AUTH-V1-REQUIRED'
}

/** Operations at a thing that are no part of its life. */
const BESIDES: Readonly<Record<string, readonly string[]>> = table({
  pipeline: ['publish-pipeline', 'get-state-variables'],
  'gateway-route': ['create-access-key'],
})

/** A collection whose rules are others. */
const EXCLUSION: Collection = {
  type: 'exclusion',
  feature: 'exclusions',
  create: 'create-exclusion',
  update: 'update-exclusion',
  remove: 'delete-exclusion',
}

/** They have cases of their own, which look closer. */
const SPECIFIED = new Set(specifiedOperations().map(({ id }) => id))

/**
 * Things whose paths only a binding gives are read, listed, changed and removed with right credentials only (section
 * 'Authentication': all operations but one).
 */
export const thingCredentialCases: readonly Case[] = [...collections, EXCLUSION].map((collection) => {
  const required = requirementOf(collection)
  const serviceKey = required === 'AUTH-V1-REQUIRED' ? ['AUTH-V1-SERVICE-KEY'] : []
  return {
    id: `${collection.create}/kept-closed`,
    title: `${oneOf(collection.type)} is read, changed and removed with right credentials only`,
    operation: collection.create,
    features: [collection.feature],
    requirements: [required, ...serviceKey],
    cost: 20,
    run: (context) => keepClosed(context, collection, required),
  }
})

async function keepClosed(context: CaseContext, collection: Collection, required: string): Promise<void> {
  const { type, update, remove, others = [] } = collection
  const resource = context.binding.resources.get(type)
  if (type === 'exclusion' && !context.embedded && context.consent.exclusions !== true) {
    throw new NotRun('no-consent', 'exclusion rules act on the whole account (consent.exclusions)')
  }
  requireOperation(context, resource?.create ?? collection.create, resourceGap(type))
  const parents = await parentsOf(context, type)
  const [kept, other] = [await context.make(type, parents), await context.make(type, parents)]
  if (!kept.own || !other.own) throw new NotRun('no-resource', `the ${inWords(type)} was there before`)
  const params = { ...kept.params, id: kept.id }
  const isThere = (id: string | undefined): id is string =>
    id !== undefined && context.binding.operations.get(id)?.offered === true
  const offered = (id: string | undefined): id is string => isThere(id) && !SPECIFIED.has(id)

  /** The same with right credentials first, so that what refuses them is known to be about them. */
  const tryAll = async (next: NextCall): Promise<void> => {
    const group = context.group()
    const { view } = await context.send({ ...(await next()), intent: { kind: 'base', group } })
    if (!view.accepted) return
    await sendWithRight(context, required, group, next)
    await sendWithWrong(context, required, group, next)
  }

  if (offered(resource?.read)) await tryAll(read(resource.read, params))
  if (offered(resource?.list) && (resource.needs ?? []).length > 0) await tryAll(read(resource.list, parents))
  for (const operation of [update, ...others, ...(BESIDES[type] ?? [])]) {
    if (!offered(operation)) continue
    const { body, effect } = context.binding.operations.get(operation) ?? {}
    // Without a sample body it is not known what a good one is.
    if (body === undefined && (effect === 'read' || operation === update)) {
      if (effect === 'read') await tryAll(read(operation, params))
      continue
    }
    await tryAll(() => {
      const label = context.label()
      const filled =
        body === undefined ? {} : { body: context.fill(body, { ...kept.params, label, email: kept.label }) }
      return { operation, params, ...filled }
    })
  }
  if (!offered(remove)) return
  const group = context.group()
  const look = async (intent: Pick<Intent, 'group' | 'probe'>): Promise<void> => {
    if (offered(resource?.read)) await readBack(context, resource.read, params, intent)
    else if (isThere(resource?.list)) await readBack(context, resource.list, parents, intent)
  }
  const removal = { operation: remove, params: { ...other.params, id: other.id } }
  const { view } = await context.send({ ...removal, intent: { kind: 'base', group } })
  if (!view.accepted) return
  await look({ group })
  await sendWithWrong(context, required, group, () => ({ operation: remove, params }))
  await look({ group, probe: LEFT_ALONE })
}

function read(operation: string, params: Readonly<Record<string, string>>): () => Call {
  return () => ({ operation, params })
}
