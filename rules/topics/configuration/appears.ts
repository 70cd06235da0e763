import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { isSurelyWhole, listedName, listIn } from '../../core/reads.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { jsonOf, leftAlone } from '../../core/view.ts'
import { oneOf } from '../../core/words.ts'
import { isSettled } from '../../known/doubt.ts'

interface Appearance {
  readonly type: string
  /** operation that makes one */
  readonly operation: string
  /** operation that a missing one is held against */
  readonly about: string
  /** field that names it in the request and in the list, where the binding does not say */
  readonly field: string
  readonly requirement: string
  /** operations that may give one another name */
  readonly changes?: readonly string[]
}

type Wanted = Map<string, { readonly exchange: string; readonly at: number }>

const MOST = 1_000

/** What was made is in the list that says to hold all of them. */
export function appearsRule(rule: Appearance): HistoryRule<Wanted> {
  return {
    name: `appears ${rule.type}`,
    bound: 1_000,
    overlap: 'thing',
    others: 'all',
    operations(binding) {
      const { list, delete: remove } = binding.resources.get(rule.type) ?? {}
      return [rule.operation, list, remove, ...(rule.changes ?? [])]
    },
    key(view, { binding }) {
      const id = view.operation?.id
      if (id === undefined) return undefined
      const resource = binding.resources.get(rule.type)
      return [rule.operation, resource?.list, resource?.delete, ...(rule.changes ?? [])].includes(id)
        ? rule.type
        : undefined
    },
    init: () => new Map(),
    knowsNothing: (state) => state.size === 0,
    step(state, view, oracle) {
      if (view.operation?.id === rule.operation) {
        const body = jsonOf(view.request)
        const name = at(body, `/${labelOf(rule, oracle)}`) ?? at(body, `/${rule.field}`)
        const good = view.accepted && view.violations.length === 0 && view.intent?.kind !== 'observe'
        if (good && typeof name === 'string' && state.size < MOST) {
          state.set(name, { exchange: view.id, at: view.exchange._end })
        }
        return { state, judgements: [] }
      }
      // Which of them was removed, or has another name now, is not known by its name.
      const lister = oracle.binding.resources.get(rule.type)?.list
      if (view.operation?.id !== lister) {
        if (!leftAlone(view)) state.clear()
        return { state, judgements: [] }
      }
      const list = view.accepted && state.size > 0 ? listIn(view) : undefined
      if (!list) return { state, judgements: [] }
      const whole = isSurelyWhole(view, list)
      const names = new Set(list.map((element) => listedName(element[labelOf(rule, oracle)], view)))
      const judgements: Judgement[] = []
      for (const [name, { exchange, at: madeAt }] of state) {
        const there = names.has(listedName(name, view))
        if (view.exchange._start < madeAt || (!there && !whole)) continue
        const base = {
          ...about(view),
          operation: rule.about,
          requirement: rule.requirement,
          exchanges: [exchange, view.id],
        }
        if (!there && !isSettled(view, madeAt, oracle)) {
          judgements.push({ ...base, outcome: 'inconclusive' })
          continue
        }
        if (there) judgements.push({ ...base, outcome: 'held' })
        else {
          judgements.push({
            ...base,
            outcome: 'broken',
            message: `${oneOf(rule.type)} that was made is not in the list`,
            expected: `one whose ${labelOf(rule, oracle)} is ${JSON.stringify(name)}`,
            actual: `${list.length} others`,
          })
        }
        state.delete(name)
      }
      return { state, judgements }
    },
    end: () => [],
  }
}

/** The field of a list element that carries the name. */
function labelOf({ type, field }: Appearance, { binding }: Oracle): string {
  return binding.resources.get(type)?.label ?? field
}
