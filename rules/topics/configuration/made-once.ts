import type { Binding } from '../../../schemas/binding.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { listIn } from '../../core/reads.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'

interface Made {
  readonly exchange: string
  /** milliseconds since the epoch when the creation was answered */
  readonly at: number
}

/** name -> the one request that gave it; undefined: there were others, or nobody knows what came of one */
type Known = Map<string, Made | undefined>

const TYPE = 'preset-alert'
const OPERATION = 'create-preset-alert'
const REQUIREMENT = 'PRESET-CREATE-MAKES'
const MOST = 1_000

/**
 * One creation of a preset alert makes one (section 'Endpoints'): no two are listed under a name that only one request of
 * the run gave.
 */
export const madeOnceRule: HistoryRule<Known> = {
  name: 'made once',
  bound: 1_000,
  intended: true,
  operations: concerned,
  key: ({ intent, operation }, { binding }) =>
    intent && operation && concerned(binding).includes(operation.id) ? TYPE : undefined,
  init: () => new Map(),
  step(state, view, oracle) {
    switch (view.operation?.id) {
      case OPERATION:
        noteMade(state, view, oracle)
        return { state, judgements: [] }
      case oracle.binding.resources.get(TYPE)?.list:
        return { state, judgements: view.accepted ? judgeList(state, view, oracle) : [] }
      default:
        // An update may give another one its name; which had the name that it gave away is not known.
        if (!leftAlone(view)) for (const name of state.keys()) state.set(name, undefined)
        return { state, judgements: [] }
    }
  },
  end: () => [],
}

function concerned({ resources }: Binding): (string | undefined)[] {
  const { list, delete: remove } = resources.get(TYPE) ?? {}
  return [OPERATION, 'update-preset-alert', list, remove]
}

function noteMade(byName: Known, view: ExchangeView, { binding }: Oracle): void {
  const body = jsonOf(view.request)
  const name = at(body, `/${binding.resources.get(TYPE)?.label ?? ''}`)
  if (typeof name !== 'string' || leftAlone(view)) return
  const sure = view.accepted && view.violations.length === 0 && view.intent?.kind !== 'observe' && !byName.has(name)
  byName.set(name, sure ? { exchange: view.id, at: view.exchange._end } : undefined)
  const [oldest] = byName.keys()
  if (byName.size > MOST && oldest !== undefined) byName.delete(oldest)
}

function judgeList(byName: Known, view: ExchangeView, { binding }: Oracle): Judgement[] {
  const { key = 'id', label = '' } = binding.resources.get(TYPE) ?? {}
  const ids = new Map<string, Set<string>>()
  for (const { [label]: name, [key]: id } of listIn(view) ?? []) {
    if (typeof name !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) continue
    ids.set(name, (ids.get(name) ?? new Set()).add(String(id)))
  }
  return [...byName].flatMap(([name, made]): Judgement[] => {
    const [id, second] = ids.get(name) ?? []
    if (!made || id === undefined || view.exchange._start < made.at) return []
    const base = { ...about(view), operation: OPERATION, requirement: REQUIREMENT, exchanges: [made.exchange, view.id] }
    if (second === undefined) return [{ ...base, outcome: 'held' }]
    byName.set(name, undefined)
    return [
      {
        ...base,
        outcome: 'broken',
        message: 'one creation has made several preset alerts',
        expected: `one whose ${label} is ${JSON.stringify(name)}`,
        actual: `${ids.get(name)?.size} with ids of their own`,
      },
    ]
  })
}
