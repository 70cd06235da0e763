import type { CaseIntent } from '../../../schemas/types/intents.ts'
import type { Case, CaseContext } from '../../case.ts'
import { openControl } from '../../request/control.ts'
import { isUndecided, requireReader, settle } from '../../request/read-back.ts'

/** Rounds of writes at the same time, by values drawn: each shows little, many show more. */
const RUNS_PER_ROUND = 30

/** Bodies that differ, made of one good body. */
type Writers = (body: Readonly<Record<string, unknown>>, round: number) => readonly unknown[]

/** Sends writes of one resource at the same time and reads what is left, again and again. */
async function writeTogether(
  context: CaseContext,
  operation: string,
  reads: string | undefined,
  bodiesOf: Writers,
): Promise<void> {
  const reader = requireReader(context, reads, 'read')
  const { good } = await openControl(context, operation)
  const request = await good.request()
  for (let round = 0; round < Math.max(2, Math.ceil(context.runs / RUNS_PER_ROUND)); round += 1) {
    const group = context.group()
    // Rules that follow one write after the other cannot know which came last.
    const intent: CaseIntent = { kind: 'observe', probe: 'parallel', group }
    const { params, query, body } = request
    const bodies = bodiesOf((body ?? {}) as Record<string, unknown>, round)
    await Promise.all(bodies.map((one) => context.send({ operation, params, query, body: one, intent })))
    await settle(
      context,
      (final) => context.send({ operation: reader, params, intent: { kind: 'read', probe: 'parallel', group, final } }),
      (sent) => sent.view.accepted && !isUndecided(sent),
    )
  }
}

export const parallelCases: readonly Case[] = [
  {
    id: 'update-state-variables/parallel',
    title: 'what several clients write into state variables at the same time is what some order of them leaves',
    run: (context) =>
      writeTogether(context, 'update-state-variables', 'get-state-variables', (body, round) => {
        const names = [['assay_a', 'assay_b'], ['assay_b', 'assay_c'], ['assay_c', 'assay_a'], ['assay_d']]
        return names.map((own, writer) => ({
          ...body,
          state: Object.fromEntries(own.map((name) => [name, `${round}-${writer}`])),
        }))
      }),
  },
  {
    id: 'update-gateway-route/parallel',
    title: 'fields of a gateway route that several clients patch at the same time are all changed',
    run: (context) =>
      writeTogether(
        context,
        'update-gateway-route',
        context.binding.resources.get('gateway-route')?.read,
        // No two name the same field: whichever comes last, all of them are left.
        (_body, round) => [
          { title: context.label() },
          { description: context.label() },
          { legacy_routing: round % 2 === 0 },
        ],
      ),
  },
  {
    id: 'update-preset-alert/parallel',
    title: 'what several clients make of a preset alert at the same time is what one of them sent',
    run: (context) =>
      writeTogether(context, 'update-preset-alert', context.binding.resources.get('preset-alert')?.read, (body) =>
        [1, 2, 3].map(() => {
          const label = context.label()
          const channels = (Array.isArray(body.channels) ? body.channels : []) as readonly object[]
          return {
            ...body,
            name: label,
            channels: channels.map((one) => ({ ...one, emails: [context.email(label)] })),
          }
        }),
      ),
  },
]
