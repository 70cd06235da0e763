import { inWords } from '../../../rules/core/words.ts'
import { specifiedOperations } from '../../../schemas/operations.ts'
import { probes } from '../../../schemas/records/intents.ts'
import { operationRow, resourceRow } from '../../../schemas/service.ts'
import { type Case, type CaseContext, type Made, NotRun } from '../../case.ts'
import { openControl } from '../../request/control.ts'
import type { GoodRequest } from '../../request/good-request.ts'
import { readBack, reader } from '../../request/read-back.ts'
import { elsewhere } from '../../request/unknown-id.ts'

/** An operation on one thing of a kind of which there can be two. */
interface Pair {
  readonly operation: string
  readonly type: string
  readonly title: string
  /** the things belong to the account: among those of other cases a fault may reach one that these change again */
  readonly alone?: boolean
}

/** Of those with a path in the text. A part of a thing has a case of its own. */
const PAIRS = specifiedOperations().flatMap(({ id: operation, verb, resource: type, reaches }): Pair[] => {
  const { of, needs } = resourceRow(type) ?? {}
  if (reaches === undefined || of !== undefined) return []
  const one = inWords(type)
  if (verb === 'remove') return [{ operation, type, title: `the removal of one ${one} leaves another there` }]
  return [{ operation, type, title: `an update of one ${one} leaves another as it was`, alone: needs === undefined }]
})
const isRemoval = ({ operation }: Pair): boolean => operationRow(operation)?.verb === 'remove'

/** Reads the neighbour, so that the rules can compare it with earlier reads. */
async function look(context: CaseContext, operation: string | undefined, one: Made, group: string): Promise<void> {
  await readBack(context, operation, { ...one.params, id: one.id }, { group, probe: probes.beside })
}

/** Lists all of the kind, where there is a way to: again and again, as long as the list may still be old. */
async function lister(
  context: CaseContext,
  type: string,
  good: GoodRequest,
  group: string,
): Promise<() => Promise<void>> {
  const operation = reader(context, type, 'list')
  const { params } = await good.request()
  return async () => {
    if (operation === undefined || context.binding.operations.get(operation)?.offered !== true) return
    await readBack(context, operation, params, { group, probe: probes.beside }, 'until-new')
  }
}

/** Another thing of the kind, under the same parents. Throws NotRun where there can be no second one. */
async function makeNeighbour(context: CaseContext, type: string, good: GoodRequest): Promise<Made> {
  const { params } = await good.request()
  const placeholder = context.binding.resources.get(type)?.id ?? ''
  const { [placeholder]: first, id: _id, ...parents } = params
  const made = await context.make(type, parents)
  if (!made.own || made.id === first) throw new NotRun('no-resource', `there is no second ${inWords(type)}`)
  return made
}

function headOf({ operation, title }: Pair): Omit<Case, 'run'> {
  return { id: `${operation}/neighbour`, title }
}

function updateCase(pair: Pair): Case {
  const { operation, type, alone = false } = pair
  return {
    ...headOf(pair),
    alone,
    async run(context) {
      const { good, control } = await openControl(context, operation)
      const neighbour = await makeNeighbour(context, type, good)
      const revision = type === 'placed-group' ? await anotherRevision(context, good) : {}
      const read = reader(context, type, 'read')
      const list = await lister(context, type, good, control.group)
      await look(context, read, neighbour, control.group)
      await list()
      await control.probe({ kind: 'base' }, ({ body }) => ({ body: { ...(body as object), ...revision } }))
      await look(context, read, neighbour, control.group)
      await list()
    },
  }
}

/** A revision that no placed group stands at yet. */
async function anotherRevision(context: CaseContext, good: GoodRequest): Promise<Record<string, string>> {
  const placeholder = context.binding.resources.get('group-revision')?.id ?? ''
  const { [placeholder]: _newest, ...parents } = (await good.request()).params
  const made = await context.make('group-revision', parents)
  return { transform_group_revision_id: made.id }
}

/** Also a request with an id that nothing has leaves all others there. An address may be somebody's. */
function removalCase(pair: Pair): Case {
  const { operation, type } = pair
  return {
    ...headOf(pair),
    async run(context) {
      const { good, control } = await openControl(context)
      const { params } = await good.request()
      const neighbour = await makeNeighbour(context, type, good)
      const read = reader(context, type, 'read')
      const lookAgain = (): Promise<void> => look(context, read, neighbour, control.group)
      await lookAgain()
      await control.mustAccept()
      await lookAgain()
      const unknown =
        type === 'screen' ? await elsewhere(context, type, params.screen_id ?? params.id ?? '') : undefined
      if (unknown === undefined) return
      await context.send({
        operation,
        params: { ...params, screen_id: unknown, id: unknown },
        intent: { kind: 'provoke', probe: probes.unknownScreen, group: control.group },
      })
      await lookAgain()
    },
  }
}

/** One resource is changed or removed; another one, which nobody changes, is read. */
export const neighbourCases: readonly Case[] = [
  ...PAIRS.map((pair) => (isRemoval(pair) ? removalCase(pair) : updateCase(pair))),
  {
    id: 'update-state-variables/neighbour',
    title: 'a patch of the state variables of one pipeline leaves those of another as they were',
    async run(context) {
      const { good, control } = await openControl(context)
      const { params } = await good.request()
      const other = await context.make('pipeline')
      if (!other.own || other.id === params.pipeline_id) throw new NotRun('no-resource', 'there is no second pipeline')
      const bodyOf = (id: string, value: string): unknown => ({ pipeline_id: id, state: { assay_a: value } })
      await context.send({
        operation: good.operation.id,
        body: bodyOf(other.id, context.label()),
        intent: { kind: 'base', group: control.group },
      })
      await look(context, 'get-state-variables', other, control.group)
      await control.probe({ kind: 'base' }, ({ label }) => ({ body: bodyOf(params.pipeline_id ?? '', label) }))
      await look(context, 'get-state-variables', other, control.group)
    },
  },
  {
    id: 'update-processing-status/neighbour',
    title: 'a switch of the processing status of one pipeline leaves that of another as it was',
    async run(context) {
      const bodies = context.answer<{ enabled: unknown; disabled: unknown }>('GAP-PROCESSING-STATUS-BODY')
      const { good, control } = await openControl(context)
      const other = await makeNeighbour(context, 'pipeline', good)
      const read = reader(context, 'pipeline', 'read')
      await look(context, read, other, control.group)
      for (const body of [bodies.enabled, bodies.disabled, bodies.enabled]) {
        await control.probe({ kind: 'base' }, () => ({ body }))
        await look(context, read, other, control.group)
      }
    },
  },
]
