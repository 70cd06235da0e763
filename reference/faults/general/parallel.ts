import { isPending, type Reply } from '../../core/message.ts'
import type { Call } from '../../core/route.ts'
import { handler } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** milliseconds between the two halves of what is not done at once */
const GAP_MS = 25

/** Lets time pass before the rest of a request is carried out. */
function later(call: Call, rest: () => Reply): Reply {
  return { resumeAt: call.env.now() + GAP_MS, resume: rest }
}

/** Faults that show only where several requests are under way at the same time. */
export const parallelFaults: readonly Fault[] = [
  {
    name: 'state-variables-lost-update',
    about: 'state variables are read, changed and written back without a lock',
    kills: ['CHANGES-OVERLAP'],
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
    kills: ['CHANGES-OVERLAP'],
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
    kills: ['CHANGES-OVERLAP'],
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
]
