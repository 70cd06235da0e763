import { isRecord } from '../request-rules.ts'
import { about, type ExchangeRule } from '../rule.ts'
import { shown } from '../shown.ts'
import { jsonOf } from '../view.ts'

/** The ids in a list of enterprise keys tell the keys apart (section 'Key resource'). */
export const keysRule: ExchangeRule = {
  name: 'keys',
  operations: ['list-enterprise-keys'],
  judge(view) {
    if (view.operation?.id !== 'list-enterprise-keys' || !view.accepted) return []
    const list = jsonOf(view.response)
    if (!Array.isArray(list)) return []
    const ids = list.filter(isRecord).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
    if (ids.length < 2) return []
    const base = { ...about(view), requirement: 'KEY-ID-UNIQUE', exchanges: [view.id] }
    const twice = ids.find((id, index) => ids.indexOf(id) !== index)
    if (twice === undefined) return [{ ...base, outcome: 'held' }]
    return [
      {
        ...base,
        outcome: 'broken',
        message: 'two keys have the same id',
        expected: 'an id of its own for each key',
        actual: `${shown(twice)} stands twice`,
      },
    ]
  },
}
