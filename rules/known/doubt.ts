import { createHash } from 'node:crypto'
import type { TargetOperation } from '../../schemas/binding.ts'
import { namesIn } from '../../schemas/json.ts'
import { type Aged, Newest } from '../core/newest.ts'
import type { Oracle } from '../core/rule.ts'
import { type ExchangeView, jsonOf } from '../core/view.ts'
import { ADMISSIONS, Passing, PERSISTENT } from './passing.ts'

/**
 * Why a read that shows the state before a change proves nothing yet, in words; undefined: it counts. `changedAt`: when
 * the change was answered, milliseconds since the epoch. Nothing says that reads are up to date at once. Whatever a read
 * shows of before, and however often, it counts once the settle time has passed.
 */
export function doubtOf(read: ExchangeView, changedAt: number, oracle: Oracle): string | undefined {
  const { exchange, late = [] } = read
  if (exchange._start < changedAt) return 'not judged: the read began before the response to the change'
  // What came late has undone what was changed meanwhile, and stays.
  if (doubtAbout(read) || late.some(({ since, until }) => changedAt >= since && changedAt < until)) return COMES_LATE
  if (exchange._start - changedAt >= oracle.settleMs) return undefined
  return `not judged: the read came within the settle time of ${oracle.settleMs} ms`
}

/** Whether a read counts: see `doubtOf`. */
export function isSettled(read: ExchangeView, changedAt: number, oracle: Oracle): boolean {
  return doubtOf(read, changedAt, oracle) === undefined
}

/** Requests whose server errors are counted; the oldest are forgotten. */
const MOST = 1_000
/** Milliseconds after which nothing is carried out any more of which the answer never came. */
export const LATE_MS = 30_000
const COMES_LATE = 'not judged: an earlier request of the case got no response, and may be carried out only now'
/** Characters up to which a body is kept as it is to be compared. */
const SHORT = 200

/** Server errors to one request. */
interface Failing extends Aged {
  count: number
  /** when the first of them was sent */
  since: number
}

/** Decides for all rules what the failures of a target say. */
export interface Failures {
  /**
   * A server error says nothing by itself: a target may have a bad moment, and a 5xx is no refusal. It counts as an
   * answer only after repeated server errors. The same request of the same case got nothing else, while the target
   * carried out another request in between. How many it takes depends on how often errors were over soon. Until then the
   * view that is returned is not conclusive.
   */
  weigh(view: ExchangeView): ExchangeView
}

export function createFailures(): Failures {
  const failing = new Newest<Failing>()
  /** case -> when a request was sent that was carried out, since requests fail */
  const working = new Newest<Aged & { at: number }>()
  const passing = new Passing()
  /** case -> what may still be carried out, or was since */
  const late = new Newest<Aged & { changes: Lost[] }>()

  function note<V extends Aged>(values: Newest<V>, key: string, make: () => V): V {
    const value = values.of(key, make)
    if (values.size > MOST) values.forgetOldest()
    return value
  }

  function weighAlone(view: ExchangeView): ExchangeView {
    const { _case = '', _start: start } = view.exchange
    if (isAskedAgain(view)) return inconclusive(view, PERSISTENT)
    if (isServerError(view)) {
      const known = note(failing, keyOf(view), () => ({ count: 0, since: 0, used: 0 }))
      if (known.count === 0) known.since = start
      known.count += 1
      const works = (working.find(_case)?.at ?? Number.NEGATIVE_INFINITY) >= known.since
      const enough = passing.persistent
      return works && known.count >= enough ? view : inconclusive(view, enough)
    }
    if (!view.conclusive) return view
    // Most targets never fail, and then nothing is noted or looked up.
    const known = failing.size === 0 ? undefined : failing.find(keyOf(view))
    passing.note(known?.count ?? 0)
    if (failing.size === 0) return view
    if (known) known.count = 0
    if (view.accepted) note(working, _case, () => ({ at: 0, used: 0 })).at = start
    return view
  }

  return {
    weigh(view) {
      const { operation, params, request } = view
      const { _case = '', _end: since } = view.exchange
      const weighed = weighAlone(view)
      const before = late.size === 0 ? [] : bearingOn(view, late.find(_case)?.changes ?? [])
      if (_case !== '' && mayComeLate(view)) {
        const { changes } = note(late, _case, () => ({ changes: [], used: 0 }))
        const sent = { operation, ids: Object.values(params), named: namesIn(jsonOf(request)) }
        if (changes.push({ since, until: since + LATE_MS, ...sent }) > MOST) changes.shift()
      }
      if (before.length === 0) return weighed
      return Object.create(weighed, { late: { value: before, enumerable: true } }) as ExchangeView
    },
  }
}

/** In words: what seems wrong may be the work of something that its case sent before. Undefined: nothing comes late. */
export function doubtAbout({ exchange, late }: ExchangeView): string | undefined {
  return late?.some(({ until }) => exchange._start < until) ? COMES_LATE : undefined
}

/** A change of which no response came: the ids in its path, the outermost first, and the texts of its body. */
interface Lost {
  readonly since: number
  readonly until: number
  readonly operation: TargetOperation | undefined
  readonly ids: readonly string[]
  readonly named: readonly string[]
}

/**
 * The changes that may show in an exchange: that of a thing shows in it, in what holds it and in what it names. A removal
 * may show in anything for a while: in what the thing holds, and in what refers to it.
 */
function bearingOn({ operation, params, exchange }: ExchangeView, changes: readonly Lost[]): readonly Lost[] {
  const ids = Object.values(params)
  const last = ids.at(-1) ?? ''
  return changes.filter(({ operation: { verb = 'remove', type } = {}, ids: own, named, until }) => {
    if (verb === 'remove' && exchange._start < until) return true
    const isWithin = ids.every((id) => own.includes(id))
    if (operation?.verb === 'list') return isWithin && operation.type === type
    return isWithin || own.at(-1) === last || named.includes(last)
  })
}

/** Whether the target itself failed; 502, 503, 504 and the like speak of the moment, and are never conclusive. */
function isServerError({ conclusive, status }: ExchangeView): boolean {
  return conclusive && status >= 500
}

/** How often a run sends the same again: a state was in the way, or everybody was kept out, perhaps for others' sake. */
const TRIES: ReadonlyMap<number, number> = new Map([
  [409, PERSISTENT],
  [401, ADMISSIONS],
  [403, ADMISSIONS],
])

/** Whether the run sent the same again, since the refusal may be one of the moment. */
function isAskedAgain({ conclusive, status, exchange }: ExchangeView): boolean {
  return conclusive && (exchange._attempt ?? PERSISTENT) < (TRIES.get(status) ?? 0)
}

/**
 * Whether a request may still be carried out after its end: nothing came back, or somebody between gave up waiting. A
 * target that answers 500 by itself is done with it.
 */
export function mayComeLate({ operation, conclusive, status, exchange }: ExchangeView): boolean {
  if (operation?.effect === 'read' || exchange._outcome === 'refused') return false
  return exchange._outcome === 'complete' ? status > 501 && !conclusive : status === 0
}

/** The view of another form of the same exchange, taken for what the first is. */
export function weighedLike(weighed: ExchangeView, other: ExchangeView): ExchangeView {
  return weighed.failing === undefined ? other : inconclusive(other, weighed.failing)
}

function inconclusive(view: ExchangeView, failing: number): ExchangeView {
  const weighed = { conclusive: { value: false, enumerable: true }, failing: { value: failing, enumerable: true } }
  return Object.create(view, weighed) as ExchangeView
}

function keyOf({ exchange: { _case = '', request } }: ExchangeView): string {
  const text = request.postData?.text ?? ''
  const body = text.length > SHORT ? createHash('sha1').update(text).digest('base64') : text
  return `${_case} ${request.method} ${request.url} ${body}`
}
