import type { Judgement } from '../../core/judgement.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type ExchangeRule } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'

/** The ids in a list of enterprise keys tell the keys apart, and `created` is in milliseconds (section 'Key resource'). */
export const keysRule: ExchangeRule = {
  name: 'keys',
  operations: ['list-enterprise-keys'],
  judge(view) {
    if (view.operation?.id !== 'list-enterprise-keys' || !view.accepted) return []
    const list = jsonOf(view.response)
    if (!Array.isArray(list)) return []
    return [...judgeIds(view, list), ...judgeCreated(view, list)]
  },
}

const YEAR_MS = 31_556_952_000
/** The first moment of 2001, in milliseconds. */
const LONG_AGO = Date.UTC(2001, 0)

/**
 * A key that was made before the run: a time that lies before 2001 read as milliseconds, and within two decades of now
 * read as seconds, is surely in seconds.
 */
function judgeCreated(view: ExchangeView, list: readonly unknown[]): Judgement[] {
  const times = list.filter(isRecord).flatMap(({ created }) => (Number.isInteger(created) ? [Number(created)] : []))
  if (times.length === 0) return []
  const base = { ...about(view), requirement: 'KEY-CREATED-UNIT', exchanges: [view.id], pointer: '*/created' }
  const now = view.exchange._start
  const wrong = times.find((time) => {
    const inSeconds = time * 1000
    return time < LONG_AGO && inSeconds > Math.max(LONG_AGO, now - 20 * YEAR_MS) && inSeconds < now + YEAR_MS
  })
  if (wrong === undefined) return [{ ...base, outcome: 'held' }]
  const actual = `${wrong}, which is ${new Date(wrong * 1000).toISOString()} in seconds`
  const message = 'created of a key is in seconds'
  return [{ ...base, outcome: 'broken', message, expected: 'milliseconds since 1970', actual }]
}

function judgeIds(view: ExchangeView, list: readonly unknown[]): Judgement[] {
  const ids = list.filter(isRecord).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  if (ids.length < 2) return []
  const base = { ...about(view), requirement: 'KEY-ID-UNIQUE', exchanges: [view.id] }
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice === undefined) return [{ ...base, outcome: 'held' }]
  return [
    {
      ...base,
      outcome: 'broken',
      message: 'two keys have the same id',
      expected: 'an id of its own for each key',
      actual: `${shown(twice)} stands twice`,
    },
  ]
}
