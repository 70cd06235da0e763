import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { carries, mayBeDisconnected, recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'
import { followsRefusals } from '../../known/refusals.ts'

interface Staying {
  readonly name: string
  /** operation that writes */
  readonly operation: string
  /** operation that reads */
  readonly reader: string
  /** operations that change or remove the same thing */
  readonly others: readonly string[]
  /** what all of them are about */
  id(view: ExchangeView, oracle: Oracle): string | undefined
  /** pointer to what was written in the request's body */
  readonly sent: string
  /** only these fields are compared; undefined: all */
  readonly fields: readonly string[] | undefined
  readonly requirement: string
}

interface Kept {
  readonly sent: Readonly<Record<string, unknown>> | undefined
  /** a read that has shown all of it */
  readonly read: string | undefined
  readonly exchange: string
  readonly at: number
}

const NOTHING: Kept = { sent: undefined, read: undefined, exchange: '', at: 0 }

/**
 * What was written and has been read once is what every later read shows, until it is written again. Whether the first
 * read shows it is another rule's matter.
 */
export function staysRule(rule: Staying): HistoryRule<Kept> {
  return {
    name: rule.name,
    bound: 10_000,
    others: 'all',
    operations: () => [rule.operation, rule.reader, ...rule.others],
    key(view, oracle) {
      const id = view.operation?.id
      const concerned = id === rule.operation || id === rule.reader || (id !== undefined && rule.others.includes(id))
      return concerned ? rule.id(view, oracle) : undefined
    },
    init: () => NOTHING,
    step(state, view, oracle) {
      if (view.operation?.id !== rule.reader) return { state: written(state, view, rule), judgements: [] }
      if (followsRefusals(view)) return { state, judgements: [] }
      const record = view.accepted && state.sent ? recordIn(view) : undefined
      if (!record || !state.sent || view.exchange._start < state.at) return { state, judgements: [] }
      const shows = ([name, value]: [string, unknown]): boolean =>
        mayBeDisconnected(name, view, record[name], value) || carries(record[name], value)
      const fields = Object.entries(state.sent)
      const strange = fields.find((field) => !shows(field))
      if (state.read === undefined) return { state: strange ? state : { ...state, read: view.id }, judgements: [] }
      const base: Omit<Judgement, 'outcome'> = {
        ...about(view),
        operation: rule.operation,
        requirement: rule.requirement,
        exchanges: [state.exchange, state.read, view.id],
      }
      if (!strange) return { state, judgements: [{ ...base, outcome: 'held' }] }
      if (!isSettled(view, state.at, oracle)) return { state, judgements: [{ ...base, outcome: 'inconclusive' }] }
      const [name, value] = strange
      const judgement: Judgement = {
        ...base,
        outcome: 'broken',
        pointer: `/${name}`,
        message: `${name} is read with the value that was written, and with another one later`,
        expected: shown(value),
        actual: shown(record[name]),
      }
      return { state: NOTHING, judgements: [judgement] }
    },
    end: () => [],
  }
}

function written(state: Kept, view: ExchangeView, rule: Staying): Kept {
  if (!view.accepted) return leftAlone(view) ? state : NOTHING
  const good = view.operation?.id === rule.operation && view.violations.length === 0 && view.intent?.kind !== 'observe'
  const part = good ? at(jsonOf(view.request), rule.sent) : undefined
  if (!isRecord(part)) return NOTHING
  const fields = Object.entries(part).filter(([name]) => rule.fields?.includes(name) ?? true)
  return { sent: Object.fromEntries(fields), read: undefined, exchange: view.id, at: view.exchange._end }
}
