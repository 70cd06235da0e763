import type { Binding } from '../../../schemas/binding.ts'
import { probes } from '../../../schemas/intents.ts'
import type { Operation } from '../../../schemas/operations.ts'
import type { Judgement } from '../../core/judgement.ts'
import { listIn, recordIn, showsThing } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { PERSISTENT } from '../../known/failures.ts'

const PROBES: ReadonlySet<string | undefined> = new Set([probes.goodRequest, probes.needed, probes.sibling])

/** Different good requests that have to fail, where a body can differ. One that reads or deletes may have no other form. */
const ENOUGH = 3
const MOST_TRIES = 40
const MOST_SHOWN = 20_000

/** Statuses that speak of the state of a thing, of a plan or of the moment: a good request may get them for a while. */
const OF_THE_STATE = new Set([402, 409, 412, 423, 425, 428])

interface Try {
  readonly exchange: string
  readonly operation: Operation
  readonly status: number
  readonly conclusive: boolean
  /** it rests on no gap */
  readonly sure: boolean
  /** it needs these, which have to be shown */
  readonly ids: readonly string[]
  readonly credentials: string
  /** tells different requests apart */
  readonly sent: string
  readonly size: number
  readonly what: string
}

interface Trial {
  readonly tries: readonly Try[]
  readonly worked: boolean
  /** ids that reads and lists have shown -> the exchange */
  readonly shown: ReadonlyMap<string, string>
  /** the newest accepted requests of other operations: of one that only reads, and of one that changes something */
  readonly reads: Sibling | undefined
  readonly changes: Sibling | undefined
}

interface Sibling {
  readonly exchange: string
  readonly operation: string
  readonly family: string
  readonly credentials: string
}

/**
 * An operation whose path the text gives has to work: 'Response 200', 'success with no body' (section 'Endpoints'). Its
 * stated response is broken where what it needs was read back or listed, another operation of its family was carried out
 * with the same credentials, several different good requests all failed, and none succeeded in the whole run.
 */
export const worksRule: HistoryRule<Trial> = {
  name: 'works',
  intended: true,
  bound: 1_000,
  key: ({ intent }) => (PROBES.has(intent?.probe) ? intent?.group : undefined),
  init: () => ({ tries: [], worked: false, shown: new Map(), reads: undefined, changes: undefined }),
  step(trial, view, oracle) {
    switch (view.intent?.probe) {
      case probes.needed:
        return { state: { ...withSibling(trial, view), shown: withShown(trial.shown, view, oracle) }, judgements: [] }
      case probes.sibling:
        return { state: withSibling(trial, view), judgements: [] }
      default: {
        if (!view.specified) return { state: trial, judgements: [] }
        // A sample of a binding may break a constraint itself: it is no good request.
        const more = view.violations.length > 0 ? [] : [tryOf(view, view.specified, oracle)]
        const tries = [...trial.tries.slice(1 - MOST_TRIES), ...more]
        const state = { ...trial, tries, worked: trial.worked || view.accepted }
        if (state.worked || tries.length === 0 || view.intent?.data?.last !== true) return { state, judgements: [] }
        return { state, judgements: [verdictOf(state, view, view.specified, oracle)] }
      }
    }
  },
  end: () => [],
}

function tryOf(view: ExchangeView, operation: Operation, { binding }: Oracle): Try {
  const { request } = view.exchange
  return {
    exchange: view.id,
    operation,
    status: view.status,
    conclusive: view.conclusive || view.failing === true,
    sure: view.intent?.data?.sure === true,
    ids: idsIn(view, binding),
    credentials: credentialsOf(view),
    sent: `${request.url} ${request.postData?.text ?? ''}`,
    size: request.url.length + (request.postData?.text ?? '').length,
    what: view.intent?.edge ?? '',
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

function withSibling(trial: Trial, view: ExchangeView): Trial {
  if (!view.accepted || !view.operation) return trial
  const { id, family, effect } = view.operation
  const sibling = { exchange: view.id, operation: id, family, credentials: credentialsOf(view) }
  return effect === 'read' ? { ...trial, reads: sibling } : { ...trial, changes: sibling }
}

function withShown(shown: Trial['shown'], view: ExchangeView, { binding }: Oracle): Trial['shown'] {
  if (!view.accepted || shown.size > MOST_SHOWN) return shown
  const found = [...binding.resources].flatMap(([type, { id, key = 'id', read, list }]): unknown[] => {
    const isThere = (record: Record<string, unknown> | undefined): boolean => type !== 'member' || !isInactive(record)
    if (view.operation?.id === list) {
      const elements = listIn(view)?.filter(isThere) ?? []
      return elements.map((element) => element[key])
    }
    if (view.operation?.id !== read) return []
    const one = view.params[id] ?? view.params.id ?? ''
    const isShown = view.response.kind === 'json' && showsThing(view, one, key) !== false
    return isShown && isThere(recordIn(view)) ? [one] : []
  })
  return new Map([...shown, ...found.map((id) => [String(id).toLowerCase(), view.id] as const)])
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

function verdictOf(trial: Trial, view: ExchangeView, operation: Operation, oracle: Oracle): Judgement {
  const { tries } = trial
  const smallest = smallestOf(tries)
  const proof = [trial.reads, trial.changes].flatMap((sibling) => (sibling ? [sibling.exchange] : []))
  const needs = [...new Set(tries.flatMap(({ ids }) => ids.map((id) => trial.shown.get(id))))]
  const exchanges = [...proof, ...needs.filter((id) => id !== undefined)]
  const base = {
    ...about(view),
    requirement: operation.response.statusRequirement,
    edge: FAILS,
    exchanges: [...new Set([...exchanges, smallest.exchange])],
  }
  const open = openQuestion(trial, operation, oracle)
  if (open !== undefined) return { ...base, outcome: 'inconclusive', message: open }
  const { status } = operation.response
  return {
    ...base,
    outcome: 'failed',
    message: `no good request of ${operation.id} succeeds, though what it needs is there and the credentials are right`,
    expected: `${status === 'success' ? 'success' : `status ${status}`} for one of ${tries.length} good requests`,
    actual: resultsOf(tries),
  }
}

/** What findings of this rule are called. */
export const FAILS = 'every good request fails'

/** Why nothing follows from the tries; undefined: the operation does not work. */
function openQuestion(
  { tries, shown, reads, changes }: Trial,
  { id: operation, effect, family, request }: Operation,
  { binding }: Oracle,
): string | undefined {
  const unclear = tries.find(({ status, conclusive }) => !conclusive || OF_THE_STATE.has(status))
  if (unclear)
    return `a good request was put off, or the state of what it is about stood in its way (${unclear.status})`
  const broken = tries.filter(({ status }) => status >= 500 && !ABSENT.has(status))
  if (broken.length === tries.length && broken.length < PERSISTENT) return 'it may have been a bad moment of the target'
  const unknown = tries.flatMap(({ ids }) => ids).find((id) => !shown.has(id))
  if (unknown !== undefined) return 'what the operation needs was not shown by a read or a list'
  if (new Set(tries.map(({ sent }) => sent)).size < (request ? ENOUGH : 1))
    return 'too few different requests were tried'
  const credentials = tries[0]?.credentials ?? ''
  const isSame = (sibling: Sibling | undefined): boolean =>
    sibling !== undefined && sibling.family === family && sibling.credentials === credentials && credentials !== ''
  const refused = tries.some(({ status }) => status === 401 || status === 403)
  const proven = refused && effect !== 'read' ? isSame(changes) : isSame(reads) || isSame(changes)
  if (!proven) return 'no other operation of its family was carried out with the same credentials'
  const statuses = new Set(tries.map(({ status }) => status))
  // No content of a request brings these about: the operation is not there, or is broken.
  if ([...statuses].every((status) => status >= 500 || status < 400 || ABSENT.has(status))) return undefined
  // With one and the same answer to all of them it is not some value that was not found; but how a component is named is a gap.
  const isGuessed = operation === 'start-tap' && !binding.answers.has('GAP-TAP-COMPONENT')
  if (!isGuessed && statuses.size === 1 && [404, 410].some((status) => statuses.has(status))) return undefined
  if (tries.some(({ sure }) => sure)) return undefined
  return 'each of the good requests rests on something that the text does not show'
}

const ABSENT = new Set([401, 403, 405, 501])

function smallestOf(tries: readonly Try[]): Try {
  const sure = tries.filter((one) => one.sure)
  const [smallest] = [...(sure.length > 0 ? sure : tries)].sort((a, b) => a.size - b.size)
  if (!smallest) throw new RangeError('no request was tried')
  return smallest
}

/** 'status 404: the first, limit 10; status 400: another component' */
function resultsOf(tries: readonly Try[]): string {
  const byStatus = new Map<number, string[]>()
  for (const { status, what } of tries) byStatus.set(status, [...(byStatus.get(status) ?? []), what])
  return [...byStatus].map(([status, kinds]) => `status ${status}: ${[...new Set(kinds)].join(', ')}`).join('; ')
}
