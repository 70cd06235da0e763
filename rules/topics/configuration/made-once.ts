import { decide, type Judgement } from '../../core/judgement.ts'
import { about, type Rule } from '../../core/rule.ts'
import type { Kind } from '../../known/kinds.ts'
import { lookAt, type Things } from '../../known/things.ts'

/**
 * PRESET-CREATE-MAKES: one creation of a preset alert makes one (section 'Endpoints'): no two are listed under a name that
 * only one request of the run gave.
 */
export function madeOnce(kind: Kind): Rule<Things> {
  return {
    name: 'one creation makes one preset alert',
    operations: (binding) => kind.operations(binding, 'list'),
    judge(view, known, oracle) {
      const { names } = known
      const { list = [] } = (view.intent && names.size > 0 && lookAt(known, view, kind, oracle)) || {}
      const { key = 'id', label = '' } = oracle.binding.resources.get(kind.type) ?? {}
      const ids = new Map<string, Set<string>>()
      for (const { [label]: name, [key]: id } of list) {
        if (typeof name !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) continue
        ids.set(name, (ids.get(name) ?? new Set()).add(String(id)))
      }
      return [...ids].flatMap(([name, { size }]): Judgement[] => {
        const made = names.get(name)
        if (!made || view.exchange._start < made.at) return []
        const exchanges = [made.exchange, view.id]
        const claim = { ...about(view), operation: kind.create, requirement: 'PRESET-CREATE-MAKES', exchanges }
        const several = {
          message: 'one creation has made several preset alerts',
          expected: `one whose ${label} is ${JSON.stringify(name)}`,
          actual: `${size} with ids of their own`,
        }
        return [decide(claim, size === 1 ? undefined : several, undefined)]
      })
    },
  }
}
