import { at } from '../../../schemas/pointer.ts'
import { operationsOn } from '../../../schemas/service.ts'
import { broken, decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import { listIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { claimOf, type ExchangeRule, type Rule } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import type { GroupRule } from '../../known/groups.ts'
import type { Kind } from '../../known/kinds.ts'
import { looking, type Made, sightingsOf, type Things } from '../../known/things.ts'

const LISTING = operationsOn('enterprise-key', 'list')

/** The ids in a list of enterprise keys tell the keys apart, and `created` is in milliseconds (section 'Key resource'). */
export const keysRule: ExchangeRule = {
  name: 'keys',
  operations: LISTING,
  judge(view) {
    const list = view.accepted ? jsonOf(view.response) : undefined
    if (!Array.isArray(list)) return []
    return [...judgeIds(view, list), ...judgeCreated(view, list)]
  },
}

const YEAR_MS = 31_556_952_000
/** The first moment of 2001, in milliseconds. */
const LONG_AGO = Date.UTC(2001, 0)

/**
 * A key from before the run. A time before 2001 when read as milliseconds, and within two decades of now when read as
 * seconds, is surely in seconds.
 */
function judgeCreated(view: ExchangeView, list: readonly unknown[]): Judgement[] {
  const times = list.filter(isRecord).flatMap(({ created }) => (Number.isInteger(created) ? [Number(created)] : []))
  if (times.length === 0) return []
  const claim = claimOf('KEY-CREATED-UNIT', [view], { pointer: '*/created' })
  const now = view.exchange._start
  const wrong = times.find((time) => {
    const inSeconds = time * 1000
    return time < LONG_AGO && inSeconds > Math.max(LONG_AGO, now - 20 * YEAR_MS) && inSeconds < now + YEAR_MS
  })
  if (wrong === undefined) return [held(claim)]
  const actual = `${wrong}, which is ${new Date(wrong * 1000).toISOString()} in seconds`
  const message = 'created of a key is in seconds'
  return [broken(claim, { message, expected: 'milliseconds since 1970', actual })]
}

function judgeIds(view: ExchangeView, list: readonly unknown[]): Judgement[] {
  const ids = list.filter(isRecord).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  if (ids.length < 2) return []
  const claim = claimOf('KEY-ID-UNIQUE', [view])
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  const expected = 'an id of its own for each key'
  const fault = { message: 'two keys have the same id', expected, actual: `${shown(twice)} stands twice` }
  return [decide(claim, twice === undefined ? undefined : fault)]
}

/**
 * KEY-KEY-AUTHENTICATES: `key` of a key authenticates requests (section 'Key resource'). The text does not say which
 * ones. KEY-KEY-SENDS-LINES: that of an ingestion key sends lines, where a binding says how. The run tries requests that
 * keys of its type are for. One success is enough, if the same request with an unknown key fails. The last try is marked
 * as final; `intent.data.unknown`: the key does not exist.
 */
export const authenticatesRule: GroupRule = {
  sees: ({ intent }) => intent?.probe === 'made-key',
  judge(view, before) {
    if (isUnknown(view)) return []
    const claim = (views: readonly ExchangeView[]) =>
      claimOf(view.specified ? 'KEY-KEY-AUTHENTICATES' : 'KEY-KEY-SENDS-LINES', views, { operation: LISTING[0] ?? '' })
    if (view.accepted) {
      const guarded = before.findLast(isUnknown)
      return guarded && isRefused(guarded) ? [held(claim([guarded, view])), ...judgeSecret(view)] : []
    }
    if (view.intent?.final !== true) return []
    const tried = [...before, view].filter((one) => !isUnknown(one) && !one.accepted)
    if (!tried.every(isRefused)) {
      return [unclear(claim([view]), 'not judged: a request with the key was neither carried out nor refused for it')]
    }
    return [
      broken(claim(tried), {
        message: 'the secret of a key that was made authenticates no request',
        expected: 'carried out',
        actual: `status ${view.status}, as with a key that nobody has`,
      }),
    ]
  },
}

/** A list that was got with the secret of a key shows whether others have the same: of secrets that are hidden, none is got. */
function judgeSecret(view: ExchangeView): Judgement[] {
  const list = listIn(view) ?? []
  const secret = list.find(({ id }) => id === view.intent?.data?.id)?.key
  const alike = list.filter(({ key }) => key === secret)
  if (typeof secret !== 'string' || list.length < 2) return []
  const claim = claimOf('KEY-KEY-UNIQUE', [view], { operation: LISTING[0] ?? '' })
  const message = 'keys share one secret'
  const fault = { message, expected: 'a secret for each', actual: `${alike.length} have the same` }
  return [decide(claim, alike.length === 1 ? undefined : fault)]
}

function isUnknown({ intent }: ExchangeView): boolean {
  return intent?.data?.unknown === true
}

function isRefused({ conclusive, status }: ExchangeView): boolean {
  return conclusive && (status === 401 || status === 403)
}

const HOUR_MS = 3_600_000
/** Milliseconds that a time may be beside the `Date` of the response to its creation. */
const OFF_MS = 5 * 60_000
/** The same of a target that does not tell what its clock shows, beside our own; its zone included. */
const FAR_OFF_MS = 36 * HOUR_MS
/** What a moment may be rounded to, in milliseconds. */
const ROUNDED_MS = 1_000

/**
 * KEY-CREATED-MILLISECONDS: `created` of a key is the time when it was made, in milliseconds (section 'Key resource').
 * It is near the time of the request that made it, and the same in each list. Only keys whose creation was seen are
 * judged, by their ids.
 */
export function keyCreatedWhenMade(kind: Kind): Rule<Things> {
  return looking(kind, (look, view, known, oracle) =>
    sightingsOf(known, view, kind, oracle).flatMap(({ made, id = '' }): Judgement[] => {
      const created = at(look.shows.get(id), '/created')
      // What is no whole number breaks the rule of its type, and that alone.
      if (typeof created !== 'number' || !Number.isInteger(created)) return []
      const exchanges = [made.exchange, view.id]
      const claim = claimOf('KEY-CREATED-MILLISECONDS', [view], { pointer: '*/created', exchanges, others: false })
      if (!isNear(created, made)) {
        const message = 'created of a key is not the time of its creation in milliseconds'
        const expected = `about ${Math.round(made.start)}, when it was made`
        return [broken(claim, { message, expected, actual: shown(created) })]
      }
      const { created: before } = made
      if (typeof before !== 'number' || Math.abs(created - before) <= roundingOf(created, before)) return [held(claim)]
      const message = 'two lists tell different times of the creation of one key'
      return [broken(claim, { message, expected: `${before}, as before`, actual: shown(created) })]
    }),
  )
}

function isNear(created: number, { start, at: end, date }: Made): boolean {
  if (!Number.isNaN(date)) return Math.abs(created - date) <= OFF_MS
  return created >= start - FAR_OFF_MS && created <= end + FAR_OFF_MS
}

/** Milliseconds that two statements of one moment may be apart: one of them may be rounded. */
function roundingOf(one: number, other: number): number {
  return one % ROUNDED_MS === 0 || other % ROUNDED_MS === 0 ? ROUNDED_MS : 0
}
