import { isRecord } from '../../../rules/core/request-rules.ts'
import { probes } from '../../../schemas/records/intents.ts'
import { type Case, type CaseContext, NotRun } from '../../case.ts'
import { fieldOf } from '../../generate/fields.ts'
import { lift } from '../../generate/values/body.ts'
import { createControl, isBroken, openControl } from '../../request/control.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { otherKinds } from '../../request/other-configs.ts'
import { probeField } from '../../request/probe-field.ts'
import { readBack, reader, storedBy } from '../../request/read-back.ts'

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
  const about = { group: control.group, probe: probes.leftovers }
  /** Whether something was found. */
  const send = async (change: Change): Promise<boolean> => {
    const { view } = await control.probe({ kind: 'observe', probe: probes.leftovers }, (request) => ({
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
    run: (context) => sendBetween(context, 'update-transform', 'transform'),
  },
  {
    id: 'update-source/leftovers',
    title: 'an update of a source leaves nothing of the configuration that was there before',
    run: (context) => sendBetween(context, 'update-source', 'source'),
  },
]

interface Kind {
  readonly operation: string
  readonly node: 'transform' | 'source'
  readonly schema: string
  readonly gap: string
  readonly unknown: string
  readonly accepted: string
  readonly stored: string
}

const KINDS: readonly Kind[] = [
  {
    operation: 'update-transform',
    node: 'transform',
    schema: 'node#transform_kind',
    gap: 'GAP-TRANSFORM-KIND-FIELD',
    unknown: 'NODE-TRANSFORM-KIND',
    accepted: 'NODE-TRANSFORM-KIND-ACCEPTED',
    stored: 'TRANSFORM-UPDATE-REPLACES',
  },
  {
    operation: 'update-source',
    node: 'source',
    schema: 'node#source_kind',
    gap: 'GAP-SOURCE-KIND-FIELD',
    unknown: 'NODE-SOURCE-KIND',
    accepted: 'NODE-SOURCE-KIND-ACCEPTED',
    stored: 'SOURCE-UPDATE-REPLACES',
  },
]

export const kindCases: readonly Case[] = KINDS.flatMap((kind): Case[] => [
  {
    id: `${kind.operation}/unknown-kind`,
    title: `an unknown ${kind.node} kind is refused`,
    async run(context) {
      const name = context.answer<string>(kind.gap)
      const good = await openGoodRequest(context)
      await probeField(context, createControl(context, good), fieldOf(kind.schema, ''), {
        operation: kind.operation,
        pointer: `/${name}`,
        acceptance: false,
        place: ({ body }, value) => ({ body: lift(body, `/${name}`, value) }),
      })
    },
  },
  {
    id: `${kind.operation}/kinds`,
    title: `each ${kind.node} kind that the binding has a configuration for is accepted, and its configuration stored`,
    async run(context) {
      const name = context.answer<string>(kind.gap)
      const samples = context.answer<Record<string, Record<string, unknown>>>('GAP-USER-CONFIG')[kind.node] ?? {}
      const words = (context.binding.answers.get('GAP-VENDOR-KINDS')?.value ?? {}) as Record<string, string>
      const { good, control } = await openControl(context)
      const stored = context.wants(kind.stored) ? storedBy(context, good, control.group) : undefined
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
