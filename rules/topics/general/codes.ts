import { at } from '../../../schemas/pointer.ts'
import { about, type HistoryRule } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { jsonOf } from '../../core/view.ts'

/** condition of the error table -> the code that it was answered with, and the exchange */
type Codes = ReadonlyMap<string, { readonly code: string; readonly exchange: string }>

const BESIDE_THE_POINT = new Set([401, 403, 405, 408, 413, 415, 429])

/** `code` is unique for the kind of error (section 'Error response'): two conditions of one operation have two codes. */
export const codesRule: HistoryRule<Codes> = {
  name: 'codes',
  intended: true,
  bound: 1_000,
  key: ({ intent, specified }) =>
    intent?.kind === 'provoke' && specified?.errors.some(({ condition }) => condition === intent.probe)
      ? specified.id
      : undefined,
  init: () => new Map(),
  step(state, view) {
    const condition = view.intent?.probe ?? ''
    const code = at(jsonOf(view.response), '/code')
    const refused = view.conclusive && view.status >= 400 && view.status < 500 && !BESIDE_THE_POINT.has(view.status)
    if (!refused || typeof code !== 'string') return { state, judgements: [] }
    const next = new Map(state).set(condition, { code, exchange: view.id })
    const [other] = [...state].filter(([known]) => known !== condition)
    if (!other) return { state: next, judgements: [] }
    const same = [...state].find(([known, seen]) => known !== condition && seen.code === code)
    const base = {
      ...about(view),
      requirement: 'ERROR-BODY-CODE-UNIQUE',
      exchanges: [(same ?? other)[1].exchange, view.id],
    }
    if (!same) return { state: next, judgements: [{ ...base, outcome: 'held' }] }
    return {
      state: next,
      judgements: [
        {
          ...base,
          outcome: 'broken',
          pointer: '/code',
          message: `the conditions '${same[0]}' and '${condition}' have the same code`,
          expected: `another code than ${shown(code)}`,
          actual: shown(code),
        },
      ],
    }
  },
  end: () => [],
}
