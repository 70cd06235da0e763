import { empty, ok } from '../core/message.ts'
import { invalid } from '../core/refusal.ts'
import { bodyOf, family, type Handler, type Route, things } from '../core/route.ts'
import type { Exclusion } from '../model/configuration.ts'
import { compileQuery, type LineTest } from './query.ts'

const create: Handler = (call) => {
  const body = bodyOf<Exclusion>(call)
  const exclusion: Exclusion = {
    id: call.env.newId(),
    title: body.title ?? '',
    apps: body.apps ?? [],
    hosts: body.hosts ?? [],
    query: body.query ?? '',
    active: body.active ?? false,
    indexonly: body.indexonly ?? true,
  }
  checkSelects(exclusion)
  call.state.exclusions.set(exclusion.id, exclusion)
  return ok(exclusion)
}

const exclusions = things(
  (state) => state.exclusions,
  'exclusion_id',
  (id) => `there is no exclusion rule ${id}`,
)

/** Changes what is sent, leaves the rest. */
const patch: Handler = (call) => {
  const exclusion = exclusions.one(call)
  const { title, apps, hosts, query, active, indexonly } = { ...exclusion, ...bodyOf<Exclusion>(call) }
  const changed: Exclusion = { id: exclusion.id, title, apps, hosts, query, active, indexonly }
  checkSelects(changed)
  Object.assign(exclusion, changed)
  return ok(exclusion)
}

/** Rule 12. */
const remove: Handler = (call) => {
  const exclusion = exclusions.one(call)
  call.state.exclusions.delete(exclusion.id)
  return empty(204)
}

/** Tells which new lines the rules drop: those that all the selectors of one active rule match (rule 12). */
export function excludes(exclusions: readonly Exclusion[]): LineTest {
  const rules = exclusions
    .filter(({ active }) => active)
    .map(({ apps, hosts, query }): LineTest => {
      const matches = compileQuery(query) ?? (() => false)
      return (line) =>
        (apps.length === 0 || apps.includes(line.app)) &&
        (hosts.length === 0 || hosts.includes(line.host)) &&
        matches(line)
    })
  return (line) => rules.some((drops) => drops(line))
}

/** A rule that selects by nothing would drop every line. */
function checkSelects({ apps, hosts, query }: Exclusion): void {
  if (apps.length === 0 && hosts.length === 0 && query === '') {
    throw invalid('', 'must name at least one of apps, hosts and query')
  }
  if (!compileQuery(query)) throw invalid('/query', 'cannot be understood')
}

const v1 = family('v1', 'bare')
const all = '/v1/config/ingestion/exclusions'
const one = `${all}/{exclusion_id}`

export const exclusionRoutes: readonly Route[] = [
  v1('create-exclusion', 'POST', all, create, 'exclusion-body'),
  v1('list-exclusions', 'GET', all, exclusions.list),
  v1('get-exclusion', 'GET', one, exclusions.get),
  v1('update-exclusion', 'PATCH', one, patch, 'exclusion-body'),
  v1('delete-exclusion', 'DELETE', one, remove),
]
