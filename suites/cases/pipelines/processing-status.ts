import type { Case } from '../../kit/case.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

export const processingStatusCases: readonly Case[] = [
  {
    id: 'update-processing-status/switches',
    title: 'a pipeline is disabled and enabled again, and a read tells which it is',
    operation: 'update-processing-status',
    features: ['pipelines'],
    requirements: ['PROCESSING-STATUS-STATUS', 'PROCESSING-STATUS-SWITCHES'],
    cost: 20,
    async run(context) {
      const bodies = context.answer<{ enabled: unknown; disabled: unknown }>('GAP-PROCESSING-STATUS-BODY')
      const scene = await openScene(context, 'update-processing-status')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      const { params } = await scene.request()
      for (const body of [
        bodies.enabled,
        bodies.disabled,
        bodies.disabled,
        bodies.enabled,
        bodies.disabled,
        bodies.enabled,
      ]) {
        await twins.probe({ kind: 'base' }, () => ({ body }))
        await readBack(context, reader(context, 'pipeline', 'read'), params, twins.group)
      }
    },
  },
]
