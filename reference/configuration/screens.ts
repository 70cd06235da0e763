import { isPending, ok } from '../core/message.ts'
import { family, type Handler, type Route } from '../core/route.ts'
import { documentHandlers } from './documents.ts'

const screens = documentHandlers({
  word: 'screen',
  placeholder: 'screen_id',
  idField: 'id',
  of: (state) => state.screens,
})

/** Rule 13. The result of this operation has one field. */
const remove: Handler = (call) => {
  const reply = screens.remove(call)
  return isPending(reply) ? reply : ok({ deleted: true })
}

const v1 = family('v1', 'v1')
const one = '/v1/config/screen/{screen_id}'

export const screenRoutes: readonly Route[] = [
  v1('create-screen', 'POST', '/v1/config/screen', screens.create, 'titled-body'),
  v1('list-screens', 'GET', '/v1/config/screen', screens.list),
  v1('get-screen', 'GET', one, screens.get),
  v1('update-screen', 'PUT', one, screens.update, 'titled-body'),
  v1('delete-screen', 'DELETE', one, remove),
]
