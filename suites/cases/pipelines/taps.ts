import fc from 'fast-check'
import { type ExchangeView, jsonOf } from '../../../rules/core/view.ts'
import { at } from '../../../schemas/pointer.ts'
import type { CaseIntent } from '../../../schemas/types/intents.ts'
import type { Case, CaseContext } from '../../case.ts'
import { draw, subSeed } from '../../generate/drawing.ts'
import { openControl } from '../../request/control.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { otherId } from '../../request/unknown-id.ts'

/** How an answer says that an event of the tap names its edge, and at which place. */
const IN_EVENT = 'event:'

/** An edge that the events of a tapped source pass: of a template, or as the first event of a tap names it. */
function edgeOf(
  context: CaseContext,
  template: string,
  params: Readonly<Record<string, string>>,
  tap: ExchangeView,
): string {
  if (!template.startsWith(IN_EVENT)) return String(context.fill(template, params))
  const place = `${tap.operation?.answer.events ?? ''}/0${template.slice(IN_EVENT.length)}`
  return String(at(jsonOf(tap.response), place))
}

export const tapCases: readonly Case[] = [
  {
    id: 'start-tap/at-most',
    title: 'a tap returns at most as many events as were asked for',
    async run(context) {
      const { control } = await openControl(context)
      await control.mustAccept()
      const limits = [
        1,
        2,
        3,
        10,
        99,
        100,
        ...draw(fc.integer({ min: 1, max: 100 }), subSeed(context.seed, 'limit'), Math.ceil(context.runs / 8)),
      ]
      for (const limit of limits) {
        await control.probe({ kind: 'base' }, ({ body }) => ({ body: { ...(body as object), limit, timeout: 2 } }))
      }
    },
  },
  {
    id: 'start-tap/without-edge',
    title: 'a tap needs no edge',
    async run(context) {
      const edges = context.answer<{ busy: string }>('GAP-TAP-EDGE')
      const good = await openGoodRequest(context)
      const { params: known } = await good.request()
      const { params } = await context.make('transform', known)
      const group = context.group()
      const about = { requirement: 'TAP-EDGE-OPTIONAL', group }
      const send = async (more: object, intent: CaseIntent): Promise<ExchangeView> => {
        const request = await good.request()
        const sent = await context.send({ ...request, body: { ...(request.body as object), ...more }, intent })
        return sent.view
      }
      const stated: CaseIntent = { kind: 'base', ...about, edge: 'without an edge', data: { form: true } }
      const tap = await send({}, stated)
      if (tap.accepted) return
      const edge_id = edgeOf(context, edges.busy, params, tap)
      await send({ edge_id }, { kind: 'observe', ...about, probe: 'other-form', edge: 'with an edge' })
      await send({}, stated)
    },
  },
  {
    id: 'start-tap/gives-up',
    title: 'a tap that does not find its events gives up after its timeout',
    async run(context) {
      const filters = context.answer<{ other: unknown }>('GAP-TAP-FILTER')
      const { control } = await openControl(context)
      await control.mustAccept()
      await control.probe({ kind: 'base' }, ({ body }) => ({
        body: { ...(body as object), limit: 1, timeout: 1, filter: filters.other },
      }))
    },
  },
  {
    id: 'start-tap/filtered',
    title: 'a filter restricts which events a tap returns',
    async run(context) {
      const filters = context.answer<{ matching: unknown; other: unknown }>('GAP-TAP-FILTER')
      const { control } = await openControl(context)
      await control.mustAccept()
      await control.probe({ kind: 'base' }, ({ body }) => ({
        body: { ...(body as object), limit: 5, timeout: 2, filter: filters.matching },
      }))
      await control.probe({ kind: 'read', probe: 'tap-filter-none' }, ({ body }) => ({
        body: { ...(body as object), limit: 5, timeout: 1, filter: filters.other },
      }))
    },
  },
  {
    id: 'start-tap/one-edge',
    title: 'an edge restricts a tap to the events that pass it',
    async run(context) {
      const edges = context.answer<{ busy: string; idle: string }>('GAP-TAP-EDGE')
      const { good, control } = await openControl(context)
      const { view: tap } = await control.mustAccept()
      const { params: known } = await good.request()
      const { params } = await context.make('transform', known)
      const edge = (template: string): string => edgeOf(context, template, params, tap)
      await control.probe({ kind: 'base' }, ({ body }) => ({
        body: { ...(body as object), limit: 5, timeout: 2, edge_id: edge(edges.busy) },
      }))
      await control.probe({ kind: 'read', probe: 'tap-edge-idle' }, ({ body }) => ({
        body: { ...(body as object), limit: 5, timeout: 1, edge_id: edge(edges.idle) },
      }))
    },
  },
  {
    id: 'start-tap/unknown-component',
    title: 'a tap of a component that is not there returns no events',
    async run(context) {
      const { good, control } = await openControl(context)
      await control.mustAccept()
      const { params } = await good.request()
      const [id = '', ...output] = (params.component_id ?? '').split('.')
      const unknown = [otherId(id), ...output].join('.')
      if (unknown === params.component_id) return
      await control.probe({ kind: 'read', probe: 'tap-component-unknown' }, ({ body }) => ({
        params: { ...params, component_id: unknown },
        body: { ...(body as object), limit: 1, timeout: 1 },
      }))
    },
  },
]
