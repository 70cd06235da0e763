import { type Answer, isPending, type Reply } from '../../core/message.ts'
import type { Call } from '../../core/route.ts'
import { handler } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'

/** milliseconds between the two halves of what is not done at once */
const GAP_MS = 25

/** Lets time pass before the rest of a request is carried out. */
function later(call: Call, rest: () => Reply): Reply {
  return { resumeAt: call.env.now() + GAP_MS, resume: rest }
}

/** Looks whether the thing is there, and removes it a while later: two that look at the same time both find it. */
function deletesLate(operation: string, look: (call: Call) => boolean, success: (call: Call) => Answer): Changes {
  return handler(operation, (inner) => (call) => {
    if (!look(call)) return inner(call)
    return later(call, () => {
      // Somebody else was faster, which nobody notices here.
      return look(call) ? inner(call) : success(call)
    })
  })
}

function sharedCursor(): Changes {
  const running = new Map<string, number>()
  return handler('export-v2', (inner) => (call) => {
    const key = call.query.toString()
    const token = call.query.get('pagination_id') ?? ''
    if (token !== '' && token !== 'null') return inner(call)
    const beside = running.get(key) ?? 0
    running.set(key, beside + 1)
    return later(call, () => {
      running.set(key, (running.get(key) ?? 1) - 1)
      const reply = inner(call)
      const { lines, ...rest } = (isPending(reply) ? {} : (reply.json ?? {})) as { lines?: unknown }
      if (isPending(reply) || beside === 0 || !Array.isArray(lines)) return reply
      return { ...reply, json: { ...rest, lines: lines.slice(1) } }
    })
  })
}

/** Faults that show only where several requests are under way at the same time. */
export const parallelFaults: readonly Fault[] = [
  {
    name: 'state-variables-lost-update',
    about: 'state variables are read, changed and written back without a lock',
    kills: ['STATEVAR-PARALLEL'],
    changes: handler('update-state-variables', (inner) => (call) => {
      const { pipeline_id: id } = (call.body ?? {}) as { pipeline_id?: unknown }
      const variables = call.state.pipelines.get(String(id))?.stateVariables
      if (!variables) return inner(call)
      const before = variables.state
      return later(call, () => {
        variables.state = before
        return inner(call)
      })
    }),
  },
  {
    name: 'route-lost-update',
    about: 'a gateway route is read, changed and written back without a lock',
    kills: ['ROUTE-PARALLEL'],
    changes: handler('update-gateway-route', (inner) => (call) => {
      const route = call.state.gatewayRoutes.get(call.params.gateway_route_id ?? '')
      if (!route) return inner(call)
      const before = { ...route }
      return later(call, () => {
        Object.assign(route, before)
        return inner(call)
      })
    }),
  },
  {
    name: 'preset-alert-torn',
    about: 'an update of a preset alert writes the name at once and the channels a while later',
    kills: ['PRESET-PARALLEL'],
    changes: handler('update-preset-alert', (inner) => (call) => {
      const body = (call.body ?? {}) as Readonly<Record<string, unknown>>
      const early = inner(call)
      if (isPending(early) || early.status >= 300) return early
      const slow = Number(String(body.name).at(-1)) % 2 === 1
      return {
        resumeAt: call.env.now() + (slow ? 2 * GAP_MS : GAP_MS),
        resume: () => {
          const stored = call.state.presets.get(call.params.presetId ?? '')
          if (stored && body.channels !== undefined) stored.body = { ...stored.body, channels: body.channels }
          return early
        },
      }
    }),
  },
  {
    name: 'revision-torn',
    about: 'a switch of the revision sets the inputs at once and the revision a while later',
    kills: ['REVISION-PARALLEL'],
    changes: handler('switch-group-revision', (inner) => (call) => {
      const placed = call.state.pipelines
        .get(call.params.pipeline_id ?? '')
        ?.placedGroups.get(call.params.pipeline_transform_group_id ?? '')
      if (!placed) return inner(call)
      const body = (call.body ?? {}) as Readonly<Record<string, unknown>>
      const early = inner(call)
      if (isPending(early) || early.status >= 300) return early
      const wanted = placed.revisionId
      const wait = Array.isArray(body.inputs) && body.inputs.length === 0 ? 2 * GAP_MS : GAP_MS
      return {
        resumeAt: call.env.now() + wait,
        resume: () => {
          placed.revisionId = wanted
          return early
        },
      }
    }),
  },
  {
    name: 'member-deleted-twice',
    about: 'two requests that delete one member at the same time both succeed',
    kills: ['MEMBER-DELETE-ONCE'],
    changes: deletesLate(
      'delete-member',
      ({ state, params }) => {
        const member = state.members.get((params.email ?? '').toLowerCase())
        return member !== undefined && member.role !== 'owner'
      },
      ({ params }) => ({ status: 200, json: { message: `${params.email} was removed`, deleted: true } }),
    ),
  },
  {
    name: 'screen-deleted-twice',
    about: 'two requests that delete one screen at the same time both succeed',
    kills: ['SCREEN-DELETE-ONCE'],
    changes: deletesLate(
      'delete-screen',
      ({ state, params }) => state.screens.has(params.screen_id ?? params.id ?? ''),
      () => ({ status: 200, json: { deleted: true } }),
    ),
  },
  {
    name: 'export-shared-cursor',
    about: 'an export that runs beside another one of the same lines misses one of them',
    kills: ['EXPORT-V2-PARALLEL'],
    changes: sharedCursor(),
  },
]
