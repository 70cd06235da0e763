import { dateOf } from '../../core/dates.ts'
import type { Judgement } from '../../core/judgement.ts'
import { idIn, listIn, madeIn } from '../../core/reads.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, leftAlone } from '../../core/view.ts'

interface Made {
  readonly exchange: string
  /** milliseconds since the epoch, by our clock: when it was asked for, and answered */
  readonly start: number
  readonly end: number
  /** the same by the target's clock, where its answer told the time */
  readonly date: number
  /** what a list said of it before */
  readonly told: number | undefined
}

const MOST = 1_000
const TYPE = 'enterprise-key'
const HOUR_MS = 3_600_000
/** Milliseconds that a time may be off, its zone included. */
const OFF_MS = 36 * HOUR_MS
/** The same of a target that does not tell what its clock shows. Another unit is off by far more. */
const FAR_OFF_MS = 400 * 24 * HOUR_MS
/** What a moment may be rounded to, in milliseconds. */
const ROUNDED_MS = 1_000

/**
 * `created` of a key is when it was made, in milliseconds (section 'Key resource'): near the time of the request that made
 * it, and the same in each list. Only keys whose creation was seen are judged, by their ids.
 */
export const createdRule: HistoryRule<Map<string, Made>> = {
  name: 'created',
  bound: 1_000,
  overlap: 'thing',
  operations: ({ resources }) => operationsOf(resources.get(TYPE)),
  key(view, { binding }) {
    const id = view.operation?.id
    return operationsOf(binding.resources.get(TYPE)).includes(id) ? TYPE : undefined
  },
  init: () => new Map(),
  knowsNothing: (state) => state.size === 0,
  step(state, view, oracle) {
    const { create, list } = oracle.binding.resources.get(TYPE) ?? {}
    if (view.operation?.id === list) return { state, judgements: judgeList(state, view, oracle) }
    if (view.operation?.id === create) {
      const id = view.violations.length > 0 ? undefined : madeIn(view)
      const { _start: start, _end: end } = view.exchange
      if (id !== undefined && state.size < MOST) {
        state.set(id, { exchange: view.id, start, end, date: dateOf(view), told: undefined })
      }
    } else if (!leftAlone(view)) state.delete(idIn(view, oracle.binding, TYPE) ?? '')
    return { state, judgements: [] }
  },
  end: () => [],
}

type Resource = { readonly create?: string; readonly list?: string; readonly delete?: string }

function operationsOf(resource: Resource | undefined): readonly (string | undefined)[] {
  return resource ? [resource.create, resource.list, resource.delete] : []
}

function judgeList(state: Map<string, Made>, view: ExchangeView, { binding }: Oracle): Judgement[] {
  const list = view.accepted && state.size > 0 ? listIn(view) : undefined
  const key = binding.resources.get(TYPE)?.key ?? 'id'
  const judgements: Judgement[] = []
  for (const { [key]: named, created } of list ?? []) {
    const id = String(named)
    const made = state.get(id)
    // What is no whole number breaks the rule of its type, and that alone.
    if (!made || !Number.isInteger(created) || typeof created !== 'number' || view.exchange._start < made.end) continue
    const base = { ...about(view), requirement: 'KEY-CREATED-MILLISECONDS', pointer: '*/created' }
    const exchanges = [made.exchange, view.id]
    if (!isNear(created, made)) {
      judgements.push({
        ...base,
        exchanges,
        outcome: 'broken',
        message: 'created of a key is not the time of its creation in milliseconds',
        expected: `about ${Math.round(made.start)}, when it was made`,
        actual: shown(created),
      })
      state.delete(id)
    } else if (made.told !== undefined && Math.abs(created - made.told) > roundingOf(created, made.told)) {
      judgements.push({
        ...base,
        exchanges,
        outcome: 'broken',
        message: 'two lists tell different times of the creation of one key',
        expected: `${made.told}, as before`,
        actual: shown(created),
      })
      state.delete(id)
    } else {
      judgements.push({ ...base, exchanges, outcome: 'held' })
      state.set(id, { ...made, told: created })
    }
  }
  return judgements
}

function isNear(created: number, { start, end, date }: Made): boolean {
  const off = Number.isNaN(date) ? FAR_OFF_MS : OFF_MS
  return (created >= start - off && created <= end + off) || Math.abs(created - date) <= off
}

/** Milliseconds that two tellings of one moment may be apart: one of them may be rounded. */
function roundingOf(one: number, other: number): number {
  return one % ROUNDED_MS === 0 || other % ROUNDED_MS === 0 ? ROUNDED_MS : 0
}
