import { listIn } from '../../rules/core/reads.ts'
import { collections } from '../../schemas/service.ts'
import type { CaseIntent } from '../../schemas/types/intents.ts'
import type { CaseContext, Params } from '../case.ts'
import { readBack } from '../request/read-back.ts'
import type { Thing } from './model.ts'

/** The operation that switches to another thing. It is broken where none but the present one is taken. */
const SWITCH = { operation: 'switch-group-revision', field: 'transform_group_revision_id', type: 'group-revision' }

/** Sends a removal that was refused again, between two that are carried out: how a thing is called should not matter. */
export async function whatStays(
  context: CaseContext,
  { made }: Thing,
  operation: string,
  params: Params,
): Promise<void> {
  const requirement = collections.find(({ type }) => type === made.type)?.removed
  const { list, key = 'id' } = context.binding.resources.get(made.type) ?? {}
  if (requirement === undefined || list === undefined) return
  const group = context.group()
  const { view } = await readBack(context, list, {}, { group })
  if (!listIn(view)?.some((one) => String(one[key]) === made.id)) return
  const base = async (): Promise<void> => {
    const other = await context.make(made.type)
    const own = { ...other.params, id: other.id }
    await context.send({ operation, params: own, intent: { kind: 'base', group } })
  }
  await base()
  const edge = `the removal of ${made.id}`
  await context.send({ operation, params, intent: { kind: 'accept', group, requirement, pointer: 'path:id', edge } })
  await base()
}

/** Sends a switch to each of the things that it may name, until one is taken, and then to another one. */
export async function whichIsTaken(
  context: CaseContext,
  call: { readonly operation: string; readonly params: Params },
  plain: Readonly<Record<string, unknown>>,
  parents: readonly Thing[],
): Promise<void> {
  const { field, type } = SWITCH
  const { list, key = 'id', with: holder } = context.binding.resources.get(type) ?? {}
  const parent = parents.find(({ made }) => made.type === holder)
  if (call.operation !== SWITCH.operation || !parent || list === undefined) return
  const group = context.group()
  const { view } = await readBack(context, list, paramsOf(parent, context.binding), { group })
  const ids = (listIn(view) ?? []).map((one) => String(one[key]))
  const send = async (id: string, intent: CaseIntent): Promise<boolean> =>
    (await context.send({ ...call, body: { ...plain, [field]: id }, intent })).view.accepted
  let taken: string | undefined
  for (const id of ids) if (taken === undefined && (await send(id, { kind: 'base', group }))) taken = id
  const other = ids.find((id) => id !== taken)
  if (taken === undefined || other === undefined) return
  await send(other, { kind: 'accept', group, requirement: 'REVISION-MOVES', pointer: `/${field}`, edge: 'another one' })
  await send(taken, { kind: 'base', group })
}

/** The ids of a thing and of what holds it, by placeholder. */
export function paramsOf({ made, parent }: Thing, binding: CaseContext['binding']): Record<string, string> {
  const id = binding.resources.get(made.type)?.id ?? 'id'
  return { ...(parent && paramsOf(parent, binding)), id: made.id, [id]: made.id }
}
