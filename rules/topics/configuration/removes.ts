import type { Binding } from '../../../schemas/binding.ts'
import type { Judgement } from '../../core/judgement.ts'
import { idIn, isWholeList, listIn, madeBy, readerOf, scopeOf, showsThing } from '../../core/reads.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'

interface Removal {
  readonly type: string
  /** operation that removes */
  readonly operation: string
  readonly requirement: string
  /** operations that change one: where what they change is not there, they may make it */
  readonly changes?: readonly string[]
}

interface Life {
  /** ids that a list or a read has shown */
  readonly seen: Set<string>
  /** id -> the exchange that removed it, and when it was answered */
  readonly removed: Map<string, { readonly exchange: string; readonly at: number }>
  /** id of a member -> what a read has shown of it, and what a list has */
  readonly read: Map<string, string>
  readonly elements: Map<string, string>
}

const MOST = 1_000
/** Shorter ids are counted, or chosen. */
const LONG = 16

/** What was removed is neither listed nor read any more (operation rules 11 to 13). Judged only for what was seen before. */
export function removesRule(rule: Removal): HistoryRule<Life> {
  const concerned = ({ resources }: Binding): (string | undefined)[] => {
    const { create, read, list } = resources.get(rule.type) ?? {}
    return [rule.operation, create, read, list, ...(rule.changes ?? [])]
  }
  return {
    name: `removes ${rule.type}`,
    bound: 1_000,
    overlap: 'thing',
    // An address can be invited again; an id does not come back.
    others: rule.type === 'member' ? 'all' : [],
    operations: concerned,
    key(view, { binding }) {
      const id = view.operation?.id
      return id !== undefined && concerned(binding).includes(id) ? scopeOf(view, binding, rule.type) : undefined
    },
    init: () => ({ seen: new Set(), removed: new Map(), read: new Map(), elements: new Map() }),
    step(state, view, oracle) {
      const { seen, removed, read, elements } = state
      const judgements: Judgement[] = []
      const id = idIn(view, oracle.binding, rule.type)
      const judge = (gone: string, present: boolean): void => {
        const removal = removed.get(gone)
        if (!removal || view.exchange._start < removal.at) return
        const base = {
          ...about(view),
          operation: rule.operation,
          requirement: rule.requirement,
          exchanges: [removal.exchange, view.id],
        }
        if (present && !isSettled(view, removal.at, oracle)) {
          judgements.push({ ...base, outcome: 'inconclusive' })
          return
        }
        if (!present) judgements.push({ ...base, outcome: 'held' })
        else {
          judgements.push({
            ...base,
            outcome: 'broken',
            ...(comesBack(gone) ? { others: true } : {}),
            message: `a removed ${rule.type} is still there`,
            expected: `no ${rule.type} ${gone}`,
            actual: `status ${view.status}, ${rule.type} ${gone} is shown`,
          })
        }
        // It stays removed: whatever shows it later is held against the target too, but one fault is found once.
        if (present) removed.delete(gone)
      }
      if (rule.changes?.includes(view.operation?.id ?? '') === true) {
        if (id !== undefined && !leftAlone(view)) removed.delete(id)
      } else if (view.operation?.id === rule.operation) {
        if (view.accepted && id !== undefined && seen.delete(id)) {
          removed.set(id, { exchange: view.id, at: view.exchange._end })
          const [oldest] = removed.keys()
          if (removed.size > MOST && oldest !== undefined) removed.delete(oldest)
        }
      } else if (view.operation?.id === oracle.binding.resources.get(rule.type)?.create) {
        // What is made again under an id that was removed is rightly there.
        const made = madeBy(view, oracle.binding, rule.type)
        if (made !== undefined) removed.delete(made)
        else if (!leftAlone(view)) removed.clear()
      } else if (view.operation?.id === readerOf(oracle.binding, rule.type, 'list')) {
        const key = oracle.binding.resources.get(rule.type)?.key ?? 'id'
        const list = view.accepted ? listIn(view) : undefined
        const ids = list?.map((element) => element[key])
        if (list && ids) {
          const listed = new Set(ids.filter((one) => one !== undefined && one !== null).map(String))
          // An element without an id may be any of them.
          const whole = isWholeList(view, ids) && ids.every((one) => one !== undefined && one !== null)
          const shown = rule.type === 'member' ? byId(list, key) : undefined
          for (const gone of [...removed.keys()]) {
            if (!listed.has(gone)) {
              if (whole) judge(gone, false)
              // Who is a member no longer may be listed as such: the account itself stays.
            } else if (!shown || shown.get(gone) === elements.get(gone)) judge(gone, true)
          }
          for (const one of listed) {
            if (removed.has(one)) continue
            if (seen.size < MOST) seen.add(one)
            const text = shown?.get(one)
            if (text !== undefined && (elements.has(one) || elements.size < MOST)) elements.set(one, text)
          }
        }
      } else if (id !== undefined) {
        const key = oracle.binding.resources.get(rule.type)?.key ?? 'id'
        const gone = view.status === 404 || view.status === 410
        const present = view.accepted ? showsThing(view, id, key) : gone ? false : undefined
        const shown = present === true && rule.type === 'member' ? JSON.stringify(jsonOf(view.response)) : undefined
        if (present === true && !removed.has(id)) {
          if (seen.size < MOST) seen.add(id)
          if (shown !== undefined && read.size < MOST) read.set(id, shown)
        } else if (present === false) judge(id, false)
        // Who is a member no longer may be shown as such: the account itself stays.
        else if (present === true && shown === read.get(id)) judge(id, true)
      }
      return { state, judgements }
    },
    end: () => [],
  }
}

/** Whether whoever makes another one may get the id of one that was removed: which ids a target gives is its own matter. */
function comesBack(id: string): boolean {
  return id.length < LONG || !/\d/.test(id)
}

/** What a list shows of each, as text. */
function byId(elements: readonly Record<string, unknown>[], key: string): ReadonlyMap<string, string> {
  return new Map(elements.map((element) => [String(element[key]), JSON.stringify(element)]))
}
