import { jsonOf } from '../../../rules/core/view.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Case, Sent } from '../../kit/case.ts'
import { readBack, reader } from '../../kit/read-back.ts'
import { openScene } from '../../kit/scene.ts'
import { createTwins } from '../../kit/twins.ts'

export const processingStatusCases: readonly Case[] = [
  {
    id: 'update-processing-status/switches',
    title: 'a pipeline is disabled and enabled again, and a read tells which it is',
    operation: 'update-processing-status',
    features: ['pipelines'],
    requirements: ['PROCESSING-STATUS-STATUS', 'PROCESSING-STATUS-SWITCHES', 'PROCESSING-STATUS-STATES'],
    cost: 20,
    async run(context) {
      const bodies = context.answer<{ enabled: unknown; disabled: unknown }>('GAP-PROCESSING-STATUS-BODY')
      const scene = await openScene(context, 'update-processing-status')
      const twins = createTwins(context, scene)
      const { params } = await scene.request()
      await readBack(context, reader(context, 'pipeline', 'read'), params, twins.group)
      await twins.mustAccept()
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
  {
    id: 'update-processing-status/empty',
    title: 'an empty object, as in the sample, is accepted as the body',
    operation: 'update-processing-status',
    features: ['pipelines'],
    requirements: ['PROCESSING-STATUS-EMPTY', 'GAP-PROCESSING-STATUS-EMPTY'],
    cost: 5,
    async run(context) {
      const scene = await openScene(context, 'update-processing-status')
      const twins = createTwins(context, scene)
      await twins.mustAccept()
      const read = reader(context, 'pipeline', 'read')
      const operation = context.binding.operations.get(read ?? '')
      const pointer = operation?.offered === true ? operation.answer.processing_status : undefined
      const { params } = await scene.request()
      const look = async (data: Record<string, unknown>): Promise<Sent | undefined> =>
        read === undefined || pointer === undefined || !context.observes
          ? undefined
          : context.send({
              operation: read,
              params,
              intent: {
                kind: 'observe',
                requirement: 'GAP-PROCESSING-STATUS-EMPTY',
                edge: 'after an empty object',
                data,
              },
            })
      const before = await readBack(context, read, params, twins.group)
      const shown = pointer === undefined ? undefined : at(jsonOf(before.view.response), pointer)
      await twins.probe(
        { kind: 'accept', requirement: 'PROCESSING-STATUS-EMPTY', edge: 'an empty object', pointer: '' },
        () => ({ body: {} }),
        async (sent) => {
          if (sent.view.accepted) await look({ shows: pointer ?? '', before: shown })
        },
      )
      await twins.base()
    },
  },
]
