import fc from 'fast-check'
import { type ExchangeView, toldAs } from '../../../rules/core/view.ts'
import { at } from '../../../schemas/pointer.ts'
import type { CaseIntent } from '../../../schemas/types/intents.ts'
import { type Case, type CaseContext, NotRun } from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { openControl, withFields } from '../../request/control.ts'
import { type GoodRequest, openGoodRequest } from '../../request/good-request.ts'
import { otherId } from '../../request/unknown-id.ts'

/** How an answer says that an event of the tap names its edge, and at which place. */
const IN_EVENT = 'event:'

/**
 * Makes a transform beside what the tap needs. Tells edges of a binding that start or end there, or that the first event of
 * the tap names; undefined: it names none.
 */
async function edgesOf(
  context: CaseContext,
  good: GoodRequest,
): Promise<(edge: string, tap?: ExchangeView) => string | undefined> {
  const { params: known } = await good.request()
  const { params } = await context.make('transform', known)
  return (edge, tap) => {
    if (!edge.startsWith(IN_EVENT)) return String(context.fill(edge, params))
    const named = tap && at(toldAs(tap, 'events'), `/0${edge.slice(IN_EVENT.length)}`)
    return typeof named === 'string' ? named : undefined
  }
}

export const tapCases: readonly Case[] = [
  {
    id: 'start-tap/at-most',
    title: 'a tap returns at most as many events as were asked for',
    async run(context) {
      const { control } = await openControl(context)
      const count = Math.ceil(context.runs / 8)
      const drawn = draw(fc.integer({ min: 1, max: 100 }), subSeed(context.seed, 'limit'), count)
      for (const limit of [1, 2, 3, 10, 99, 100, ...drawn])
        await control.probe({ kind: 'base' }, withFields({ limit, timeout: 2 }))
    },
  },
  {
    id: 'start-tap/without-edge',
    title: 'a tap needs no edge',
    async run(context) {
      const edges = context.answer<{ busy?: string }>('GAP-TAP-EDGE')
      const good = await openGoodRequest(context)
      const edge = await edgesOf(context, good)
      const about = { requirement: 'TAP-EDGE-OPTIONAL', group: context.group() }
      const send = async (more: object, intent: CaseIntent): Promise<ExchangeView> => {
        const request = await good.request()
        return (await context.send({ ...request, ...withFields(more)(request), intent })).view
      }
      const stated: CaseIntent = { kind: 'base', ...about, edge: 'without an edge', data: { form: true } }
      const edge_id = edges.busy && edge(edges.busy)
      if ((await send({}, stated)).accepted || edge_id === undefined) return
      await send({ edge_id }, { kind: 'observe', ...about, probe: 'other-form', edge: 'with an edge' })
      await send({}, stated)
    },
  },
  {
    id: 'start-tap/filtered',
    title: 'a filter restricts which events a tap returns',
    async run(context) {
      const filters = context.answer<{ matching: unknown; other: unknown }>('GAP-TAP-FILTER')
      const { control } = await openControl(context)
      await control.probe({ kind: 'base' }, withFields({ limit: 5, timeout: 2, filter: filters.matching }))
      const none = withFields({ limit: 5, timeout: 1, filter: filters.other })
      await control.probe({ kind: 'read', probe: 'tap-filter-none' }, none)
    },
  },
  {
    id: 'start-tap/one-edge',
    title: 'an edge restricts a tap to the events that pass it',
    async run(context) {
      const edges = context.answer<{ busy?: string; idle: string }>('GAP-TAP-EDGE')
      const { good, control, first: tap } = await openControl(context)
      const edge = await edgesOf(context, good)
      const busy = edges.busy && edge(edges.busy, tap)
      if (busy) await control.probe({ kind: 'base' }, withFields({ limit: 5, timeout: 2, edge_id: busy }))
      else if (edges.busy) throw new NotRun('inconclusive', `the first event of the tap has no edge at ${edges.busy}`)
      const filter = (context.binding.answers.get('GAP-TAP-FILTER')?.value as { matching?: unknown } | undefined)
        ?.matching
      for (const more of filter === undefined ? [{}] : [{}, { filter }]) {
        const idle = withFields({ limit: 5, timeout: 1, edge_id: edge(edges.idle), ...more })
        await control.probe({ kind: 'read', probe: 'tap-edge-idle' }, idle)
      }
    },
  },
  {
    id: 'start-tap/unknown-component',
    title: 'a tap of a component that is not there returns no events',
    async run(context) {
      const { good, control } = await openControl(context)
      const { params } = await good.request()
      const [id = '', ...output] = (params.component_id ?? '').split('.')
      const unknown = [otherId(id), ...output].join('.')
      if (unknown === params.component_id) return
      await control.probe({ kind: 'read', probe: 'tap-component-unknown' }, (request) => ({
        ...withFields({ limit: 1, timeout: 1 })(request),
        params: { ...params, component_id: unknown },
      }))
    },
  },
]
