import type { Binding } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import type { Judgement } from '../judgement.ts'
import { about, type HistoryRule, type Oracle } from '../rule.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../view.ts'
import { idIn, isSettled, listIn, recordIn } from './reads.ts'

interface Made {
  readonly exchange: string
  /** milliseconds since the epoch when the creation was answered */
  readonly at: number
  /** how many channels were sent; undefined: none that could be missing */
  readonly channels: number | undefined
}

interface Known {
  /** name -> the one request that gave it; undefined: there were others, or nobody knows what came of one */
  readonly byName: Map<string, Made | undefined>
  /** learnt from lists */
  readonly byId: Map<string, Made>
}

const TYPE = 'preset-alert'
const OPERATION = 'create-preset-alert'
const REQUIREMENT = 'PRESET-CREATE-MAKES'
const MOST = 1_000

/**
 * One creation of a preset alert makes one, with the channels that were sent (section 'Endpoints'): no two are listed
 * under a name that only one request of the run gave, and none is read with fewer channels. What stands in a channel is
 * looked at by other rules.
 */
export const madeOnceRule: HistoryRule<Known> = {
  name: 'made once',
  bound: 1_000,
  intended: true,
  operations: concerned,
  key: ({ intent, operation }, { binding }) =>
    intent && operation && concerned(binding).includes(operation.id) ? TYPE : undefined,
  init: () => ({ byName: new Map(), byId: new Map() }),
  step(state, view, oracle) {
    const { read, list } = oracle.binding.resources.get(TYPE) ?? {}
    switch (view.operation?.id) {
      case OPERATION:
        noteMade(state, view, oracle)
        return { state, judgements: [] }
      case list:
        return { state, judgements: view.accepted ? judgeList(state, view, oracle) : [] }
      case read:
        return { state, judgements: view.accepted ? judgeRead(state, view, oracle) : [] }
      default:
        if (!leftAlone(view)) forget(state, view, oracle)
        return { state, judgements: [] }
    }
  },
  end: () => [],
}

function concerned({ resources }: Binding): (string | undefined)[] {
  const { read, list, delete: remove } = resources.get(TYPE) ?? {}
  return [OPERATION, 'update-preset-alert', read, list, remove]
}

function noteMade({ byName }: Known, view: ExchangeView, { binding }: Oracle): void {
  const body = jsonOf(view.request)
  const name = at(body, `/${binding.resources.get(TYPE)?.label ?? ''}`)
  if (typeof name !== 'string' || leftAlone(view)) return
  const channels = at(body, '/channels')
  const sure = view.accepted && view.violations.length === 0 && view.intent?.kind !== 'observe' && !byName.has(name)
  const count = Array.isArray(channels) ? channels.length : undefined
  byName.set(name, sure ? { exchange: view.id, at: view.exchange._end, channels: count } : undefined)
  const [oldest] = byName.keys()
  if (byName.size > MOST && oldest !== undefined) byName.delete(oldest)
}

/** An update may give it another name, and other channels. */
function forget({ byName, byId }: Known, view: ExchangeView, { binding }: Oracle): void {
  const gone = byId.get(idIn(view, binding, TYPE) ?? '')
  const name = at(jsonOf(view.request), `/${binding.resources.get(TYPE)?.label ?? ''}`)
  if (typeof name === 'string') byName.set(name, undefined)
  for (const [one, made] of byName) if (!gone || made?.exchange === gone.exchange) byName.set(one, undefined)
  byId.delete(idIn(view, binding, TYPE) ?? '')
}

function judgeList({ byName, byId }: Known, view: ExchangeView, { binding }: Oracle): Judgement[] {
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
    if (second === undefined) {
      byId.set(id, made)
      return [{ ...base, outcome: 'held' }]
    }
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

function judgeRead({ byId }: Known, view: ExchangeView, oracle: Oracle): Judgement[] {
  const id = idIn(view, oracle.binding, TYPE) ?? ''
  const made = byId.get(id)
  const read = recordIn(view)?.channels
  if (!made?.channels || !Array.isArray(read) || view.exchange._start < made.at) return []
  const base = {
    ...about(view),
    operation: OPERATION,
    requirement: REQUIREMENT,
    exchanges: [made.exchange, view.id],
    edge: `${made.channels} channels`,
  }
  if (read.length >= made.channels) return [{ ...base, outcome: 'held' }]
  if (!isSettled(view, made.at, oracle)) return [{ ...base, outcome: 'inconclusive' }]
  byId.delete(id)
  return [
    {
      ...base,
      outcome: 'broken',
      pointer: '/channels',
      message: 'a preset alert that was created has fewer channels than were sent',
      expected: `${made.channels} channels`,
      actual: `${read.length} channels`,
    },
  ]
}
