import { isRecord } from '../../../rules/core/request-rules.ts'
import { service } from '../../../schemas/service.ts'
import { type Case, type CaseContext, NotRun } from '../../case.ts'
import { fieldOf } from '../../generate/fields.ts'
import { lift } from '../../generate/values/body.ts'
import { createControl, isBroken, openControl } from '../../request/control.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { otherKinds } from '../../request/other-configs.ts'
import { probeField } from '../../request/probe-field.ts'
import { readBack, reader, storedBy, storedRequirement } from '../../request/read-back.ts'

type Change = Readonly<Record<string, unknown>>

/**
 * Sends a configuration, another one, and the first one again, each read back. The other one has a further field that
 * only this run can have made. A target may refuse it or leave it out; then it is the one of another kind.
 */
async function sendBetween(context: CaseContext, operation: string, type: string): Promise<void> {
  const { good, control } = await openControl(context, operation)
  await control.mustAccept()
  const { params, body } = await good.request()
  const usual = isRecord(body) ? body.user_config : undefined
  if (!isRecord(usual)) {
    throw new NotRun(
      'gap-unanswered',
      'the binding has no configuration to change (GAP-USER-CONFIG)',
      'GAP-USER-CONFIG',
    )
  }
  const about = { group: control.group, probe: 'leftovers' } as const
  /** Whether something was found. */
  const send = async (change: Change): Promise<boolean> => {
    const { view } = await control.probe({ kind: 'observe', probe: 'leftovers' }, (request) => ({
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

/** The operations on nodes that take a kind, each with its field. */
const NODES = service().operations.flatMap(({ id, resource, kind }) => (kind ? [{ id, node: resource, kind }] : []))
/** Those that have to take each kind: the updates. */
const UPDATES = NODES.flatMap((one) => {
  const { accepted } = one.kind
  return accepted === undefined ? [] : [{ ...one, kind: { ...one.kind, accepted } }]
})

export const leftoverCases: readonly Case[] = UPDATES.map(({ id, node }) => ({
  id: `${id}/leftovers`,
  title: `an update of a ${node} leaves nothing of the configuration that was there before`,
  run: (context) => sendBetween(context, id, node),
}))

export const kindCases: readonly Case[] = NODES.flatMap(({ id: operation, node, kind }): Case[] => [
  {
    id: `${operation}/unknown-kind`,
    title: `an unknown ${node} kind is refused`,
    async run(context) {
      const name = context.answer<string>(kind.gap)
      const good = await openGoodRequest(context)
      await probeField(context, createControl(context, good), fieldOf(kind.schema, ''), {
        operation,
        pointer: `/${name}`,
        acceptance: false,
        place: ({ body }, value) => ({ body: lift(body, `/${name}`, value) }),
      })
    },
  },
])

export const kindsCases: readonly Case[] = UPDATES.flatMap(({ id: operation, node, kind }): Case[] => [
  {
    id: `${operation}/kinds`,
    title: `each ${node} kind that the binding has a configuration for is accepted, and its configuration stored`,
    async run(context) {
      const name = context.answer<string>(kind.gap)
      const samples = context.answer<Record<string, Record<string, unknown>>>('GAP-USER-CONFIG')[node] ?? {}
      const words = (context.binding.answers.get('GAP-VENDOR-KINDS')?.value ?? {}) as Record<string, string>
      const { good, control } = await openControl(context)
      const stored = context.wants(storedRequirement(operation) ?? '')
        ? storedBy(context, good, control.group)
        : undefined
      await control.mustAccept()
      for (const [known, sample] of Object.entries(samples)) {
        const word = known.startsWith('vendor-') ? words[known] : known
        if (word === undefined) continue
        await control.probe(
          { kind: 'accept', requirement: kind.accepted, pointer: `/${name}`, edge: `kind ${known}` },
          ({ body }) => ({
            body: { ...(body as object), [name]: word, user_config: sample },
          }),
          stored?.read,
        )
      }
      await control.base()
    },
  },
])
