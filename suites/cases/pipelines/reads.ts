import fc from 'fast-check'
import { type Case, type Made, NotRun } from '../../kit/case.ts'
import { draw, subSeed } from '../../kit/draw.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

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
      const scene = await openScene(context, 'update-state-variables')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      const { params } = await scene.request()
      const rounds = Math.max(2, Math.ceil(context.runs / 20))
      for (const state of draw(states, subSeed(context.seed, 'states'), rounds)) {
        await twins.probe({ kind: 'base' }, ({ body }) => ({ body: { ...(body as object), state } }))
        for (let count = 0; count < 3; count += 1) {
          await readBack(context, 'get-state-variables', params, twins.group)
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
      const scene = await openScene(context, 'create-group-from-pipeline')
      const twins = createTwins(context, scene)
      const { params } = await scene.request()
      const { pipeline_transform_id: first, ...parents } = params
      if (first === undefined) throw new NotRun('no-resource', 'no transform')
      const transforms: Pick<Made, 'id' | 'params'>[] = [{ id: first, params }]
      const readAll = async (): Promise<void> => {
        for (const one of transforms)
          await readBack(context, reader(context, 'transform', 'read'), one.params, twins.group)
      }
      for (let count = 0; count < 2; count += 1) {
        await readAll()
        const ids = transforms.map(({ id }) => id)
        await twins.probe({ kind: 'base' }, ({ body }) => ({
          body: { ...(body as object), pipeline_transform_ids: ids },
        }))
        await readAll()
        transforms.push(await context.make('transform', parents))
      }
    },
  },
]
