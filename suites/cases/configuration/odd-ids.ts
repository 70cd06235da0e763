import { type IntentData, probes } from '../../../schemas/intents.ts'
import type { Case, CaseContext } from '../../kit/case.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

/**
 * Ids of forms that a target may not have thought of. All begin with a name of the run's own, so that nothing has them,
 * whatever of them is cut off; none holds what paths are made of, which servers and what stands between them look at.
 */
const FORMS: readonly (readonly [edge: string, ending: string])[] = [
  ['a word', ''],
  ['dots', '.v1.json'],
  ['a blank', ' 1'],
  ['a quote', "'s"],
  ['a percent sign', '%20'],
  ['letters outside ASCII', '-é-漢'],
  ['characters outside the BMP', '-\u{1f600}'],
  ['300 characters', 'x'.repeat(300)],
]

/** Deletes what does not exist, under each of these ids. */
async function deleteOdd(
  context: CaseContext,
  operation: string,
  condition: IntentData['condition'] & string,
  idOf: (name: string) => Readonly<Record<string, string>>,
): Promise<void> {
  const scene = await openScene(context, operation)
  const twins = createTwins(context, scene)
  await twins.mustAccept()
  for (const [edge, ending] of FORMS) {
    await context.send({
      operation,
      params: idOf(`${context.label()}${ending}`),
      intent: {
        kind: 'provoke',
        probe: probes.oddId,
        edge: `an id with ${edge}`,
        group: twins.group,
        data: { condition },
      },
    })
  }
}

export const oddIdCases: readonly Case[] = [
  {
    id: 'delete-member/odd-ids',
    title: 'addresses of unusual forms that no member has are refused',
    operation: 'delete-member',
    features: ['member-removal'],
    requirements: ['MEMBER-DELETE-UNKNOWN-REFUSED'],
    cost: 12,
    run: (context) =>
      deleteOdd(context, 'delete-member', probes.unknownMember, (name) => ({ email: context.email(name) })),
  },
  {
    id: 'delete-screen/odd-ids',
    title: 'ids of unusual forms that no screen has are refused',
    operation: 'delete-screen',
    features: ['screen-removal'],
    requirements: ['SCREEN-DELETE-UNKNOWN-REFUSED'],
    cost: 12,
    run: (context) =>
      deleteOdd(context, 'delete-screen', probes.unknownScreen, (name) => ({ id: name, screen_id: name })),
  },
]
