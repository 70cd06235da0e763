import type { Binding } from '../../../schemas/binding.ts'
import { setBounded } from '../../../schemas/bounded.ts'
import type { Operation } from '../../../schemas/operations.ts'
import type { ProbeName } from '../../../schemas/types/intents.ts'
import { broken, held, type Judgement, unclear } from '../../core/judgement.ts'
import { listIn, madeBy, recordIn, showsThing } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { claimOf, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { isBreakdown, says } from '../../core/says.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { type GroupRule, since } from '../../known/groups.ts'
import { MOST_PERSISTENT, PERSISTENT } from '../../known/passing.ts'

const PROBES: ReadonlySet<ProbeName | undefined> = new Set(['good-request', 'needed', 'sibling'])

/** Different good requests that have to fail, where a body can differ. One that reads or deletes may have no other form. */
const ENOUGH = 3
const MOST_TRIES = 40
/** Requests of one case, and things that the run made, that are kept: the newest. */
const MOST = 200
const MOST_MADE = 5_000

/** What findings of this rule are called. */
export const FAILS = 'every good request fails'

/** What a run has seen of whether operations work. */
interface Seen {
  /** ids of what it made and did not remove -> the request that made it */
  readonly made: Map<string, string>
  /** group -> what a case has sent of one operation, all of which failed, with what it needs and its siblings */
  readonly tries: Map<string, ExchangeView[]>
  /** operation -> the newest good request that was carried out, and those after it that broke the server */
  readonly since: Map<string, readonly ExchangeView[]>
}

/**
 * An operation whose path the text gives has to work, until the end of the run: 'Response 200', 'success with no body'
 * (section 'Endpoints'). Its stated response is broken where several different good requests all failed, and none
 * succeeded in the whole run. Neither credentials nor what it needs may be the cause: see `openQuestion`. One that
 * worked, and then breaks the server with every good request, does not work either. Its history is its own, since
 * things are made in other cases, and only the end of a run shows the rest.
 */
export const worksRule: HistoryRule<Seen> = {
  name: 'operations work',
  bound: 1,
  intended: true,
  timeless: true,
  acrossCases: true,
  key: ({ intent, operation, accepted }) =>
    intent && (PROBES.has(intent.probe) || intent.kind === 'base' || (accepted && operation?.type !== undefined))
      ? 'run'
      : undefined,
  init: () => ({ made: new Map(), tries: new Map(), since: new Map() }),
  step(seen, view, oracle) {
    noteMade(seen.made, view, oracle)
    noteSince(seen.since, view)
    return { state: seen, judgements: judgeTries(seen, view, oracle) }
  },
  end: (seen) => [...seen.since.values()].flatMap(worksNoMore),
}

function noteMade(made: Map<string, string>, view: ExchangeView, { binding }: Oracle): void {
  const { verb, type = '' } = view.operation ?? {}
  // Somebody who was invited is no member yet.
  if (!view.accepted || type === 'member') return
  if (verb === 'create') {
    const id = madeBy(view, binding, type)
    if (id !== undefined) setBounded(made, id.toLowerCase(), view.id, MOST_MADE)
  } else if (verb === 'remove') {
    for (const id of Object.values(view.params)) made.delete(id.toLowerCase())
  }
}

function judgeTries({ tries: all, made }: Seen, view: ExchangeView, oracle: Oracle): readonly Judgement[] {
  const { specified, intent } = view
  const { group = '', probe } = intent ?? {}
  if (!PROBES.has(probe)) return []
  const known = [...(all.get(group) ?? []), view].slice(-MOST)
  setBounded(all, group, known, MOST)
  if (!specified || probe !== 'good-request' || intent?.data?.last !== true) return []
  all.delete(group)
  const good = known.filter((one) => one.intent?.probe === 'good-request')
  // A sample of a binding may break a constraint itself: it is no good request.
  const tries = telling(good.filter(({ violations }) => violations.length === 0).slice(-MOST_TRIES), specified)
  const smallest = smallestOf(tries)
  if (!smallest || good.some(({ accepted }) => accepted)) return []
  const trial = { tries, made, shown: shownIn(known, oracle), ...siblingsIn(known) }
  const needs = tries.flatMap((one) =>
    idsIn(one, oracle.binding).flatMap((id) => trial.shown.get(id)?.id ?? made.get(id) ?? []),
  )
  const proof = [trial.reads, trial.changes].flatMap((one) => one?.id ?? [])
  const claim = claimOf(specified.response.statusRequirement, [view], {
    edge: FAILS,
    exchanges: [...new Set([...proof, ...needs, smallest.id])],
  })
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
  /** ids of what the run made */
  readonly made: ReadonlyMap<string, string>
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
  { tries, shown, made, reads, changes }: Trial,
  { id: operation, effect, family, request }: Operation,
  { binding }: Oracle,
): string | undefined {
  const early = tries.find((one) => isLost(one) || says(one, 'state'))
  if (early) return `a good request was put off, or the state of its resource prevented it (${early.status})`
  // They say that the operation is not there, whoever asks and whatever is named.
  if (tries.every((one) => says(one, 'operation'))) return undefined
  const ids = tries.map((one) => idsIn(one, binding))
  // How a component is named is a gap, which a target may read otherwise.
  const isGuessed = operation === 'start-tap' && !binding.answers.has('GAP-TAP-COMPONENT')
  const isMissing = !isGuessed && tries.every((one) => says(one, 'thing'))
  // One thing may have got lost. Of two that were made a moment ago, or of none, nothing is missing.
  const isOne = ids.flat().length > 0 && new Set(ids.map(String)).size === 1
  if (isMissing && !isOne && ids.flat().every((id) => made.has(id))) return undefined
  if (tries.every(isBreakdown) && tries.length < PERSISTENT) return 'the target may have had a bad moment'
  if (!ids.flat().every((id) => shown.has(id))) return 'no read and no list showed what the operation needs'
  if (new Set(tries.map(sentIn)).size < (request ? ENOUGH : 1)) return 'too few different requests were tried'
  const credentials = tries[0] ? credentialsOf(tries[0]) : ''
  const isSame = (sibling: ExchangeView | undefined): boolean =>
    sibling?.operation?.family === family && credentialsOf(sibling) === credentials && credentials !== ''
  const refused = tries.some((one) => says(one, 'caller'))
  const proven = refused && effect !== 'read' ? isSame(changes) : isSame(reads) || isSame(changes)
  if (!proven) return 'no other operation of its family was carried out with the same credentials'
  // No content of a request brings these about: the operation is not there, or is broken.
  if (tries.every((one) => one.status < 400 || isBreakdown(one) || says(one, 'caller', 'operation'))) return undefined
  // If all of them get one and the same answer, the cause is not an unknown value.
  if (isMissing && new Set(tries.map(({ status }) => status)).size === 1) return undefined
  return tries.some(isSure) ? undefined : 'each of the good requests needs something that the text does not show'
}

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

function noteSince(since: Map<string, readonly ExchangeView[]>, view: ExchangeView): void {
  const { specified, intent, status, violations, accepted } = view
  if (!specified || intent?.kind !== 'base') return
  const seen = since.get(specified.id) ?? []
  const isHurt = seen.length > 0 && status === 500 && violations.length === 0
  if (accepted) since.set(specified.id, [view])
  else if (isHurt) since.set(specified.id, [...seen.slice(0, MOST_PERSISTENT), view])
}

/** An operation whose good requests all break the server since the first of these. */
function worksNoMore(seen: readonly ExchangeView[]): readonly Judgement[] {
  const last = seen.at(-1)
  const hurt = seen.slice(1)
  const cases = new Set(hurt.map(({ exchange }) => exchange._case))
  if (!last?.specified || hurt.length < (last.failing ?? PERSISTENT) || cases.size < 2) return []
  const { id, response } = last.specified
  const claim = claimOf(response.statusRequirement, seen)
  const message = `${id} works no more: all good requests since then break the server`
  return [broken(claim, { message, expected: `status ${response.status}, as before`, actual: 'status 500' })]
}

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
  return isStated(view) && view.conclusive && (says(view, 'value', 'form') || isBreakdown(view))
}
