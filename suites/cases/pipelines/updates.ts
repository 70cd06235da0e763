import { isRecord } from '../../../rules/core/request-rules.ts'
import { jsonOf } from '../../../rules/core/view.ts'
import { offered } from '../../../schemas/binding.ts'
import { at } from '../../../schemas/pointer.ts'
import { service } from '../../../schemas/service.ts'
import { type Case, type CaseContext, NotRun, type Sent } from '../../case.ts'
import { fieldOf } from '../../generate/fields.ts'
import { lift } from '../../generate/values/body.ts'
import { isBroken, openControl, requireLook, withFields } from '../../request/control.ts'
import { otherKinds } from '../../request/other-configs.ts'
import { probeField } from '../../request/probe-field.ts'
import { readBack, storedBy } from '../../request/read-back.ts'

type Change = Readonly<Record<string, unknown>>

/**
 * Sends a configuration, another one, and the first one again, each read back. The other one has a further field that
 * only this run can have made. A target may refuse it or leave it out; then it is the one of another kind.
 */
async function sendBetween(context: CaseContext, operation: string, type: string): Promise<void> {
  const { good, control } = await openControl(context, operation)
  const { params, body } = await good.request()
  const usual = isRecord(body) ? body.user_config : undefined
  if (!isRecord(usual)) {
    const what = 'the binding has no configuration to change (GAP-USER-CONFIG)'
    throw new NotRun('gap-unanswered', what, 'GAP-USER-CONFIG')
  }
  const about = { group: control.group, probe: 'leftovers' } as const
  /** Whether something was found. */
  const send = async (change: Change): Promise<boolean> => {
    const { view } = await control.probe({ kind: 'observe', probe: 'leftovers' }, withFields(change))
    if (!view.accepted) return false
    const { judgements } = await readBack(context, context.binding.resources.get(type)?.read, params, about)
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

/** The operations on nodes that take a kind, each with its field. */
const NODES = service().operations.flatMap(({ id, resource, kind }) => (kind ? [{ id, node: resource, kind }] : []))
/** Those that have to take each kind: the updates. */
const UPDATES = NODES.flatMap((one) => {
  const { accepted } = one.kind
  return accepted === undefined ? [] : [{ ...one, kind: { ...one.kind, accepted } }]
})

export const updateCases: readonly Case[] = [
  ...UPDATES.map(
    ({ id, node }): Case => ({
      id: `${id}/leftovers`,
      title: `an update of a ${node} leaves nothing of the configuration that was there before`,
      run: (context) => sendBetween(context, id, node),
    }),
  ),
  {
    id: 'update-processing-status/empty',
    title: 'an empty object, as in the sample, is accepted as the body',
    async run(context) {
      const { good, control } = await openControl(context)
      const { read } = context.binding.resources.get('pipeline') ?? {}
      const pointer = offered(context.binding, read)?.answer.processing_status
      const { params } = await good.request()
      const { view } = await readBack(context, read, params, control.group)
      const before = pointer === undefined ? undefined : at(jsonOf(view.response), pointer)
      const look = async (sent: Sent): Promise<void> => {
        if (!sent.view.accepted || read === undefined || pointer === undefined || !context.observes) return
        const about = { requirement: 'GAP-PROCESSING-STATUS-EMPTY', edge: 'after an empty object' }
        const data = { shows: pointer, before }
        await context.send({ operation: read, params, intent: { kind: 'observe', ...about, data } })
      }
      const about = { requirement: 'PROCESSING-STATUS-EMPTY', edge: 'an empty object', pointer: '' }
      await control.probe({ kind: 'accept', ...about }, () => ({ body: {} }), look)
      await control.end()
    },
  },
  ...NODES.flatMap(({ id: operation, node, kind }): Case[] => [
    {
      id: `${operation}/unknown-kind`,
      title: `an unknown ${node} kind is refused`,
      async run(context) {
        const name = context.answer<string>(kind.gap)
        const { control } = await openControl(context)
        await requireLook(operation, (change) => control.changed(change))
        await probeField(context, control, fieldOf(kind.schema, ''), {
          operation,
          among: NODES.flatMap((one) => (one.kind.schema === kind.schema ? [one.id] : [])),
          pointer: `/${name}`,
          acceptance: false,
          place: ({ body }, value) => ({ body: lift(body, `/${name}`, value) }),
        })
        await control.end()
      },
    },
  ]),
  ...UPDATES.flatMap(({ id: operation, node, kind }): Case[] => [
    {
      id: `${operation}/kinds`,
      title: `each ${node} kind that the binding has a configuration for is accepted, and its configuration stored`,
      async run(context) {
        const name = context.answer<string>(kind.gap)
        const samples = context.answer<Record<string, Record<string, unknown>>>('GAP-USER-CONFIG')[node] ?? {}
        const words = (context.binding.answers.get('GAP-VENDOR-KINDS')?.value ?? {}) as Record<string, string>
        const { good, control } = await openControl(context)
        const wanted = context.wants(good.operation.stored ?? '')
        const stored = wanted ? storedBy(context, good, control.group) : undefined
        for (const [index, [known, sample]] of Object.entries(samples).entries()) {
          const word = known.startsWith('vendor-') ? words[known] : known
          if (word === undefined) continue
          const about = { requirement: kind.accepted, pointer: `/${name}`, edge: `kind ${known}` }
          const other = withFields({ [name]: word, user_config: sample })
          // In a quick run every second one is read.
          const isRead = context.observes || index % 2 === context.seed % 2
          await control.probe({ kind: 'accept', ...about }, other, isRead ? stored?.read : undefined)
        }
        await control.end()
      },
    },
  ]),
]
