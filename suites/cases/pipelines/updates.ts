import fc from 'fast-check'
import { at } from '../../../schemas/pointer.ts'
import { type Case, type CaseContext, NotRun } from '../../kit/case.ts'
import { draw, subSeed } from '../../kit/draw.ts'
import { ALLOWED, HARD, longText } from '../../kit/hard-texts.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene, type Scene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'
import { otherConfigs } from './other-configs.ts'

/** Plain texts of any characters that the pattern of titles allows. */
const words = fc
  .string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...ALLOWED) })
  .map((text) => text.trim() || 'a')
const changes = fc.record({
  title: words,
  description: words,
  deploy_type: fc.constantFrom('saas', 'local'),
})

/** Good values that are often stored otherwise than they were sent: long ones, marks, other scripts, blanks at the ends. */
const HARD_CHANGES: readonly Readonly<Record<string, unknown>>[] = [
  { title: longText(512), description: HARD, deploy_type: 'local' },
  { title: HARD, description: longText(1_500), deploy_type: 'saas' },
  { title: ' A ', description: ' Ab c ', deploy_type: 'local' },
]

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
  const drawn = draw(changes, subSeed(context.seed, 'changes'), rounds)
  const configs = otherConfigs(context, (await scene.request()).body, type)
  for (const change of [...drawn, ...HARD_CHANGES, ...configs, ...(await otherInputs(context, scene, type))]) {
    await twins.probe({ kind: 'base' }, ({ body }) => ({ body: { ...(body as object), ...change } }))
    await readBack(context, reader(context, type, 'read'), params, twins.group)
  }
}

/** Two transforms upstream, the newer one first, then none; nothing where they cannot be had. */
async function otherInputs(context: CaseContext, scene: Scene, type: string): Promise<{ inputs: string[] }[]> {
  const { params, body } = await scene.request()
  if (type !== 'transform' || !Array.isArray(at(body, '/inputs'))) return []
  const { [context.binding.resources.get(type)?.id ?? '']: _own, ...parents } = params
  try {
    const [older, newer] = [await context.make(type, parents), await context.make(type, parents)]
    return older.id === newer.id ? [] : [{ inputs: [newer.id, older.id] }, { inputs: [] }]
  } catch (thrown) {
    if (thrown instanceof NotRun) return []
    throw thrown
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
