import type { Binding } from '../../../schemas/binding.ts'
import { probes } from '../../../schemas/intents.ts'
import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { idIn, pipelineOfState, recordIn, showsThing } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { resembles } from '../../core/resembles.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { inWords } from '../../core/words.ts'
import { isSettled } from '../../known/doubt.ts'

/** An operation that changes one thing, or removes it, and what the text says about which one. */
interface Reach {
  readonly type: string
  readonly requirement: string
  /** pointer to what is stored in the request's body; undefined: the operation removes */
  readonly sent: string | undefined
  /** the body may give the thing another name, which lists show */
  readonly names?: true
  /** resource that the thing belongs to, where it has no id of its own */
  readonly of?: 'pipeline'
}

export const REACHES: Readonly<Record<string, Reach>> = {
  'update-transform': { type: 'transform', requirement: 'TRANSFORM-UPDATE-REPLACES', sent: '', names: true },
  'update-source': { type: 'source', requirement: 'SOURCE-UPDATE-REPLACES', sent: '', names: true },
  'update-preset-alert': { type: 'preset-alert', requirement: 'PRESET-UPDATE-APPLIES', sent: '', names: true },
  'update-gateway-route': { type: 'gateway-route', requirement: 'ROUTE-PATCH-APPLIES', sent: '', names: true },
  'switch-group-revision': { type: 'placed-group', requirement: 'REVISION-MOVES', sent: '' },
  'update-state-variables': {
    type: 'pipeline',
    requirement: 'STATEVAR-APPLIES',
    sent: '/state',
    of: 'pipeline',
  },
  'delete-member': { type: 'member', requirement: 'MEMBER-DELETE-REMOVES', sent: undefined },
  'delete-exclusion': { type: 'exclusion', requirement: 'EXCLUSION-DELETE-REMOVES', sent: undefined },
  'delete-screen': { type: 'screen', requirement: 'SCREEN-DELETE-REMOVES', sent: undefined },
}

/** A thing that was read, and nobody has touched since. */
interface Neighbour {
  readonly id: string
  readonly record: Readonly<Record<string, unknown>>
  readonly exchange: string
}

interface Change {
  readonly operation: string
  readonly sent: Readonly<Record<string, unknown>>
  readonly exchange: string
  readonly at: number
}

interface Beside {
  readonly neighbour: Neighbour | undefined
  readonly change: Change | undefined
}

const NOTHING: Beside = { neighbour: undefined, change: undefined }

/**
 * A request about one thing does not reach another of its kind: operation rules 1, 2, 6, 7, 9 and 11 to 13 name the one
 * thing that they are about. How a thing reads may change for many reasons; blamed is only that it has taken on a value
 * that a run sent to the other one, or that it is gone since the other one was removed.
 */
export const besideRule: HistoryRule<Beside> = {
  name: 'beside',
  bound: 10_000,
  intended: true,
  operations: (binding) => [...Object.keys(REACHES), ...Object.values(REACHES).map((reach) => lookOf(reach, binding))],
  key: ({ intent, operation }) =>
    intent?.group !== undefined && (intent.probe === probes.beside || REACHES[operation?.id ?? ''])
      ? intent.group
      : undefined,
  init: () => NOTHING,
  step(state, view, oracle) {
    const operation = view.operation?.id ?? ''
    const reach = REACHES[operation]
    if (reach) return { state: afterChange(state, view, operation, reach, oracle), judgements: [] }
    const { neighbour, change } = state
    const known = change && REACHES[change.operation]
    if (!neighbour || !change || !known)
      return { state: { neighbour: neighbourIn(view, oracle), change: undefined }, judgements: [] }
    if (subjectOf(view, known, oracle) !== neighbour.id || view.exchange._start < change.at)
      return { state, judgements: [] }
    const judgements =
      known.sent === undefined
        ? judgeThere(neighbour, change, known, view, oracle)
        : judgeValues(neighbour, change, known, view, oracle)
    // One fault is found once.
    return { state: judgements.some(({ outcome }) => outcome === 'broken') ? NOTHING : state, judgements }
  },
  end: () => [],
}

function afterChange(state: Beside, view: ExchangeView, operation: string, reach: Reach, oracle: Oracle): Beside {
  const { neighbour } = state
  const id = subjectOf(view, reach, oracle)
  if (!neighbour || (leftAlone(view) && reach.sent !== undefined)) return state
  // What was refused has removed nothing, and so no other one either.
  const known = view.accepted || leftAlone(view)
  if (!known || id === undefined || id === neighbour.id || view.intent?.kind === 'observe') return NOTHING
  const part = reach.sent === undefined ? {} : at(jsonOf(view.request), reach.sent)
  if (view.violations.length > 0 || !isRecord(part)) return NOTHING
  return { neighbour, change: { operation, sent: part, exchange: view.id, at: view.exchange._end } }
}

/** Which thing a request is about. */
function subjectOf(view: ExchangeView, reach: Reach, { binding }: Oracle): string | undefined {
  return reach.of ? pipelineOfState(view) : idIn(view, binding, reach.type)
}

/** The operation that reads one of the things. */
function lookOf(reach: Reach, { resources }: Binding): string | undefined {
  return reach.of ? 'get-state-variables' : resources.get(reach.type)?.read
}

function neighbourIn(view: ExchangeView, oracle: Oracle): Neighbour | undefined {
  const reach = Object.values(REACHES).find((one) => lookOf(one, oracle.binding) === view.operation?.id)
  const id = reach && subjectOf(view, reach, oracle)
  const record = view.accepted ? recordIn(view) : undefined
  return id === undefined || !record ? undefined : { id, record, exchange: view.id }
}

type Base = Pick<Judgement, 'operation' | 'caseId' | 'requirement' | 'exchanges' | 'edge'>

function baseOf(neighbour: Neighbour, change: Change, reach: Reach, view: ExchangeView): Base {
  return {
    ...about(view),
    operation: change.operation,
    requirement: reach.requirement,
    exchanges: [neighbour.exchange, change.exchange, view.id],
    edge: `another ${inWords(reach.type)}`,
  }
}

/** Only what the other one was sent is compared, where it differs from what the neighbour was read with. */
function judgeValues(
  neighbour: Neighbour,
  change: Change,
  reach: Reach,
  view: ExchangeView,
  oracle: Oracle,
): Judgement[] {
  const record = view.accepted ? recordIn(view) : undefined
  if (!record) return []
  const telling = Object.entries(change.sent).filter(([name, value]) => {
    const before = neighbour.record[name]
    return isWord(value) && isWord(before) && !resembles(before, value)
  })
  if (telling.length === 0) return []
  const base = baseOf(neighbour, change, reach, view)
  const taken = telling.find(([name, value]) => isWord(record[name]) && resembles(record[name], value))
  if (!taken) return isSettled(view, change.at, oracle) ? [{ ...base, outcome: 'held' }] : []
  const [name, value] = taken
  return [
    {
      ...base,
      outcome: 'broken',
      pointer: `/${name}`,
      message: `a request about one ${inWords(reach.type)} has changed another: its ${name} is what was sent to the first`,
      expected: shown(neighbour.record[name]),
      actual: shown(value),
    },
  ]
}

/** A text or a number: of what has few values, such as a switch, two things may agree for reasons of their own. */
function isWord(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

function judgeThere(
  neighbour: Neighbour,
  change: Change,
  reach: Reach,
  view: ExchangeView,
  oracle: Oracle,
): Judgement[] {
  const key = oracle.binding.resources.get(reach.type)?.key ?? 'id'
  // Only what a read has shown under its own id was there.
  if (String(neighbour.record[key] ?? '').toLowerCase() !== neighbour.id.toLowerCase()) return []
  const gone = view.status === 404 || view.status === 410
  const there = view.accepted ? showsThing(view, neighbour.id, key) : gone ? false : undefined
  if (there === undefined) return []
  const base = baseOf(neighbour, change, reach, view)
  if (there) return [{ ...base, outcome: 'held' }]
  if (!isSettled(view, change.at, oracle)) return [{ ...base, outcome: 'inconclusive' }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: `the removal of one ${inWords(reach.type)} has removed another`,
      expected: `the ${inWords(reach.type)} ${neighbour.id}, read as before`,
      actual: `status ${view.status}`,
    },
  ]
}
