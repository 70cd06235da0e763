import { type Collection, collections } from '../../../rules/core/collections.ts'
import { jsonOf } from '../../../rules/core/view.ts'
import { inWords, oneOf } from '../../../rules/core/words.ts'
import { table } from '../../../schemas/load.ts'
import { specifiedOperations } from '../../../schemas/operations.ts'
import { type ProbeOf, probes } from '../../../schemas/records/intents.ts'
import {
  type Call,
  type Case,
  type CaseContext,
  type CredentialChoice,
  NotRun,
  requireOperation,
  type Sent,
} from '../../case.ts'
import { createControl } from '../../request/control.ts'
import { exportOfNobody } from '../../request/exports.ts'
import { lookInList } from '../../request/left-alone.ts'
import { readBack } from '../../request/read-back.ts'
import { usageQuery } from '../../request/usage.ts'
import { resourceGap } from '../../resources/maker.ts'
import { readSource } from './credentials.ts'

/** Without credentials, and with ones that nobody was given. */
const WRONG: readonly (readonly [edge: string, credentials: readonly CredentialChoice[]])[] = [
  ['none', []],
  ['access-token unknown', [{ scheme: 'access-token', variant: 'unknown' }]],
]
const WRONG_KEY: typeof WRONG = [
  ['none', []],
  ['enterprise-key unknown', [{ scheme: 'enterprise-key', variant: 'unknown' }]],
]

/** Sends the request with an existing service key, where the specification takes it: with v1 operations. */
async function sendWithRight(context: CaseContext, required: string, group: string, next: NextCall): Promise<void> {
  const requirement = 'AUTH-V1-SERVICE-KEY'
  if (required !== 'AUTH-V1-REQUIRED' || !context.schemes.has('service-key') || !context.wants(requirement)) return
  const intent = { kind: 'auth' as const, requirement, edge: 'service-key', group, data: { right: true } }
  await context.send({ ...(await next()), credentials: [{ scheme: 'service-key', variant: 'right' }], intent })
}

/** What is sent each time: each may need a name of its own. */
type NextCall = () => Call | Promise<Call>

/** Sends requests that are good but for their credentials: without any, and with unknown ones. */
export async function sendWithWrong(
  context: CaseContext,
  requirement: string,
  group: string,
  next: NextCall,
): Promise<Sent[]> {
  const sent: Sent[] = []
  for (const [edge, credentials] of requirement === 'AUTH-ENTERPRISE-REQUIRED' ? WRONG_KEY : WRONG) {
    const intent = { kind: 'auth' as const, requirement, edge, group, data: { right: false } }
    sent.push(await context.send({ ...(await next()), credentials, intent }))
  }
  return sent
}

/** The parents of a new resource, made before: their ids by placeholder. */
async function parentsOf(context: CaseContext, type: string): Promise<Readonly<Record<string, string>>> {
  let params: Readonly<Record<string, string>> = {}
  for (const needed of context.binding.resources.get(type)?.needs ?? []) {
    const placeholder = context.binding.resources.get(needed)?.id
    if (placeholder !== undefined && params[placeholder] !== undefined) continue
    params = { ...params, ...(await context.make(needed, params)).params }
  }
  return params
}

type Query = (context: CaseContext) => Record<string, string>

const NONE: Query = () => ({})
const usage =
  (id: string): Query =>
  (context) =>
    usageQuery(context, id, 7, 1)

/** operation -> the gap that gives it a path, and a good query */
const V1_READS: readonly (readonly [string, string, Query])[] = [
  ['list-preset-alerts', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-members', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-exclusions', 'GAP-PATHS-EXCLUSIONS', NONE],
  ['list-screens', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-boards', 'GAP-PATHS-BOARDS', NONE],
  ['list-views', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-categories', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-alerts', 'GAP-PATHS-CONFIGURATION', NONE],
  ['list-keys', 'GAP-PATHS-CONFIGURATION', NONE],
  ['get-ingestion-status', 'GAP-PATHS-SUSPENSION', NONE],
  ['list-usage-by-app', 'GAP-PATHS-USAGE', usage('list-usage-by-app')],
  ['list-usage-by-host', 'GAP-PATHS-USAGE', usage('list-usage-by-host')],
  ['export-v1', 'GAP-PATHS-EXPORT', (context) => exportOfNobody(context, 'export-v1')],
]

const V3_READS: readonly (readonly [string, string, Query])[] = [
  ['list-pipelines', 'GAP-PATHS-PIPELINES', NONE],
  ['list-gateway-routes', 'GAP-PATHS-PIPELINES', NONE],
  ['list-groups', 'GAP-PATHS-PIPELINES', NONE],
]

/** Reads whose paths only a binding gives need credentials as well (section 'Authentication': all operations but one). */
export const readCredentialCases: readonly Case[] = [
  ...V1_READS.map((read) => ['AUTH-V1-REQUIRED', ...read] as const),
  ...V3_READS.map((read) => ['AUTH-V3-REQUIRED', ...read] as const),
].map(([requirement, operation, gap, query]) => ({
  id: `${operation}/credentials`,
  title: `${operation} is carried out with right credentials only`,
  async run(context) {
    const source = readSource(context, operation, gap, query(context))
    const control = createControl(context, source)
    await control.mustAccept()
    await sendWithRight(context, requirement, control.group, source.request)
    await sendWithWrong(context, requirement, control.group, source.request)
    await control.base()
  },
}))

const V1_TYPES = ['board', 'view', 'category', 'alert', 'screen', 'member', 'key', 'exclusion']
const V3_TYPES = ['pipeline', 'source', 'transform', 'gateway-route', 'group-revision']

const CREATIONS: readonly (readonly [type: string, requirement: string])[] = [
  ...V1_TYPES.map((type) => [type, 'AUTH-V1-REQUIRED'] as const),
  ...V3_TYPES.map((type) => [type, 'AUTH-V3-REQUIRED'] as const),
  ['enterprise-key', 'AUTH-ENTERPRISE-REQUIRED'],
]

/** Creations whose paths only a binding gives need credentials as well (section 'Authentication': all operations but one). */
export const creationCredentialCases: readonly Case[] = CREATIONS.map(([type, requirement]) => ({
  id: `create-${type}/credentials`,
  title: `create-${type} is carried out with right credentials only`,
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
    await lookInList(context, { type, operation: list, params }, group, bodies)
  },
}))

const V3_FEATURES = new Set(['pipelines'])

function requirementOf({ feature }: Collection): string {
  if (feature === 'enterprise-keys') return 'AUTH-ENTERPRISE-REQUIRED'
  return V3_FEATURES.has(feature) ? 'AUTH-V3-REQUIRED' : 'AUTH-V1-REQUIRED'
}

/** Operations on a resource other than reading, changing and removing it. */
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

/** They have cases of their own, which try more. */
const SPECIFIED = new Set(specifiedOperations().map(({ id }) => id))

/**
 * Things whose paths only a binding gives are read, listed, changed and removed with right credentials only (section
 * 'Authentication': all operations but one).
 */
export const thingCredentialCases: readonly Case[] = [...collections, EXCLUSION].map((collection) => {
  const required = requirementOf(collection)
  return {
    id: `${collection.create}/kept-closed`,
    title: `${oneOf(collection.type)} is read, changed and removed with right credentials only`,
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
  const look = async (about: { readonly group: string; readonly probe?: ProbeOf<'read'> }): Promise<void> => {
    if (offered(resource?.read)) await readBack(context, resource.read, params, about)
    else if (isThere(resource?.list)) await readBack(context, resource.list, parents, about)
  }
  const removal = { operation: remove, params: { ...other.params, id: other.id } }
  const { view } = await context.send({ ...removal, intent: { kind: 'base', group } })
  if (!view.accepted) return
  await look({ group })
  await sendWithWrong(context, required, group, () => ({ operation: remove, params }))
  await look({ group, probe: probes.leftAlone })
}

function read(operation: string, params: Readonly<Record<string, string>>): () => Call {
  return () => ({ operation, params })
}
