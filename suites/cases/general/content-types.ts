import { type CaseIntent, probes } from '../../../schemas/intents.ts'
import { specifiedOperations } from '../../../schemas/operations.ts'
import type { Case } from '../../kit/case.ts'
import { openScene } from '../../kit/scene.ts'

const REQUIREMENT = 'REQUEST-CONTENT-TYPE'

/** Other content types of a body that is JSON all the same; null: none. */
const OTHERS = ['application/json; charset=utf-8', 'text/plain', null] as const

/** For each operation with a body: it is not refused because it comes as application/json. */
export const contentTypeCases: readonly Case[] = specifiedOperations()
  .filter(({ request }) => request !== undefined)
  .map((operation) => ({
    id: `${operation.id}/content-type`,
    title: `a body of ${operation.id} may come as application/json`,
    operation: operation.id,
    features: [operation.feature],
    requirements: [REQUIREMENT],
    cost: 6,
    async run(context) {
      const scene = await openScene(context, operation.id)
      const about = { requirement: REQUIREMENT, group: context.group() }
      const send = async (contentType: string | null, intent: CaseIntent): Promise<boolean> => {
        const sent = await context.send({ ...(await scene.request()), contentType, intent })
        scene.learn(sent)
        return sent.view.accepted
      }
      const base: CaseIntent = { kind: 'base', ...about, edge: 'application/json', data: { form: true } }
      // A first refusal may be one of the moment, or of what the switch is on already.
      if ((await send('application/json', base)) || (await send('application/json', base))) return
      for (const other of OTHERS) {
        await send(other, { kind: 'observe', ...about, probe: probes.otherForm, edge: other ?? 'none' })
      }
      await send('application/json', base)
    },
  }))
