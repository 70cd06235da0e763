import type { Judgement } from '../../core/judgement.ts'
import { recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { isSecretName, resembles } from '../../core/resembles.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { saysNone } from '../../core/says-none.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../../core/view.ts'
import { isSettled } from '../../known/doubt.ts'

interface Written {
  readonly fields: Readonly<Record<string, unknown>>
  readonly exchange: string
  readonly operation: string
  readonly at: number
}

interface Archiving {
  /** what stands there now, as far as it is known */
  readonly now: Written | undefined
  /** what was there before it was deleted */
  readonly deleted: Written | undefined
  /** whether a read has ever shown a configuration: else the path of reads may be another one */
  readonly readable: boolean
}

const OPERATIONS = ['create-archiving', 'update-archiving', 'delete-archiving', 'get-archiving']

/**
 * The one archiving configuration of an account: it can be configured (section 'What the service does'); it is read as
 * it was written, but for secrets; and after its deletion it is not read any more.
 */
export const archivingRule: HistoryRule<Archiving> = {
  name: 'archiving',
  bound: 1_000,
  others: 'all',
  single: true,
  operations: () => OPERATIONS,
  key: (view) => (OPERATIONS.includes(view.operation?.id ?? '') ? 'archiving' : undefined),
  init: () => ({ now: undefined, deleted: undefined, readable: false }),
  step(state, view, oracle) {
    if (view.operation?.id !== 'get-archiving') return { state: changed(state, view), judgements: [] }
    const record = view.accepted ? recordIn(view) : undefined
    const absent = saysNone(view)
    const readable = state.readable || (record !== undefined && Object.keys(record).length > 0)
    const next = { ...state, readable }
    if (!record && !absent && !view.accepted) return { state: next, judgements: [] }
    const { now, deleted } = state
    if (now && view.exchange._start >= now.at) {
      if (!record && !readable)
        return { state: next, judgements: [{ ...base(now, view, CONFIGURE), outcome: 'inconclusive' }] }
      return { state: next, judgements: judgeWritten(now, record ?? {}, view, oracle) }
    }
    if (deleted && view.exchange._start >= deleted.at && readable) {
      return { state: next, judgements: [judgeDeleted(deleted, record ?? {}, view, oracle)] }
    }
    return { state: next, judgements: [] }
  },
  end: () => [],
}

const CONFIGURE = 'ARCHIVING-CONFIGURE'

function changed(state: Archiving, view: ExchangeView): Archiving {
  const unknown = { ...state, now: undefined, deleted: undefined }
  if (!view.accepted) return leftAlone(view) ? state : unknown
  const operation = view.operation?.id ?? ''
  const about_ = { exchange: view.id, operation, at: view.exchange._end }
  if (operation === 'delete-archiving') {
    return { ...unknown, deleted: state.now && { ...state.now, ...about_ } }
  }
  const body = jsonOf(view.request)
  if (!isRecord(body)) return unknown
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !isSecretName(name)))
  return { ...unknown, now: { fields, ...about_ } }
}

function judgeWritten(
  written: Written,
  record: Readonly<Record<string, unknown>>,
  view: ExchangeView,
  oracle: Oracle,
): Judgement[] {
  const fields = Object.entries(written.fields)
  const settled = isSettled(view, written.at, oracle)
  const configured = base(written, view, CONFIGURE)
  const read = base(written, view, 'ARCHIVING-READ')
  const strange = fields.find(([name, value]) => record[name] !== undefined && !resembles(record[name], value))
  if (!fields.some(([name, value]) => record[name] !== undefined && resembles(record[name], value))) {
    // Other names for the fields are possible: only what is empty, or says something else, is not what was configured.
    if (Object.keys(record).length > 0 && !strange) return [{ ...configured, outcome: 'inconclusive' }]
    if (!settled) return [{ ...configured, outcome: 'inconclusive' }]
    return [
      {
        ...configured,
        outcome: 'broken',
        message: 'an archiving configuration that was accepted is not there',
        expected: shown(written.fields),
        actual: shown(record),
      },
    ]
  }
  const held: Judgement = { ...configured, outcome: 'held' }
  if (!strange) return [held, { ...read, outcome: 'held' }]
  if (!settled) return [held, { ...read, outcome: 'inconclusive' }]
  const [name, value] = strange
  return [
    held,
    {
      ...read,
      outcome: 'broken',
      pointer: `/${name}`,
      message: `the field ${name} is read back with another value than was sent`,
      expected: shown(value),
      actual: shown(record[name]),
    },
  ]
}

function judgeDeleted(
  deleted: Written,
  record: Readonly<Record<string, unknown>>,
  view: ExchangeView,
  oracle: Oracle,
): Judgement {
  const about_ = base(deleted, view, 'ARCHIVING-DELETE')
  const known = Object.entries(deleted.fields).filter(([name]) => record[name] !== undefined)
  const still = known.length > 0 && known.every(([name, value]) => resembles(record[name], value))
  if (!still) return { ...about_, outcome: 'held' }
  if (!isSettled(view, deleted.at, oracle)) return { ...about_, outcome: 'inconclusive' }
  return {
    ...about_,
    outcome: 'broken',
    message: 'an archiving configuration that was deleted is still read',
    expected: 'none',
    actual: shown(record),
  }
}

function base(written: Written, view: ExchangeView, requirement: string): Omit<Judgement, 'outcome'> {
  return { ...about(view), operation: written.operation, requirement, exchanges: [written.exchange, view.id] }
}
