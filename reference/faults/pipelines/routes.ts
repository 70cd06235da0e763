import { bodyOf } from '../../core/route.ts'
import type { GatewayRoute } from '../../model/pipelines.ts'
import type { State } from '../../model/state.ts'
import { afterwards, askedBody, notApplied } from '../core/changes.ts'
import type { Fault } from '../core/fault.ts'

/** Something that is wrong with a gateway route once it was updated. */
function spoiltRoute(
  spoil: (route: GatewayRoute, before: GatewayRoute, sent: Readonly<Record<string, unknown>>) => void,
): Fault['changes'] {
  const find = (state: State, id: string | undefined): GatewayRoute | undefined => state.gatewayRoutes.get(id ?? '')
  return afterwards(
    'update-gateway-route',
    ({ state, params }) => ({ ...find(state, params.gateway_route_id) }) as GatewayRoute,
    (call, before) => {
      const route = find(call.state, call.params.gateway_route_id)
      if (route) spoil(route, before, bodyOf(call))
    },
  )
}

/** Faults in what patches of gateway routes change and leave. */
export const routeFaults: readonly Fault[] = [
  {
    name: 'route-patch-drops-keys',
    about: 'a partial update of a gateway route drops its signing keys',
    kills: ['ROUTE-PATCH-PARTIAL'],
    changes: spoiltRoute((route) => {
      route.signingKeys.length = 0
    }),
  },
  {
    name: 'route-patch-not-applied',
    about: 'a partial update of a gateway route changes nothing',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: notApplied('update-gateway-route'),
  },
  {
    name: 'route-legacy-kept',
    about: 'legacy routing of a gateway route cannot be changed',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: askedBody('update-gateway-route', ({ legacy_routing: _, ...sent }) => sent),
  },
  {
    name: 'route-legacy-never-off',
    about: 'legacy routing of a gateway route cannot be turned off',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: spoiltRoute((route, before) => {
      route.legacyRouting ||= before.legacyRouting
    }),
  },
  {
    name: 'route-legacy-reset',
    about: 'a partial update of a gateway route that does not name legacy routing turns it off',
    kills: ['ROUTE-PATCH-PARTIAL'],
    changes: askedBody('update-gateway-route', (sent) => ({ legacy_routing: false, ...sent })),
  },
  {
    name: 'route-description-reset',
    about: 'a new title of a gateway route unsets its description',
    kills: ['ROUTE-PATCH-PARTIAL'],
    changes: askedBody('update-gateway-route', (sent) =>
      sent.title === undefined || sent.description !== undefined ? sent : { ...sent, description: null },
    ),
  },
  {
    name: 'route-rest-hidden',
    about: 'a gateway route is read without the description that a partial update did not send',
    kills: ['ROUTE-PATCH-PARTIAL'],
    changes: spoiltRoute((route, _, { description }) => {
      if (description === undefined) Reflect.deleteProperty(route, 'description')
    }),
  },
  {
    name: 'route-title-hidden',
    about: 'a gateway route is read without its title once a partial update has sent one',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: spoiltRoute((route, _, { title }) => {
      if (title !== undefined) Reflect.deleteProperty(route, 'title')
    }),
  },
  {
    name: 'route-one-field',
    about: 'a partial update of a gateway route takes the first field only',
    kills: ['ROUTE-PATCH-APPLIES'],
    changes: askedBody('update-gateway-route', (sent) => Object.fromEntries(Object.entries(sent).slice(0, 1))),
  },
]
