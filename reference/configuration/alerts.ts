import { invalid } from '../core/refusal.ts'
import { family, type Route } from '../core/route.ts'
import { documentHandlers } from './documents.ts'

/** An alert is a preset alert's body that belongs to one view. */
const alerts = documentHandlers({
  word: 'alert',
  placeholder: 'alert_id',
  idField: 'alertid',
  of: (state) => state.alerts,
  check: ({ viewid }, { state }) => {
    if (!state.views.has(String(viewid))) throw invalid('/viewid', 'names no view')
  },
})

const v1 = family('v1', 'v1')
const one = '/v1/config/alert/{alert_id}'

export const alertRoutes: readonly Route[] = [
  v1('create-alert', 'POST', '/v1/config/alert', alerts.create, 'preset-alert'),
  v1('list-alerts', 'GET', '/v1/config/alert', alerts.list),
  v1('get-alert', 'GET', one, alerts.get),
  v1('update-alert', 'PUT', one, alerts.update, 'preset-alert'),
  v1('delete-alert', 'DELETE', one, alerts.remove),
]
