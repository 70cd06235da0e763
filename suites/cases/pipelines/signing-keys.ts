import fc from 'fast-check'
import type { Case } from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { openControl } from '../../request/control.ts'
import { readBack, reader } from '../../request/read-back.ts'

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
      const { good, control } = await openControl(context, 'add-signing-key')
      const reads = reader(context, 'gateway-route', 'read')
      const shows = (id = ''): boolean => context.binding.operations.get(id)?.answer.signing_keys !== undefined
      const look = async (): Promise<void> => {
        if (!shows(reads)) return
        const { params } = await good.request()
        await readBack(context, reads, params, control.group, 'until-new')
      }
      await control.mustAccept()
      await look()
      // Where only the answers to additions show the keys, the third tells of the first two.
      const least = shows(good.operation.id) && !shows(reads) ? 2 : 1
      const more = draw(keys, subSeed(context.seed, 'keys'), Math.max(least, Math.ceil(context.runs / 8)))
      for (const key of more) await control.probe({ kind: 'base' }, () => ({ body: { key } }))
      await look()
      // Keys are no part of what a patch may change.
      const { params } = await good.request()
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
