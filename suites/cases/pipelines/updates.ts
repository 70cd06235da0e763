import fc from 'fast-check'
import type { Case, CaseContext } from '../../kit/case.ts'
import { draw, subSeed } from '../../kit/draw.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

const words = fc.string({
  minLength: 1,
  maxLength: 40,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz 0123456789-'),
})
const changes = fc.record({
  title: words.map((text) => text.trim() || 'a'),
  description: words.map((text) => text.trim() || 'a'),
  deploy_type: fc.constantFrom('saas', 'local'),
})

/** Updates with other good values each time, each read back. */
async function replaceAndRead(context: CaseContext, operation: string, type: string): Promise<void> {
  const scene = await openScene(context, operation)
  const twins = createTwins(context, scene)
  const { params } = await scene.request()
  // What a read shows before is what it has to show afterwards.
  await readBack(context, reader(context, type, 'read'), params, twins.group)
  await twins.mustAccept()
  await readBack(context, reader(context, type, 'read'), params, twins.group)
  const rounds = Math.max(2, Math.ceil(context.runs / 4))
  for (const change of draw(changes, subSeed(context.seed, 'changes'), rounds)) {
    await twins.probe({ kind: 'base' }, ({ body }) => ({ body: { ...(body as object), ...change } }))
    await readBack(context, reader(context, type, 'read'), params, twins.group)
  }
}

export const updateCases: readonly Case[] = [
  {
    id: 'update-transform/replaces',
    title: 'what an update of a transform sends is what a later read shows',
    operation: 'update-transform',
    features: ['pipelines'],
    requirements: ['TRANSFORM-UPDATE-REPLACES', 'TRANSFORM-UPDATE-STATUS'],
    cost: 60,
    run: (context) => replaceAndRead(context, 'update-transform', 'transform'),
  },
  {
    id: 'update-source/replaces',
    title: 'what an update of a source sends is what a later read shows',
    operation: 'update-source',
    features: ['pipelines'],
    requirements: ['SOURCE-UPDATE-REPLACES', 'SOURCE-UPDATE-STATUS'],
    cost: 60,
    run: (context) => replaceAndRead(context, 'update-source', 'source'),
  },
]
