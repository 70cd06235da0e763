import type { Binding } from '../../../schemas/binding.ts'
import type { Operation } from '../../../schemas/operations.ts'
import type { ProbeName } from '../../../schemas/types/intents.ts'
import { broken, held, unclear } from '../../core/judgement.ts'
import { listIn, recordIn, showsThing } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { claimOf, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { type GroupRule, since } from '../../known/groups.ts'
import { MOST_PERSISTENT, PERSISTENT } from '../../known/passing.ts'

const PROBES: ReadonlySet<ProbeName | undefined> = new Set(['good-request', 'needed', 'sibling'])

/** Different good requests that have to fail, where a body can differ. One that reads or deletes may have no other form. */
const ENOUGH = 3
const MOST_TRIES = 40

/** Statuses that speak of the state of a thing, of a plan or of the moment: a good request may get them for a while. */
const OF_THE_STATE = new Set([402, 409, 412, 423, 425, 428])

/** What findings of this rule are called. */
export const FAILS = 'every good request fails'

/**
 * An operation whose path the text gives has to work: 'Response 200', 'success with no body' (section 'Endpoints'). Its
 * stated response is broken under four conditions. The things that it needs were read back or listed. Another operation
 * of its family was carried out with the same credentials. Several different good requests all failed. And none
 * succeeded in the whole run.
 */
export const worksRule: GroupRule = {
  sees: ({ intent }) => PROBES.has(intent?.probe),
  judge(view, before, oracle) {
    const { specified, intent } = view
    if (!specified || intent?.probe !== 'good-request' || intent.data?.last !== true) return []
    const all = [...before, view]
    const good = all.filter((one) => one.intent?.probe === 'good-request')
    // A sample of a binding may break a constraint itself: it is no good request.
    const tries = telling(good.filter(({ violations }) => violations.length === 0).slice(-MOST_TRIES), specified)
    const smallest = smallestOf(tries)
    if (!smallest || good.some(({ accepted }) => accepted)) return []
    const trial = { tries, shown: shownIn(all, oracle), ...siblingsIn(all) }
    const needs = tries.flatMap((one) => idsIn(one, oracle.binding).map((id) => trial.shown.get(id)))
    const proof = [trial.reads, trial.changes, ...needs, smallest].flatMap((one) => one?.id ?? [])
    const claim = claimOf(specified.response.statusRequirement, [view], { edge: FAILS, exchanges: [...new Set(proof)] })
    const open = openQuestion(trial, specified, oracle)
    if (open !== undefined) return [unclear(claim, `not judged: ${open}`)]
    const { status } = specified.response
    return [
      {
        ...claim,
        outcome: 'failed',
        message: `no good request of ${specified.id} succeeds, although its resources exist and the credentials are right`,
        expected: `${status === 'success' ? 'success' : `status ${status}`} for one of ${tries.length} good requests`,
        actual: resultsOf(tries),
      },
    ]
  },
}

/**
 * The tries that got a response. A lost one may have been carried out, so that later ones like it fail: they are left out,
 * too. If that leaves half of the tries or fewer, all are returned, and nothing follows.
 */
function telling(tries: readonly ExchangeView[], { effect }: Operation): readonly ExchangeView[] {
  const lost = tries.filter(isLost)
  const touched = new Set(effect === 'read' ? [] : lost.map(sentIn))
  const left = tries.filter((one) => !isLost(one) && !touched.has(sentIn(one)))
  return left.length * 2 > tries.length ? left : tries
}

/** Whether a request got no whole response, or was put off. */
function isLost({ conclusive, failing }: ExchangeView): boolean {
  return !conclusive && failing === undefined
}

/** What the requests of a group tell of an operation. */
interface Trial {
  /** different good requests, all of which failed */
  readonly tries: readonly ExchangeView[]
  /** ids that reads and lists have shown -> the newest of these */
  readonly shown: ReadonlyMap<string, ExchangeView>
  /** the newest accepted requests of other operations: of one that only reads, and of one that changes something */
  readonly reads: ExchangeView | undefined
  readonly changes: ExchangeView | undefined
}

function siblingsIn(all: readonly ExchangeView[]): Pick<Trial, 'reads' | 'changes'> {
  const others = all.filter(({ accepted, intent }) => accepted && intent?.probe !== 'good-request')
  return {
    reads: others.findLast(({ operation }) => operation?.effect === 'read'),
    changes: others.findLast(({ operation }) => operation && operation.effect !== 'read'),
  }
}

/** The ids that a request names: in its path, and in the body under the names of resources. Where a tap looks is a gap. */
function idsIn({ params, request }: ExchangeView, binding: Binding): string[] {
  const { component_id: _component, ...named } = params
  const body = jsonOf(request)
  const inBody = [...binding.resources.values()].flatMap(({ id }) =>
    isRecord(body) ? [body[id], body[`${id}s`]].flat() : [],
  )
  return [...Object.values(named), ...inBody.filter((id) => typeof id === 'string')].map((id) => id.toLowerCase())
}

/** '' where they are not all as configured: then they prove nothing. */
function credentialsOf({ credentials }: ExchangeView): string {
  const right = credentials.length > 0 && credentials.every(({ state }) => state === 'configured')
  return right ? credentials.map(({ scheme }) => scheme).join(' ') : ''
}

function shownIn(all: readonly ExchangeView[], { binding }: Oracle): Trial['shown'] {
  const looks = all.filter(({ accepted, intent }) => accepted && intent?.probe === 'needed')
  return new Map(looks.flatMap((view) => shownBy(view, binding).map((id) => [String(id).toLowerCase(), view] as const)))
}

function shownBy(view: ExchangeView, { resources }: Binding): unknown[] {
  return [...resources].flatMap(([type, { id, key = 'id', read, list }]) => {
    const isThere = (record: Record<string, unknown> | undefined): boolean => type !== 'member' || !isInactive(record)
    if (view.operation?.id === list) return (listIn(view) ?? []).filter(isThere).map((element) => element[key])
    if (view.operation?.id !== read) return []
    const one = view.params[id] ?? view.params.id ?? ''
    const isShown = view.response.kind === 'json' && showsThing(view, one, key) !== false
    return isShown && isThere(recordIn(view)) ? [one] : []
  })
}

const INACTIVE = /^(pending|invited|inactive|disabled|suspended|deleted|archived)$/i

/** Whether a member's record says that it is no active one: somebody who was invited may be listed, and not be a member yet. */
export function isInactive(record: Readonly<Record<string, unknown>> | undefined): boolean {
  return Object.entries(record ?? {}).some(([name, value]) => {
    if (/^(active|confirmed|accepted)$/i.test(name)) return value === false
    if (/^(pending|invited|deleted|disabled)$/i.test(name)) return value === true
    return /status|state/i.test(name) && typeof value === 'string' && INACTIVE.test(value)
  })
}

/** Why nothing follows from the tries; undefined: the operation does not work. */
function openQuestion(
  { tries, shown, reads, changes }: Trial,
  { id: operation, effect, family, request }: Operation,
  { binding }: Oracle,
): string | undefined {
  const early = tries.find((one) => isLost(one) || OF_THE_STATE.has(one.status))
  if (early) return `a good request was put off, or the state of its resource prevented it (${early.status})`
  const broken = tries.filter(({ status }) => status >= 500 && !ABSENT.has(status))
  if (broken.length === tries.length && broken.length < PERSISTENT) return 'the target may have had a bad moment'
  const unknown = tries.flatMap((one) => idsIn(one, binding)).find((id) => !shown.has(id))
  if (unknown !== undefined) return 'no read and no list showed what the operation needs'
  if (new Set(tries.map(sentIn)).size < (request ? ENOUGH : 1)) return 'too few different requests were tried'
  const credentials = tries[0] ? credentialsOf(tries[0]) : ''
  const isSame = (sibling: ExchangeView | undefined): boolean =>
    sibling?.operation?.family === family && credentialsOf(sibling) === credentials && credentials !== ''
  const refused = tries.some(({ status }) => status === 401 || status === 403)
  const proven = refused && effect !== 'read' ? isSame(changes) : isSame(reads) || isSame(changes)
  if (!proven) return 'no other operation of its family was carried out with the same credentials'
  const statuses = new Set(tries.map(({ status }) => status))
  // No content of a request brings these about: the operation is not there, or is broken.
  if ([...statuses].every((status) => status >= 500 || status < 400 || ABSENT.has(status))) return undefined
  // If all of them get one and the same answer, the cause is not an unknown value. But the form of a component is a
  // gap.
  const isGuessed = operation === 'start-tap' && !binding.answers.has('GAP-TAP-COMPONENT')
  if (!isGuessed && statuses.size === 1 && [404, 410].some((status) => statuses.has(status))) return undefined
  if (tries.some(isSure)) return undefined
  return 'each of the good requests needs something that the text does not show'
}

const ABSENT = new Set([401, 403, 405, 501])

/** Whether a request rests on no gap. */
function isSure({ intent }: ExchangeView): boolean {
  return intent?.data?.sure === true
}

/** Tells different requests apart. */
function sentIn({ exchange: { request } }: ExchangeView): string {
  return `${request.url} ${request.postData?.text ?? ''}`
}

function smallestOf(tries: readonly ExchangeView[]): ExchangeView | undefined {
  const sure = tries.filter(isSure)
  return [...(sure.length > 0 ? sure : tries)].sort((a, b) => sentIn(a).length - sentIn(b).length)[0]
}

/** 'status 404: the first, limit 10; status 400: another component' */
function resultsOf(tries: readonly ExchangeView[]): string {
  const statuses = [...new Set(tries.map(({ status }) => status))]
  const kindsOf = (status: number): Set<string> =>
    new Set(tries.flatMap((one) => (one.status === status ? (one.intent?.edge ?? '') : [])))
  return statuses.map((status) => `status ${status}: ${[...kindsOf(status)].join(', ')}`).join('; ')
}

/**
 * An operation that worked and then breaks the server with every good request, until the end of the run, does not work
 * (section 'Endpoints'). Its state is the newest request that was carried out, and those after it that broke the server.
 */
export const lastsRule: HistoryRule<readonly ExchangeView[]> = {
  name: 'operation goes on working',
  bound: 100,
  intended: true,
  timeless: true,
  acrossCases: true,
  key: ({ specified, intent }) => (intent?.kind === 'base' ? specified?.id : undefined),
  init: () => [],
  step(seen, view) {
    const isHurt = seen.length > 0 && view.status === 500 && view.violations.length === 0
    const state = view.accepted ? [view] : isHurt ? [...seen.slice(0, MOST_PERSISTENT), view] : seen
    return { state, judgements: [] }
  },
  end(seen) {
    const last = seen.at(-1)
    const hurt = seen.slice(1)
    const cases = new Set(hurt.map(({ exchange }) => exchange._case))
    if (!last?.specified || hurt.length < (last.failing ?? PERSISTENT) || cases.size < 2) return []
    const { id, response } = last.specified
    const claim = claimOf(response.statusRequirement, seen)
    const message = `${id} works no more: all good requests since then break the server`
    return [broken(claim, { message, expected: `status ${response.status}, as before`, actual: 'status 500' })]
  },
}

/** Statuses that may refuse the form of a request. */
const OF_THE_FORM = new Set([400, 415, 422, 500])

/**
 * A request in a stated form was refused, while the same request in another form was carried out. After it the stated
 * form was refused again. So the form was refused, and not something that was not ready. A binding can state a form
 * too. The intent of the stated form is a base that names the requirement (such as USAGE-V1-TIMES), that of other forms
 * has the probe `other-form`.
 */
export const formsRule: GroupRule = {
  sees: (view) => view.intent?.requirement !== undefined && (isStated(view) || isOther(view)),
  judge(view, before) {
    if (isOther(view)) return []
    const requirement = view.intent?.requirement ?? ''
    const edge = view.intent?.edge ?? ''
    if (view.accepted) return [held(claimOf(requirement, [view], { edge }))]
    if (!isRefused(view)) return []
    const same = before.filter(({ intent }) => intent?.requirement === requirement)
    const tried = since(same, (one) => isStated(one) && one.accepted)
    const other = tried.findLast((one) => isOther(one) && one.accepted)
    const refused = other && tried.slice(0, tried.indexOf(other)).findLast(isRefused)
    if (!refused || !other) return []
    return [
      broken(claimOf(requirement, [refused, other, view], { edge }), {
        message: 'the stated form is refused, while another one is taken',
        expected: 'the stated form is taken',
        actual: `status ${view.status}`,
      }),
    ]
  },
}

function isStated({ intent }: ExchangeView): boolean {
  return intent?.data?.form === true
}

function isOther({ intent }: ExchangeView): boolean {
  return intent?.probe === 'other-form'
}

function isRefused(view: ExchangeView): boolean {
  return isStated(view) && view.conclusive && OF_THE_FORM.has(view.status)
}
