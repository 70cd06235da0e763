import { type CaseIntent, probes } from '../../../schemas/records/intents.ts'
import { type Case, type CaseContext, NotRun, notOffered, type Sent } from '../../case.ts'
import { createControl } from '../../request/control.ts'
import { exportOnce, exportUntil, recent } from '../../request/exports.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { openFeed } from '../../request/lines.ts'
import type { ReadyRequest } from '../../request/other-requests.ts'
import { reader, settle } from '../../request/read-back.ts'

/** Rounds of writes at the same time, by values drawn: each shows little, many show more. */
const RUNS_PER_ROUND = 30

/** Bodies that differ, made of one good body. */
type Writers = (body: Readonly<Record<string, unknown>>, round: number) => readonly unknown[]

/** Sends writes of one resource at the same time and reads what is left, again and again. */
async function writeTogether(
  context: CaseContext,
  operation: string,
  reads: string | undefined,
  writers: (request: ReadyRequest) => Promise<Writers>,
): Promise<void> {
  if (reads === undefined || context.binding.operations.get(reads)?.offered !== true) {
    const none = new NotRun('gap-unanswered', `the binding has no ${reads ?? 'operation'} to read with`)
    throw notOffered(context.binding.operations.get(reads ?? ''), none)
  }
  const good = await openGoodRequest(context, operation)
  await createControl(context, good).mustAccept()
  const request = await good.request()
  const bodiesOf = await writers(request)
  for (let round = 0; round < Math.max(2, Math.ceil(context.runs / RUNS_PER_ROUND)); round += 1) {
    const group = context.group()
    // Rules that follow one write after the other cannot know which came last.
    const intent: CaseIntent = { kind: 'observe', probe: probes.parallel, group }
    const { params, query, body } = request
    const bodies = bodiesOf((body ?? {}) as Record<string, unknown>, round)
    await Promise.all(bodies.map((one) => context.send({ operation, params, query, body: one, intent })))
    await settle(
      context,
      (final) =>
        context.send({ operation: reads, params, intent: { kind: 'read', probe: probes.parallel, group, final } }),
      ({ view, judgements }) => view.accepted && !judgements.some(({ outcome }) => outcome === 'inconclusive'),
    )
  }
}

/** Deletes one thing several times at the same time. */
async function deleteTogether(context: CaseContext, operation: string): Promise<void> {
  const good = await openGoodRequest(context, operation)
  for (let round = 0; round < Math.max(2, Math.ceil(context.runs / RUNS_PER_ROUND)); round += 1) {
    const group = context.group()
    const { params } = await good.request()
    const send = (): Promise<Sent> =>
      context.send({ operation, params, intent: { kind: 'observe', probe: probes.parallel, group } })
    const sent = await Promise.all([send(), send(), send()])
    for (const one of sent) good.learn(one)
  }
}

export const parallelCases: readonly Case[] = [
  {
    id: 'update-state-variables/parallel',
    title: 'what several clients write into state variables at the same time is what some order of them leaves',
    operation: 'update-state-variables',
    run: (context) =>
      writeTogether(context, 'update-state-variables', 'get-state-variables', async () => (body, round) => {
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
    operation: 'update-gateway-route',
    run: (context) =>
      writeTogether(
        context,
        'update-gateway-route',
        reader(context, 'gateway-route', 'read'),
        // No two name the same field: whichever comes last, all of them are left.
        async () => (_body, round) => [
          { title: context.label() },
          { description: context.label() },
          { legacy_routing: round % 2 === 0 },
        ],
      ),
  },
  {
    id: 'update-preset-alert/parallel',
    title: 'what several clients make of a preset alert at the same time is what one of them sent',
    operation: 'update-preset-alert',
    run: (context) =>
      writeTogether(
        context,
        'update-preset-alert',
        reader(context, 'preset-alert', 'read'),
        async () => (body) =>
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
  {
    id: 'switch-group-revision/parallel',
    title: 'a placed group that several clients move at the same time is where one of them moved it',
    operation: 'switch-group-revision',
    run: (context) =>
      writeTogether(context, 'switch-group-revision', reader(context, 'placed-group', 'read'), async ({ params }) => {
        const { transform_group_revision_id: first, ...parents } = params
        const second = await context.make('group-revision', parents)
        return (body) => [
          body,
          { ...body, transform_group_revision_id: second.id, inputs: [] },
          { ...body, transform_group_revision_id: first ?? body.transform_group_revision_id },
        ]
      }),
  },
  {
    id: 'delete-member/parallel',
    title: 'a member that several clients remove at the same time is removed once',
    operation: 'delete-member',
    run: (context) => deleteTogether(context, 'delete-member'),
  },
  {
    id: 'delete-screen/parallel',
    title: 'a screen that several clients delete at the same time is deleted once',
    operation: 'delete-screen',
    run: (context) => deleteTogether(context, 'delete-screen'),
  },
  {
    id: 'export-v2/parallel',
    title: 'exports of the same lines at the same time agree',
    operation: 'export-v2',
    async run(context) {
      const feed = openFeed(context)
      const app = feed.app()
      const lines = 60
      const start = Date.now() - lines * 1000
      await feed.send(Array.from({ length: lines }, (_, index) => ({ app, time: start + index * 1000 })))
      const wanted = { ...recent(), hosts: [feed.host] }
      await exportUntil(context, 'export-v2', wanted, lines)
      const group = context.group()
      const intent: CaseIntent = { kind: 'read', probe: probes.parallel, group, final: true }
      await Promise.all([1, 2, 3, 4].map(() => exportOnce(context, 'export-v2', wanted, intent)))
    },
  },
]
