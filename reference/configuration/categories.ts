import { Refusal } from '../core/refusal.ts'
import { family, type Route } from '../core/route.ts'
import type { CategoryOf, State } from '../model/state.ts'
import { documentHandlers } from './documents.ts'

const v1 = family('v1', 'v1')

/** The operations on the categories of one kind of thing; a name stands for one category of its kind. */
function routesOf(kind: CategoryOf, suffix: string): Route[] {
  const of = (state: State): State['views'] => state.categories[kind]
  const categories = documentHandlers({
    word: 'category',
    placeholder: 'category_id',
    idField: 'id',
    of,
    check: ({ name }, { state }, self) => {
      const taken = [...of(state).values()].some((one) => one !== self && one.body.name === name)
      if (taken) throw new Refusal('Conflict', `there is a category ${String(name)} already`)
    },
  })
  const all = `/v1/config/categories/${kind}`
  const one = `${all}/{category_id}`
  return [
    v1(`create-category${suffix}`, 'POST', all, categories.create, 'named-body'),
    v1(`list-categories${suffix}`, 'GET', all, categories.list),
    v1(`get-category${suffix}`, 'GET', one, categories.get),
    v1(`update-category${suffix}`, 'PUT', one, categories.update, 'named-body'),
    v1(`delete-category${suffix}`, 'DELETE', one, categories.remove),
  ]
}

/** The category operations are those of views; boards and screens have the same under ids of their own. */
export const categoryRoutes: readonly Route[] = [
  ...routesOf('views', ''),
  ...routesOf('boards', '-of-boards'),
  ...routesOf('screens', '-of-screens'),
]
