import type { Case } from '../../case.ts'
import { lift } from '../../generate/body.ts'
import { fieldOf } from '../../generate/fields.ts'
import { createControl, openControl } from '../../request/control.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { probeField } from '../../request/probe-field.ts'
import { storedBy } from '../../request/read-back.ts'

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
    operation: kind.operation,
    features: ['pipelines'],
    requirements: [kind.unknown],
    cost: 20,
    async run(context) {
      const name = context.answer<string>(kind.gap)
      const good = await openGoodRequest(context, kind.operation)
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
    operation: kind.operation,
    features: ['pipelines'],
    requirements: [kind.accepted, kind.stored],
    cost: 30,
    async run(context) {
      const name = context.answer<string>(kind.gap)
      const samples = context.answer<Record<string, Record<string, unknown>>>('GAP-USER-CONFIG')[kind.node] ?? {}
      const words = (context.binding.answers.get('GAP-VENDOR-KINDS')?.value ?? {}) as Record<string, string>
      const { good, control } = await openControl(context, kind.operation)
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
