import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { carries, recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { resembles } from '../../core/resembles.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { shown as inWords } from '../../core/shown.ts'
import { alsoShown, isLeftOpen, isNeedless, NONE_SHOWN, type ShownFields } from '../../core/shown-fields.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { writtenFields } from '../../core/written-fields.ts'
import { isSettled } from '../../known/doubt.ts'
import { followsRefusals } from '../../known/refusals.ts'

interface Merge {
  readonly name: string
  /** operation that changes a part */
  readonly operation: string
  /** operation that reads the whole */
  readonly reader: string
  /** operations that change the same thing in other ways: after one of them nothing is known */
  readonly others: readonly string[]
  /** what both are about, from path or body */
  id(view: ExchangeView): string | undefined
  /** pointer to the changed part in the request's body */
  readonly sent: string
  /** only these fields are compared; undefined: all */
  readonly fields: readonly string[] | undefined
  /** what was sent is read back */
  readonly applies: string
  /** what was not sent stays */
  readonly partial: string
  /** the text leaves open how values are kept */
  readonly normalised?: boolean
}

interface Merged {
  /** what is known to be stored, field by field */
  readonly known: Readonly<Record<string, unknown>>
  /** fields that the newest change sent */
  readonly changed: ReadonlySet<string>
  /** fields that those before it sent, and no read has shown since: whose fault it is that one is missing is not known */
  readonly unread: ReadonlySet<string>
  /** a read has shown since then what is stored */
  readonly read: boolean
  readonly exchange: string
  readonly at: number
  readonly shown: ShownFields
}

const NO_NAMES: ReadonlySet<string> = new Set()
const NOTHING: Merged = {
  known: {},
  changed: NO_NAMES,
  unread: NO_NAMES,
  read: false,
  exchange: '',
  at: 0,
  shown: NONE_SHOWN,
}

/** A partial update changes what it names and leaves the rest (operation rules 7 and 9). */
export function mergesRule(rule: Merge): HistoryRule<Merged> {
  /** Whether nothing else is known after a record was read: most reads show what the last one showed. */
  const shows = (record: Readonly<Record<string, unknown>>, known: Merged['known']): boolean => {
    let count = 0
    for (const name in record) {
      if (rule.fields !== undefined && !rule.fields.includes(name)) continue
      if (record[name] !== known[name] || !Object.hasOwn(known, name)) return false
      count += 1
    }
    return count === Object.keys(known).length
  }
  const compared = (fields: Readonly<Record<string, unknown>>): [string, unknown][] =>
    Object.entries(fields).filter(([name]) => rule.fields?.includes(name) ?? true)

  /** Of a whole record, what clients write: when it was changed, say, is the target's. */
  const chosen = (fields: Readonly<Record<string, unknown>>, oracle: Oracle): Readonly<Record<string, unknown>> =>
    rule.sent === '' ? writtenFields(fields, rule.operation, oracle) : fields

  return {
    name: rule.name,
    bound: 10_000,
    others: 'all',
    operations: () => [rule.operation, rule.reader, ...rule.others],
    key(view) {
      const id = view.operation?.id
      const concerned = id === rule.operation || id === rule.reader || (id !== undefined && rule.others.includes(id))
      return concerned ? rule.id(view) : undefined
    },
    init: () => NOTHING,
    step(state, view, oracle) {
      if (view.operation?.id === rule.operation) {
        const sent = at(jsonOf(view.request), rule.sent)
        if (!view.accepted) return { state: leftAlone(view) ? state : NOTHING, judgements: [] }
        const known = view.violations.length === 0 && view.intent?.kind !== 'observe'
        if (!known || !isRecord(sent)) return { state: NOTHING, judgements: [] }
        const part = Object.fromEntries(compared(chosen(sent, oracle)))
        return {
          state: {
            known: { ...state.known, ...part },
            changed: new Set(Object.keys(part)),
            unread: state.read ? NO_NAMES : new Set([...state.unread, ...state.changed]),
            read: false,
            exchange: view.id,
            at: view.exchange._end,
            shown: state.shown,
          },
          judgements: [],
        }
      }
      if (rule.others.includes(view.operation?.id ?? '')) return { state: NOTHING, judgements: [] }
      if (followsRefusals(view)) return { state, judgements: [] }
      const record = recordIn(view)
      if (!view.accepted || !record || view.exchange._start < state.at) return { state, judgements: [] }
      const judgements: Judgement[] = []
      const { operation } = rule
      const { caseId } = about(view)
      const exchanges = [state.exchange, view.id]
      for (const name of state.exchange === '' ? [] : Object.keys(state.known)) {
        const wasSent = state.changed.has(name)
        const value = state.known[name]
        if ((rule.fields !== undefined || rule.normalised === true) && isLeftOpen(record, name, value, state.shown))
          continue
        const requirement = wasSent ? rule.applies : rule.partial
        const edge = wasSent ? `sent ${name}` : `not sent ${name}`
        // Whether null is a value, or takes one away, is not shown.
        const cleared = value === null && record[name] === undefined
        // Answers may leave out what is false, 0 or nothing: that it was not set shows in what stands there still.
        if (rule.fields === undefined && record[name] === undefined && isNeedless(value)) continue
        // Of a variable null is another value than what is empty.
        const emptied = rule.fields === undefined && rule.normalised !== true && record[name] === null && value !== null
        const carried = cleared || (!emptied && (rule.normalised === true ? resembles : carries)(record[name], value))
        if (!carried && !wasSent && state.unread.has(name)) continue
        if (carried) judgements.push({ operation, caseId, requirement, edge, exchanges, outcome: 'held' })
        else if (!isSettled(view, state.at, oracle))
          judgements.push({ operation, caseId, requirement, edge, exchanges, outcome: 'inconclusive' })
        else {
          judgements.push({
            operation,
            caseId,
            requirement,
            edge,
            exchanges,
            outcome: 'broken',
            pointer: `/${name}`,
            message: wasSent ? `${name} was sent and is not read back` : `${name} was not sent and did not stay`,
            expected: inWords(value),
            actual: inWords(record[name]),
          })
        }
      }
      if (judgements.some(({ outcome }) => outcome === 'inconclusive')) return { state, judgements }
      // What was read is what the next change is held against: one fault is not found again under another requirement.
      if (judgements.every(({ outcome }) => outcome === 'held') && shows(record, state.known))
        return { state: state.read ? state : { ...state, read: true }, judgements }
      const known = Object.fromEntries(compared(chosen(record, oracle)))
      const shown = alsoShown(state.shown, known)
      const broken = judgements.some(({ outcome }) => outcome === 'broken')
      return { state: broken ? { ...NOTHING, known, shown } : { ...state, known, shown, read: true }, judgements }
    },
    end: () => [],
  }
}
