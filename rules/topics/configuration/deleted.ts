import { at } from '../../../schemas/pointer.ts'
import { about, type ExchangeRule } from '../../core/rule.ts'
import { jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'

const REQUIREMENTS: Readonly<Record<string, string>> = {
  'delete-member': 'MEMBER-RESULT-DELETED-TRUE',
  'delete-screen': 'SCREEN-RESULT-DELETED-TRUE',
}

/** A deletion that was carried out says so in `deleted` (section 'Other request shapes'). */
export const deletedRule: ExchangeRule = {
  name: 'deleted',
  operations: Object.keys(REQUIREMENTS),
  judge(view) {
    const requirement = REQUIREMENTS[view.operation?.id ?? '']
    if (requirement === undefined || !view.accepted) return []
    const deleted = at(jsonOf(view.response), '/deleted')
    if (typeof deleted !== 'boolean') return []
    const base = { ...about(view), requirement, exchanges: [view.id] }
    if (deleted) return [{ ...base, outcome: 'held' }]
    return [
      {
        ...base,
        outcome: 'broken',
        pointer: '/deleted',
        message: 'a deletion that is answered with success says that nothing was deleted',
        expected: 'true',
        actual: shown(deleted),
      },
    ]
  },
}
