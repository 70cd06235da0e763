import { jsonOf } from '../../../rules/core/view.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Case, Sent } from '../../case.ts'
import { openControl } from '../../request/control.ts'
import { readBack, reader } from '../../request/read-back.ts'

export const processingStatusCases: readonly Case[] = [
  {
    id: 'update-processing-status/empty',
    title: 'an empty object, as in the sample, is accepted as the body',
    async run(context) {
      const { good, control } = await openControl(context)
      await control.mustAccept()
      const read = reader(context, 'pipeline', 'read')
      const operation = context.binding.operations.get(read ?? '')
      const pointer = operation?.offered === true ? operation.answer.processing_status : undefined
      const { params } = await good.request()
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
      const before = await readBack(context, read, params, control.group)
      const shown = pointer === undefined ? undefined : at(jsonOf(before.view.response), pointer)
      await control.probe(
        { kind: 'accept', requirement: 'PROCESSING-STATUS-EMPTY', edge: 'an empty object', pointer: '' },
        () => ({ body: {} }),
        async (sent) => {
          if (sent.view.accepted) await look({ shows: pointer ?? '', before: shown })
        },
      )
      await control.base()
    },
  },
]
