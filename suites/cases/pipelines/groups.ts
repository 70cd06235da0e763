import { madeIn } from '../../../rules/core/reads.ts'
import { isRecord } from '../../../rules/core/request-rules.ts'
import { offered } from '../../../schemas/binding.ts'
import type { CaseIntent } from '../../../schemas/types/intents.ts'
import type { Case, CaseContext, Params } from '../../case.ts'
import { HARD, longText } from '../../generate/values/text.ts'
import { type Control, openControl, withFields } from '../../request/control.ts'
import { readGeneration } from '../../request/good-request.ts'
import { otherConfigs, shownKinds } from '../../request/other-configs.ts'
import { readBack, storedBy, untilSettled } from '../../request/read-back.ts'

/** Makes a group of these transforms. What it is read by, where its id is told. */
async function groupOf(
  { binding }: CaseContext,
  control: Control,
  ids: readonly string[],
): Promise<Params | undefined> {
  const several: CaseIntent = {
    ...{ kind: 'accept', requirement: 'GROUP-CREATE-COPIES', pointer: '/pipeline_transform_ids' },
    edge: `${ids.length} of them`,
  }
  const intent: CaseIntent = ids.length > 1 ? several : { kind: 'base' }
  const { view } = await control.probe(intent, withFields({ pipeline_transform_ids: ids }))
  const [made, name] = [madeIn(view), binding.resources.get('group')?.id]
  return made === undefined || name === undefined ? undefined : { [name]: made }
}

async function readGroup(context: CaseContext, params: Params, { group }: Control): Promise<void> {
  await readBack(context, context.binding.resources.get('group')?.read, params, group)
}

/** A good body of an update of a transform, with its configuration. */
async function updateOf(context: CaseContext, params: Params): Promise<Readonly<Record<string, unknown>> | undefined> {
  const generation_id = await readGeneration(context, 'update-transform', params)
  const values = { ...params, label: context.label(), generation_id }
  const body = context.fill(context.binding.operations.get('update-transform')?.body, values)
  return isRecord(body) ? body : undefined
}

/** Copies a transform into a group and changes it afterwards: the copy is as it was. */
async function copyThenChange(
  context: CaseContext,
  control: Control,
  params: Params,
  transform: string,
): Promise<void> {
  const made = await groupOf(context, control, [transform])
  const own = { ...params, [context.binding.resources.get('transform')?.id ?? '']: transform }
  const body = await updateOf(context, own)
  const [changed] = otherConfigs(context, body, 'transform').slice(-1)
  if (!made || !body || !changed) return
  // Copies may be made in the background.
  await untilSettled(context)
  const sent = { operation: 'update-transform', params: own, body: { ...body, ...changed } }
  await context.send({ ...sent, intent: { kind: 'setup' } })
  await readGroup(context, { ...params, ...made }, control)
}

/** Copies a transform into a group and gives it texts of the run's own afterwards, as far as the target takes them. */
async function copyThenRename(context: CaseContext, control: Control, parents: Params): Promise<void> {
  const { id, params } = await context.make('transform', parents)
  const made = await groupOf(context, control, [id])
  const body = await updateOf(context, params)
  if (!made || !body) return
  await untilSettled(context)
  const texts = { title: context.label(), description: context.label() }
  const own = context.label()
  // An unknown field may be refused.
  const configs = isRecord(body.user_config) ? [{ ...body.user_config, [own]: own }, body.user_config] : []
  for (const config of configs) {
    const sent = { operation: 'update-transform', params, body: { ...body, ...texts, user_config: config } }
    const { view: changed } = await context.send({ ...sent, intent: { kind: 'observe', edge: 'copied' } })
    if (changed.accepted) break
  }
  await readGroup(context, { ...params, ...made }, control)
}

export const groupCases: readonly Case[] = [
  {
    id: 'create-group-from-pipeline/copies',
    title: 'a group made from a pipeline holds the transforms that were listed',
    async run(context) {
      const { good, control } = await openControl(context)
      const { params } = await good.request()
      const placeholder = context.binding.resources.get('transform')?.id ?? ''
      const { [placeholder]: _first, ...parents } = params
      const [one = '', two = '', three = ''] = await makeDistinct(context, parents)
      for (const ids of [[two], [three, one], [one, two, three]]) {
        const made = await groupOf(context, control, ids)
        if (made) await readGroup(context, { ...params, ...made }, control)
      }
      await copyThenChange(context, control, params, one)
      await copyThenRename(context, control, parents)
      const hard = { title: `${longText(400)} ${HARD}`, description: HARD }
      await control.probe({ kind: 'base' }, withFields(hard), storedBy(context, good, control.group)?.read)
    },
  },
]

/**
 * Makes three transforms with different contents: one as the binding makes them, and two of other kinds if the binding
 * has configurations for those. Each is read once, so that it is known how the target shows it. Their ids.
 */
async function makeDistinct(context: CaseContext, parents: Params): Promise<readonly string[]> {
  const { create, read } = context.binding.resources.get('transform') ?? {}
  const [first, second] = shownKinds(context, offered(context.binding, create)?.body, 'transform')
  const ids: string[] = []
  for (const other of [undefined, first, second]) {
    const { id, params } = (await makeOther(context, parents, other)) ?? (await context.make('transform', parents))
    const reader = offered(context.binding, read)
    if (reader) await readBack(context, reader.id, params)
    ids.push(id)
  }
  return ids
}

/**
 * `other`: fields of a kind of its own. Undefined where the target does not make it, or does not tell its id: whether it
 * has to is not stated.
 */
async function makeOther(
  context: CaseContext,
  parents: Params,
  other: object | undefined,
): Promise<{ readonly id: string; readonly params: Params } | undefined> {
  const { id: placeholder = '', create } = context.binding.resources.get('transform') ?? {}
  const operation = offered(context.binding, create)
  if (!other || !operation) return undefined
  const label = context.label()
  const body = { ...(context.fill(operation.body, { ...parents, label }) as object), ...other }
  const call = { operation: operation.id, params: parents, body, label }
  const { view } = await context.send({ ...call, intent: { kind: 'setup' } })
  const id = madeIn(view)
  return id === undefined ? undefined : { id, params: { ...parents, [placeholder]: id } }
}
