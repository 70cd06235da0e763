import { invalid } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route } from '../core/route.ts'
import type { GatewayRoute } from '../model/pipelines.ts'
import { found, textOf } from './lookup.ts'
import { gatewayRouteRecord, wrapped, wrappedList } from './views.ts'

const create: Handler = (call) => {
  const now = call.env.now()
  const route: GatewayRoute = {
    id: call.env.newId(),
    ...written(call),
    signingKeys: [],
    accessKeys: [],
    createdAt: now,
    updatedAt: now,
  }
  call.state.gatewayRoutes.set(route.id, route)
  return answer(route)
}

const get: Handler = (call) => answer(routeOf(call))

const list: Handler = (call) =>
  wrappedList('gateway-route', [...call.state.gatewayRoutes.values()].map(gatewayRouteRecord))

/** Rule 7: changes what is sent, leaves the rest. */
const patch: Handler = (call) => {
  const route = routeOf(call)
  const body = bodyOf(call)
  if (body.title !== undefined) route.title = textOf(body.title)
  if (body.description !== undefined) route.description = textOf(body.description)
  if (body.legacy_routing !== undefined) route.legacyRouting = body.legacy_routing === true
  return changed(call, route)
}

const replace: Handler = (call) => {
  const route = routeOf(call)
  Object.assign(route, written(call))
  return changed(call, route)
}

const remove: Handler = (call) => {
  const route = routeOf(call)
  call.state.gatewayRoutes.delete(route.id)
  return wrapped('gateway-route', { id: route.id, deleted: true })
}

/** Rule 8: adds to the keys that are there. */
const addSigningKey: Handler = (call) => {
  const route = routeOf(call)
  const { key } = bodyOf(call)
  if (typeof key !== 'string') throw invalid('/key', 'must be there')
  route.signingKeys.push({ id: call.env.newId(), key, createdAt: call.env.now() })
  return changed(call, route)
}

/** The new key is shown in this answer only. */
const createAccessKey: Handler = (call) => {
  const route = routeOf(call)
  const made = { id: call.env.newId(), key: call.env.newId(), createdAt: call.env.now() }
  route.accessKeys.push(made)
  return wrapped('access-key', { id: made.id, key: made.key, gateway_route_id: route.id })
}

function routeOf(call: Call): GatewayRoute {
  return found(call.state.gatewayRoutes, param(call, 'gateway_route_id'), 'gateway route')
}

function written(call: Call): Pick<GatewayRoute, 'title' | 'description' | 'legacyRouting'> {
  const body = bodyOf(call)
  return {
    title: textOf(body.title),
    description: textOf(body.description),
    legacyRouting: body.legacy_routing === true,
  }
}

function changed(call: Call, route: GatewayRoute): ReturnType<Handler> {
  route.updatedAt = call.env.now()
  return answer(route)
}

function answer(route: GatewayRoute): ReturnType<Handler> {
  return wrapped('gateway-route', gatewayRouteRecord(route))
}

const v3 = family('v3', 'v3')
const one = '/v3/pipeline/gateway-route/{gateway_route_id}'

export const gatewayRouteRoutes: readonly Route[] = [
  v3('create-gateway-route', 'POST', '/v3/pipeline/gateway-route', create, 'gateway-route-patch'),
  v3('list-gateway-routes', 'GET', '/v3/pipeline/gateway-route', list),
  v3('get-gateway-route', 'GET', one, get),
  v3('update-gateway-route', 'PATCH', one, patch, 'gateway-route-patch'),
  v3('replace-gateway-route', 'PUT', one, replace, 'gateway-route-patch'),
  v3('delete-gateway-route', 'DELETE', one, remove),
  v3('add-signing-key', 'PUT', `${one}/signing-key`, addSigningKey, 'signing-key'),
  v3('create-access-key', 'POST', `${one}/access-key`, createAccessKey),
]
