import { isRecord } from '../../../rules/core/request-rules.ts'
import { probes } from '../../../schemas/intents.ts'
import { type Case, type CaseContext, NotRun } from '../../kit/case.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins, isBroken } from '../../kit/twins.ts'
import { otherKinds } from './other-configs.ts'

type Change = Readonly<Record<string, unknown>>

/**
 * Sends a configuration, another one, and the first one again, each read back. The other one has a field more that nobody
 * but this run can have made, which a target may refuse or leave out; then it is that of another kind.
 */
async function sendBetween(context: CaseContext, operation: string, type: string): Promise<void> {
  const scene = await openScene(context, operation)
  const twins = createTwins(context, scene)
  await twins.mustAccept()
  const { params, body } = await scene.request()
  const usual = isRecord(body) ? body.user_config : undefined
  if (!isRecord(usual)) {
    throw new NotRun(
      'gap-unanswered',
      'the binding has no configuration to change (GAP-USER-CONFIG)',
      'GAP-USER-CONFIG',
    )
  }
  const about = { group: twins.group, probe: probes.leftovers }
  /** Whether something was found. */
  const send = async (change: Change): Promise<boolean> => {
    const { view } = await twins.probe({ kind: 'observe', probe: probes.leftovers }, (request) => ({
      body: { ...(request.body as object), ...change },
    }))
    if (!view.accepted) return false
    const { judgements } = await readBack(context, reader(context, type, 'read'), params, about)
    return isBroken(judgements)
  }
  const own = context.label()
  await send({ user_config: usual })
  for (const change of [{ user_config: { ...usual, [own]: own } }, ...otherKinds(context, body, type)]) {
    await send(change)
    // After a refusal as well: what came of it may not be known.
    if (await send({ user_config: usual })) return
  }
}

export const leftoverCases: readonly Case[] = [
  {
    id: 'update-transform/leftovers',
    title: 'an update of a transform leaves nothing of the configuration that was there before',
    operation: 'update-transform',
    features: ['pipelines'],
    requirements: ['TRANSFORM-UPDATE-REPLACES'],
    cost: 15,
    run: (context) => sendBetween(context, 'update-transform', 'transform'),
  },
  {
    id: 'update-source/leftovers',
    title: 'an update of a source leaves nothing of the configuration that was there before',
    operation: 'update-source',
    features: ['pipelines'],
    requirements: ['SOURCE-UPDATE-REPLACES'],
    cost: 15,
    run: (context) => sendBetween(context, 'update-source', 'source'),
  },
]
