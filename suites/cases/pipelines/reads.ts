import fc from 'fast-check'
import { jsonOf } from '../../../rules/core/view.ts'
import { at } from '../../../schemas/pointer.ts'
import { type Case, type Made, NotRun, type Sent } from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { openControl } from '../../request/control.ts'
import { readBack, reader } from '../../request/read-back.ts'

const words = fc.string({
  minLength: 1,
  maxLength: 20,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
})
const states = fc.dictionary(
  words.map((word) => `assay_${word}`),
  words,
  { minKeys: 1, maxKeys: 4, noNullPrototype: true },
)

export const pipelineReadCases: readonly Case[] = [
  {
    id: 'get-state-variables/stays',
    title: 'state variables are read with the values that were written, each time',
    operation: 'update-state-variables',
    async run(context) {
      const { good, control } = await openControl(context, 'update-state-variables')
      await control.mustAccept()
      const { params } = await good.request()
      const rounds = Math.max(2, Math.ceil(context.runs / 20))
      for (const state of draw(states, subSeed(context.seed, 'states'), rounds)) {
        await control.probe({ kind: 'base' }, ({ body }) => ({ body: { ...(body as object), state } }))
        for (let count = 0; count < 3; count += 1) {
          await readBack(context, 'get-state-variables', params, control.group)
        }
      }
    },
  },
  {
    id: 'create-group-from-pipeline/keeps',
    title: 'transforms that are copied into a group stay in their pipeline',
    async run(context) {
      const { good, control } = await openControl(context)
      const { params } = await good.request()
      const { pipeline_transform_id: first, ...parents } = params
      if (first === undefined) throw new NotRun('no-resource', 'no transform')
      const transforms: Pick<Made, 'id' | 'params'>[] = [{ id: first, params }]
      const readAll = async (): Promise<void> => {
        for (const one of transforms)
          await readBack(context, reader(context, 'transform', 'read'), one.params, control.group)
      }
      for (let count = 0; count < 2; count += 1) {
        await readAll()
        const ids = transforms.map(({ id }) => id)
        await control.probe({ kind: 'base' }, ({ body }) => ({
          body: { ...(body as object), pipeline_transform_ids: ids },
        }))
        await readAll()
        transforms.push(await context.make('transform', parents))
      }
    },
  },
]

export const processingStatusCases: readonly Case[] = [
  {
    id: 'update-processing-status/switches',
    title: 'a pipeline is disabled and enabled again, and a read tells which it is',
    async run(context) {
      const bodies = context.answer<{ enabled: unknown; disabled: unknown }>('GAP-PROCESSING-STATUS-BODY')
      const { good, control } = await openControl(context)
      const { params } = await good.request()
      await readBack(context, reader(context, 'pipeline', 'read'), params, control.group)
      await control.mustAccept()
      for (const body of [
        bodies.enabled,
        bodies.disabled,
        bodies.disabled,
        bodies.enabled,
        bodies.disabled,
        bodies.enabled,
      ]) {
        await control.probe({ kind: 'base' }, () => ({ body }))
        await readBack(context, reader(context, 'pipeline', 'read'), params, control.group)
      }
    },
  },
  {
    id: 'update-processing-status/empty',
    title: 'an empty object, as in the sample, is accepted as the body',
    async run(context) {
      const { good, control } = await openControl(context)
      await control.mustAccept()
      const read = reader(context, 'pipeline', 'read')
      const operation = context.binding.operations.get(read ?? '')
      const pointer = operation?.offered === true ? operation.answer.processing_status : undefined
      const { params } = await good.request()
      const look = async (data: Record<string, unknown>): Promise<Sent | undefined> =>
        read === undefined || pointer === undefined || !context.observes
          ? undefined
          : context.send({
              operation: read,
              params,
              intent: {
                kind: 'observe',
                requirement: 'GAP-PROCESSING-STATUS-EMPTY',
                edge: 'after an empty object',
                data,
              },
            })
      const before = await readBack(context, read, params, control.group)
      const shown = pointer === undefined ? undefined : at(jsonOf(before.view.response), pointer)
      await control.probe(
        { kind: 'accept', requirement: 'PROCESSING-STATUS-EMPTY', edge: 'an empty object', pointer: '' },
        () => ({ body: {} }),
        async (sent) => {
          if (sent.view.accepted) await look({ shows: pointer ?? '', before: shown })
        },
      )
      await control.base()
    },
  },
]
