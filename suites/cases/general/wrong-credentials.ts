import { jsonOf } from '../../../rules/core/view.ts'
import { inWords, oneOf } from '../../../rules/core/words.ts'
import { type ProbeName, probes } from '../../../schemas/records/intents.ts'
import {
  allCollections,
  type Collection,
  operationRow,
  operationsOn,
  resourceRow,
  service,
} from '../../../schemas/service.ts'
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
import { lookInList } from '../../request/left-alone.ts'
import { readBack } from '../../request/read-back.ts'
import { boundReads, readSource } from './credentials.ts'

/** Without credentials, and with ones that nobody was given. */
const WRONG: readonly (readonly [edge: string, credentials: readonly CredentialChoice[]])[] = [
  ['none', []],
  ['access-token unknown', [{ scheme: 'access-token', variant: 'unknown' }]],
]
const WRONG_KEY: typeof WRONG = [
  ['none', []],
  ['enterprise-key unknown', [{ scheme: 'enterprise-key', variant: 'unknown' }]],
]

/** That the operation of the case is carried out with right credentials only (section 'Authentication'). */
function requiredBy({ operation }: CaseContext): string {
  return `AUTH-${operationRow(operation)?.family.toUpperCase()}-REQUIRED`
}

/** Sends the request with an existing service key, where the specification takes it: with v1 operations. */
async function sendWithRight(context: CaseContext, group: string, next: NextCall): Promise<void> {
  const requirement = 'AUTH-V1-SERVICE-KEY'
  if (requiredBy(context) !== 'AUTH-V1-REQUIRED' || !context.schemes.has('service-key') || !context.wants(requirement))
    return
  const intent = { kind: 'auth' as const, requirement, edge: 'service-key', group, data: { right: true } }
  const credentials = [{ scheme: 'service-key' as const, variant: 'right' as const }]
  const { view } = await context.send({ ...(await next()), credentials, intent })
  // A refusal counts between two good requests.
  if (!view.accepted) await context.send({ ...(await next()), intent: { kind: 'base', group } })
}

/** What is sent each time: each may need a name of its own. */
type NextCall = () => Call | Promise<Call>

/** Sends requests that are good but for their credentials: without any, and with unknown ones. */
export async function sendWithWrong(context: CaseContext, group: string, next: NextCall): Promise<Sent[]> {
  const requirement = requiredBy(context)
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

/** Reads whose paths only a binding gives need credentials as well (section 'Authentication': all operations but one). */
export const readCredentialCases: readonly Case[] = boundReads
  .filter(({ family }) => family !== 'v2')
  .map((row) => ({
    id: `${row.id}/credentials`,
    title: `${row.id} is carried out with right credentials only`,
    async run(context) {
      const source = readSource(context, row)
      const control = createControl(context, source)
      await control.mustAccept()
      await sendWithRight(context, control.group, source.request)
      await sendWithWrong(context, control.group, source.request)
      await control.base()
    },
  }))

/** Throws NotRun where the thing acts on the whole account, and its owner does not agree. */
function requireConsent(context: CaseContext, type: string): void {
  if (resourceRow(type)?.account !== true || context.embedded || context.consent.exclusions === true) return
  throw new NotRun('no-consent', 'exclusion rules act on the whole account (consent.exclusions)')
}

/** Creations whose paths only a binding gives need credentials as well (section 'Authentication': all operations but one). */
export const creationCredentialCases: readonly Case[] = allCollections.filter(isBound).map(({ type, create }) => ({
  id: `${create}/credentials`,
  title: `${create} is carried out with right credentials only`,
  async run(context) {
    requireConsent(context, type)
    const operation = requireOperation(context, context.binding.resources.get(type)?.create)
    const params = await parentsOf(context, type)
    const group = context.group()
    const next = () => {
      const label = context.label()
      const values = { ...params, label, email: context.email(label) }
      return { operation: operation.id, params, body: context.fill(operation.body, values), label }
    }
    const { view } = await context.send({ ...next(), intent: { kind: 'base', group } })
    if (!view.accepted) throw new NotRun('inconclusive', `${operation.id} is answered with status ${view.status}`)
    const sent = await sendWithWrong(context, group, next)
    const list = context.binding.resources.get(type)?.list
    if (list === undefined || context.binding.operations.get(list)?.offered !== true) return
    const bodies = sent.map((one) => jsonOf(one.view.request))
    await lookInList(context, { type, operation: list, params }, group, bodies)
  },
}))

/** Operations on a thing other than reading, changing and removing it. */
function besides(type: string): readonly string[] {
  const parts = service().resources.flatMap((row) => (row.of === type ? operationsOn(row.type, 'read') : []))
  return [...operationsOn(type, 'act'), ...parts]
}

/** The operations with a path in the text have cases of their own, which try more. */
function isBound({ create }: Collection): boolean {
  return operationRow(create)?.gap !== undefined
}

/**
 * Things whose paths only a binding gives are read, listed, changed and removed with right credentials only (section
 * 'Authentication': all operations but one).
 */
export const thingCredentialCases: readonly Case[] = allCollections.map((collection) => ({
  id: `${collection.create}/kept-closed`,
  title: `${oneOf(collection.type)} is read, changed and removed with right credentials only`,
  run: (context) => keepClosed(context, collection),
}))

async function keepClosed(context: CaseContext, collection: Collection): Promise<void> {
  const { type, update, remove, others } = collection
  const resource = context.binding.resources.get(type)
  requireConsent(context, type)
  requireOperation(context, resource?.create)
  const parents = await parentsOf(context, type)
  const [kept, other] = [await context.make(type, parents), await context.make(type, parents)]
  if (!kept.own || !other.own) throw new NotRun('no-resource', `the ${inWords(type)} was there before`)
  const params = { ...kept.params, id: kept.id }
  const isThere = (id: string | undefined): id is string =>
    id !== undefined && context.binding.operations.get(id)?.offered === true
  const offered = (id: string | undefined): id is string => isThere(id) && operationRow(id)?.path === undefined

  /** The same with right credentials first, so that what refuses them is known to be about them. */
  const tryAll = async (next: NextCall): Promise<void> => {
    const group = context.group()
    const { view } = await context.send({ ...(await next()), intent: { kind: 'base', group } })
    if (!view.accepted) return
    await sendWithRight(context, group, next)
    await sendWithWrong(context, group, next)
  }

  if (offered(resource?.read)) await tryAll(read(resource.read, params))
  if (offered(resource?.list) && (resource.needs ?? []).length > 0) await tryAll(read(resource.list, parents))
  for (const operation of [update, ...others, ...besides(type)]) {
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
  const look = async (about: { readonly group: string; readonly probe?: ProbeName }): Promise<void> => {
    if (offered(resource?.read)) await readBack(context, resource.read, params, about)
    else if (isThere(resource?.list)) await readBack(context, resource.list, parents, about)
  }
  const removal = { operation: remove, params: { ...other.params, id: other.id } }
  const { view } = await context.send({ ...removal, intent: { kind: 'base', group } })
  if (!view.accepted) return
  await look({ group })
  await sendWithWrong(context, group, () => ({ operation: remove, params }))
  await look({ group, probe: probes.leftAlone })
}

function read(operation: string, params: Readonly<Record<string, string>>): () => Call {
  return () => ({ operation, params })
}
