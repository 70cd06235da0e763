import { invalid } from '../core/refusal.ts'
import { family, type Route } from '../core/route.ts'
import { documentHandlers } from './documents.ts'

const FILTERS = ['query', 'hosts', 'apps', 'levels', 'tags'] as const

const views = documentHandlers({
  word: 'view',
  placeholder: 'view_id',
  idField: 'viewid',
  of: (state) => state.views,
  check: (body) => {
    const filters = FILTERS.map((name) => body[name]) as (string | readonly string[] | undefined)[]
    if (filters.every((filter) => filter === undefined || filter.length === 0)) {
      throw invalid('', `must have at least one of ${FILTERS.join(', ')}`)
    }
  },
})

const v1 = family('v1', 'v1')
const one = '/v1/config/view/{view_id}'

export const viewRoutes: readonly Route[] = [
  v1('create-view', 'POST', '/v1/config/view', views.create, 'view-body'),
  v1('list-views', 'GET', '/v1/config/view', views.list),
  v1('get-view', 'GET', one, views.get),
  v1('update-view', 'PUT', one, views.update, 'view-body'),
  v1('delete-view', 'DELETE', one, views.remove),
]
