import fc from 'fast-check'
import { type Case, type Made, NotRun } from '../../case.ts'
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
    features: ['pipelines'],
    requirements: ['STATEVAR-READ'],
    cost: 25,
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
    operation: 'create-group-from-pipeline',
    features: ['pipelines'],
    requirements: ['GROUP-CREATE-KEEPS'],
    cost: 20,
    async run(context) {
      const { good, control } = await openControl(context, 'create-group-from-pipeline')
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
