import type { Binding } from '../../../schemas/binding.ts'
import { probes } from '../../../schemas/intents.ts'
import { at } from '../../../schemas/pointer.ts'
import { idIn, listIn } from '../../core/reads.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { inWords } from '../../core/words.ts'
import { REACHES } from './beside.ts'

/** The operations that give a name. */
const NAMING = Object.fromEntries(Object.entries(REACHES).filter(([, { names }]) => names === true))

interface Listed {
  /** id -> the name that a list has shown */
  readonly before: ReadonlyMap<string, unknown> | undefined
  readonly change:
    | { readonly operation: string; readonly id: string; readonly name: string; readonly exchange: string }
    | undefined
}

const NOTHING: Listed = { before: undefined, change: undefined }

/**
 * An update of one thing names no other, be it somebody else's: none that was listed under another name has the name, which
 * nobody but this run gives, that was sent to the first (operation rules 1, 2 and 7).
 */
export const besideListedRule: HistoryRule<Listed> = {
  name: 'beside listed',
  bound: 10_000,
  intended: true,
  operations: (binding) => [...Object.keys(NAMING), ...Object.values(NAMING).map(({ type }) => listOf(type, binding))],
  key: ({ intent, operation }) =>
    intent?.group !== undefined && (intent.probe === probes.beside || NAMING[operation?.id ?? ''])
      ? intent.group
      : undefined,
  init: () => NOTHING,
  step(state, view, oracle) {
    const operation = view.operation?.id ?? ''
    const { type, requirement } = NAMING[state.change?.operation ?? operation] ?? {}
    if (NAMING[operation]) return { state: afterChange(state, view, oracle), judgements: [] }
    const names = namesIn(view, oracle)
    const { before, change } = state
    if (!names) return { state, judgements: [] }
    if (!before || !change || type === undefined || requirement === undefined)
      return { state: { before: names, change: undefined }, judgements: [] }
    const base = { ...about(view), operation: change.operation, requirement, exchanges: [change.exchange, view.id] }
    const reached = [...names].find(
      ([id, name]) => id !== change.id && name === change.name && before.has(id) && before.get(id) !== name,
    )
    if (!reached) return { state, judgements: [] }
    const [id, name] = reached
    return {
      state: NOTHING,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          edge: `another ${inWords(type)}`,
          message: `an update of one ${inWords(type)} has given its name to another`,
          expected: `${shown(before.get(id))}, as it was listed before`,
          actual: shown(name),
        },
      ],
    }
  },
  end: () => [],
}

function listOf(type: string, { resources }: Binding): string | undefined {
  return resources.get(type)?.list
}

function afterChange(state: Listed, view: ExchangeView, { binding }: Oracle): Listed {
  const operation = view.operation?.id ?? ''
  const type = NAMING[operation]?.type ?? ''
  const id = idIn(view, binding, type)
  const name = at(jsonOf(view.request), `/${binding.resources.get(type)?.label ?? ''}`)
  if (leftAlone(view)) return state
  if (!view.accepted || id === undefined || typeof name !== 'string' || name === '') return NOTHING
  return { ...state, change: { operation, id, name, exchange: view.id } }
}

function namesIn(view: ExchangeView, { binding }: Oracle): ReadonlyMap<string, unknown> | undefined {
  const { type } = Object.values(NAMING).find((one) => listOf(one.type, binding) === view.operation?.id) ?? {}
  const { key = 'id', label = '' } = binding.resources.get(type ?? '') ?? {}
  const list = type === undefined || !view.accepted ? undefined : listIn(view)
  return list && new Map(list.map((element) => [String(element[key]), element[label]]))
}
