import { family, type Route } from '../core/route.ts'
import { documentHandlers } from './documents.ts'

const boards = documentHandlers({
  word: 'board',
  placeholder: 'board_id',
  idField: 'id',
  of: (state) => state.boards,
})

const v1 = family('v1', 'v1')
const one = '/v1/config/board/{board_id}'

export const boardRoutes: readonly Route[] = [
  v1('create-board', 'POST', '/v1/config/board', boards.create, 'titled-body'),
  v1('list-boards', 'GET', '/v1/config/board', boards.list),
  v1('get-board', 'GET', one, boards.get),
  v1('update-board', 'PUT', one, boards.update, 'titled-body'),
  v1('delete-board', 'DELETE', one, boards.remove),
]
