import fc from 'fast-check'
import type { Case } from '../../kit/case.ts'
import { draw, subSeed } from '../../kit/draw.ts'
import { HARD, longText } from '../../kit/hard-texts.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

const text = fc.string({
  minLength: 1,
  maxLength: 30,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
})

/** Parts of a gateway route: each field alone first, then random subsets. */
const routeParts = fc.oneof(
  fc.record({ title: text }),
  fc.record({ description: text }),
  fc.record({ legacy_routing: fc.boolean() }),
  fc.record({ title: text, description: text, legacy_routing: fc.boolean() }, { requiredKeys: [] }),
)

const variables = fc.dictionary(
  fc.constantFrom('assay_a', 'assay_b', 'assay_c', 'assay_d'),
  fc.oneof(text, fc.integer(), fc.boolean()),
  {
    minKeys: 1,
    maxKeys: 3,
  },
)

export const partialUpdateCases: readonly Case[] = [
  {
    id: 'update-gateway-route/partial',
    title: 'a patch of a gateway route changes the fields that it sends and leaves the others',
    operation: 'update-gateway-route',
    features: ['pipelines'],
    requirements: ['ROUTE-PATCH-STATUS', 'ROUTE-PATCH-APPLIES', 'ROUTE-PATCH-PARTIAL'],
    cost: 60,
    async run(context) {
      const scene = await openScene(context, 'update-gateway-route')
      const twins = createTwins(context, scene)
      const { params } = await scene.request()
      const read = (): Promise<unknown> =>
        readBack(context, reader(context, 'gateway-route', 'read'), params, twins.group)
      // What a read shows before is what it has to show afterwards.
      await read()
      await twins.mustAccept()
      await read()
      const walk = [
        { title: 'one' },
        { description: 'two' },
        { legacy_routing: true },
        { title: 'three', description: 'four' },
        { legacy_routing: false },
        { title: HARD },
        { title: longText(512), description: HARD },
      ]
      const random = draw(routeParts, subSeed(context.seed, 'parts'), Math.ceil(context.runs / 2))
      for (const body of [...walk, ...random]) {
        await twins.probe({ kind: 'base' }, () => ({ body }))
        await read()
      }
    },
  },
  {
    id: 'update-state-variables/partial',
    title: 'a patch of state variables changes those that it names and leaves the others',
    operation: 'update-state-variables',
    features: ['pipelines'],
    requirements: ['STATEVAR-STATUS', 'STATEVAR-APPLIES', 'STATEVAR-PARTIAL'],
    cost: 60,
    async run(context) {
      const scene = await openScene(context, 'update-state-variables')
      const twins = createTwins(context, scene)
      const { params } = await scene.request()
      const patch = (state: Record<string, unknown>): Promise<unknown> =>
        twins.probe({ kind: 'base' }, ({ body }) => ({ body: { ...(body as object), state } }))
      const walk = [
        { assay_a: 'one', assay_b: 'two', assay_c: 3 },
        { assay_a: 'other' },
        { assay_b: 'new', assay_c: 4 },
        { assay_c: 0, assay_d: false },
        { assay_a: HARD, assay_c: longText(1_500) },
      ]
      const random = draw(variables, subSeed(context.seed, 'variables'), Math.ceil(context.runs / 2))
      for (const state of [...walk, ...random]) {
        await patch(state)
        await readBack(context, 'get-state-variables', params, twins.group)
      }
    },
  },
]
