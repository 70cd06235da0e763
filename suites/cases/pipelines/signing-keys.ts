import fc from 'fast-check'
import type { Case } from '../../kit/case.ts'
import { draw, subSeed } from '../../kit/draw.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

const keys = fc.string({
  minLength: 1,
  maxLength: 64,
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
})

export const signingKeyCases: readonly Case[] = [
  {
    id: 'add-signing-key/adds',
    title: 'signing keys are added to a gateway route, one after the other',
    operation: 'add-signing-key',
    features: ['pipelines'],
    requirements: [
      'SIGNING-KEY-STATUS',
      'SIGNING-KEY-ADDS',
      'SIGNING-KEYS-KEPT',
      'GAP-SIGNING-KEY-REPEAT',
      'ROUTE-PATCH-PARTIAL',
    ],
    cost: 15,
    async run(context) {
      const scene = await openScene(context, 'add-signing-key')
      const twins = createTwins(context, scene)
      const reads = reader(context, 'gateway-route', 'read')
      const shows = (id = ''): boolean => context.binding.operations.get(id)?.answer.signing_keys !== undefined
      const look = async (): Promise<void> => {
        if (!shows(reads)) return
        const { params } = await scene.request()
        await readBack(context, reads, params, twins.group, 'until-new')
      }
      await twins.mustAccept()
      await look()
      // Where only the answers to additions show the keys, the third tells of the first two.
      const least = shows(scene.operation.id) && !shows(reads) ? 2 : 1
      const more = draw(keys, subSeed(context.seed, 'keys'), Math.max(least, Math.ceil(context.runs / 8)))
      for (const key of more) await twins.probe({ kind: 'base' }, () => ({ body: { key } }))
      await look()
      // Keys are no part of what a patch may change.
      const { params } = await scene.request()
      const body = { title: context.label() }
      await context.send({
        operation: 'update-gateway-route',
        params,
        body,
        intent: { kind: 'base', group: context.group() },
      })
      await look()
    },
  },
]
