import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { digestLines } from '../../fixtures/digest.ts'
import { createRetries, hasFailed, isIdempotent, isUnheard, type RetryPolicy } from '../../fixtures/http/retry.ts'
import type { Outgoing, Session } from '../../fixtures/http/session.ts'
import type { Judgement } from '../../rules/core/judgement.ts'
import { listIn, nextPageOf } from '../../rules/core/reads.ts'
import { ADMISSIONS, PERSISTENT } from '../../rules/known/passing.ts'
import type { Judged } from '../../rules/oracle.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { fillPath, namesInPath } from '../../schemas/matcher.ts'
import { fillTemplate, placeholders } from '../../schemas/template.ts'
import { timeIn } from '../../schemas/times.ts'
import type { Credentials, Sink } from '../../schemas/types/config.ts'
import type { CredentialLabel, Exchange } from '../../schemas/types/exchange.ts'
import { type Call, Interrupted, NotRun, requireOperation, type Sent } from '../case.ts'
import { serialise } from '../generate/values/body.ts'
import { credentialHeaders, defaultChoices } from './credentials.ts'
import { isRefusal, type Outage } from './outage.ts'
import type { Pace } from './pace.ts'
import { toSink } from './sink.ts'

/** Sends the requests of one case, writes every exchange down and lets the rules see it. */
export interface Sender {
  send(call: Call): Promise<Sent>
  readonly count: () => number
}

/** Milliseconds between two looks whether the target is back. */
const WAITING_MS = 50
/** Milliseconds before a refused request is sent again to a target with a guard, and as many more each time. */
const GUARDED_MS = 1_000
const POLICY: RetryPolicy = {
  mostWaits: 6,
  mostRepeats: PERSISTENT - 1,
  firstWaitMs: 100,
  failed: (exchange) => hasFailed(exchange) || isConflict(exchange),
}

/** What sending needs of the run. */
export interface SenderOptions {
  readonly binding: Binding
  readonly session: Session
  /** `whole`: the same exchange, before lines were cut from it */
  readonly judge: { judge(exchange: Exchange, whole: Exchange): Judged }
  readonly credentials: Credentials
  readonly enterprise: 'alone' | 'both'
  readonly caseId: string
  readonly pace: Pace
  readonly outage: Outage
  /** whatever is no read is not sent */
  readonly readOnly: boolean
  readonly sink: Sink
  /** of the digests of lines; left out: one of its own */
  readonly key?: Uint8Array
  stopped(): boolean
  /** told of each exchange once it is judged */
  onExchange?(exchange: Exchange): void
}

export function createSender(options: SenderOptions): Sender {
  const { binding, session, judge, pace, outage, key = randomBytes(32) } = options
  let requests = 0
  /** the newest read that was carried out */
  let read: Call | undefined
  const door = doorOf(outage)

  async function once(
    operation: TargetOperation,
    call: Call,
    attempt: number = 1,
    admission: number = 1,
  ): Promise<{ exchange: Exchange; sent: Sent }> {
    const outgoing = outgoingOf(operation, call, options)
    const { credentials: labels = [] } = outgoing
    await pace.turn(!isRight(labels))
    const whole = await session.send(outgoing)
    if (isUnexpected(whole, call)) whole._attempt = admission
    else if (attempt > 1 || isConflict(whole)) whole._attempt = attempt
    const exchange = digestLines(whole, operation, key)
    requests += 1
    outage.note(exchange)
    const { view, judgements } = judge.judge(exchange, whole)
    options.onExchange?.(exchange)
    if (view.accepted) door.shut.delete(keyOf(exchange))
    if (view.accepted && operation.effect === 'read' && outgoing.method === 'GET') {
      read = call
      if (call.params === undefined && isRight(labels)) door.read = call
    }
    return { exchange, sent: { view, judgements } }
  }

  /** Whether right credentials are refused, and not for good: guards against guessing and bursts keep everybody out. */
  function isUnexpected(exchange: Exchange, call: Call): boolean {
    return (
      isRefusal(exchange) &&
      isMeantWell(call) &&
      isRight(exchange._credentials ?? []) &&
      !door.shut.has(keyOf(exchange))
    )
  }

  /** Asks a read that was let in before. While that is refused too, the door is shut: everybody is kept out, and waits. */
  async function untilLetIn(call: Call): Promise<{ told: readonly Judgement[]; isShut: boolean }> {
    const operation = door.read && binding.operations.get(door.read.operation)
    if (outage.isAway() || !operation) return { isShut: outage.isAway(), told: await untilBack(call) }
    const asks = { ...door.read, operation: operation.id, intent: { kind: 'setup' as const } }
    const { exchange, sent } = await once(operation, asks)
    if (!isRefusal(exchange)) return { isShut: false, told: sent.judgements }
    if (!outage.isAway()) {
      pace.lower()
      outage.keepsOut()
    }
    return { isShut: true, told: [...sent.judgements, ...(await untilBack(call))] }
  }

  /** Sends another read: where that one works, repeated failures are not due to the moment. Undefined: there is none. */
  async function lookElsewhere(kind: 'setup' | 'cleanup'): Promise<readonly Judgement[] | undefined> {
    const call = (outage.isAway() ? door.read : undefined) ?? read ?? anyRead(binding)
    const operation = call && binding.operations.get(call.operation)
    if (!operation) return undefined
    const { sent } = await once(operation, { ...call, intent: { kind } })
    return sent.judgements
  }

  /** While the target is away, one request at a time asks whether it is back. */
  async function untilBack({ intent }: Call): Promise<readonly Judgement[]> {
    const all: Judgement[] = []
    while (outage.isAway() && !options.stopped()) {
      if (!outage.asks()) await sleep(WAITING_MS)
      else {
        const judgements = await lookElsewhere(intent?.kind === 'cleanup' ? 'cleanup' : 'setup')
        if (!judgements) break
        all.push(...judgements)
      }
    }
    return all
  }

  /** Sends a request, again where that makes sense. */
  const sendOne: Sender['send'] = async (call) => {
    if (options.stopped() && call.intent?.kind !== 'cleanup') throw new Interrupted('the run is stopped')
    const operation = requireOperation({ binding, operation: call.operation })
    if (options.readOnly) requireRead(call.method === undefined ? operation : { ...operation, effect: 'own' })
    const judgements: Sent['judgements'][number][] = []
    const retries = createRetries(POLICY)
    // Refusals are counted for themselves, and none while everybody is kept out: it says nothing of this request.
    for (let attempt = 1, admission = 1; ; attempt += 1) {
      judgements.push(...(await untilBack(call)))
      const { exchange, sent } = await once(operation, call, attempt, admission)
      judgements.push(...sent.judgements)
      const reads = call.method === undefined && operation.effect === 'read'
      const repeatable = reads || isIdempotent(exchange.request.method) || isConflict(exchange)
      // A target that is away takes no try of a request that can wait for it.
      if (outage.isAway() && !options.stopped() && (isUnheard(exchange) || (repeatable && hasFailed(exchange))))
        continue
      if (isUnexpected(exchange, call) && !options.stopped()) {
        if (admission < ADMISSIONS) {
          const { told, isShut } = await untilLetIn(call)
          judgements.push(...told)
          const guard = outage.guard()
          // Without the patience to wait for a guard, nobody can tell why this was refused.
          if (guard === 'tired') return { ...sent, judgements }
          // Requests of others may have called it up again.
          if (guard === 'patient') await sleep(admission * GUARDED_MS)
          if (!isShut) admission += 1
          attempt -= 1
          continue
        }
        door.shut.add(keyOf(exchange))
      }
      const mostRepeats = Math.max(POLICY.mostRepeats, (sent.view.failing ?? 0) - 1)
      const again = options.stopped() || outage.isDown() ? undefined : retries.next(exchange, repeatable, mostRepeats)
      if (!again) return { ...sent, judgements }
      // What a target asks for, or puts off, holds for all cases.
      if (again.asked || again.repeat === 0) pace.pause(again.waitMs)
      else await sleep(again.waitMs)
      const isLast = again.repeat === mostRepeats
      if (isLast && call.intent?.kind !== 'cleanup') judgements.push(...((await lookElsewhere('setup')) ?? []))
    }
  }

  return {
    count: () => requests,
    async send(call) {
      const first = await sendOne(call)
      return binding.operations.get(call.operation)?.pages ? withPages(call, first, sendOne) : first
    },
  }
}

/** Most pages of one list that are asked for. */
const MOST_PAGES = 100

/** Asks for the pages after the first one. The last of them stands for the whole list. */
async function withPages(call: Call, first: Sent, send: Sender['send']): Promise<Sent> {
  const { parameter = '' } = first.view.operation?.pages ?? {}
  let { view, judgements } = first
  let earlier: NonNullable<Sent['view']['earlier']> = []
  for (let page = 1; page < MOST_PAGES; page += 1) {
    const next = nextPageOf(view)
    if (next === undefined) break
    earlier = [...earlier, ...(listIn(view) ?? [])]
    const sent = await send({ ...call, query: { ...call.query, [parameter]: next } })
    judgements = [...judgements, ...sent.judgements]
    view = sent.view
  }
  if (earlier.length === 0) return first
  // What one page does not show of a change, another one may.
  const about = ({ requirement, exchanges }: Sent['judgements'][number]): string => `${requirement} ${exchanges[0]}`
  const held = new Set(judgements.filter(({ outcome }) => outcome === 'held').map(about))
  const told = judgements.filter((one) => one.outcome !== 'inconclusive' || !held.has(about(one)))
  return { view: Object.assign(Object.create(view), { earlier }), judgements: told }
}

/** Which right credentials are let in where, for all cases of a run. */
interface Door {
  /** the newest read of the account that was carried out with right credentials */
  read: Call | undefined
  /** operations and credentials that go on being refused while that one is carried out */
  readonly shut: Set<string>
}

const doors = new WeakMap<Outage, Door>()

function doorOf(outage: Outage): Door {
  const door = doors.get(outage) ?? { read: undefined, shut: new Set() }
  doors.set(outage, door)
  return door
}

function keyOf({ _operation = '', _credentials = [] }: Exchange): string {
  return [_operation, ..._credentials.map(({ scheme }) => scheme)].join(' ')
}

function isRight(credentials: readonly CredentialLabel[]): boolean {
  return credentials.length > 0 && credentials.every(({ state }) => state === 'configured')
}

/** Whether a request is meant to be carried out: right credentials may be wrong for it on purpose. */
function isMeantWell({ intent }: Call): boolean {
  return intent?.kind !== 'observe' && (intent?.kind !== 'auth' || intent.data?.right !== false)
}

/** Whether a state was in the way, perhaps for a moment only. Nothing was carried out. */
function isConflict({ _outcome, response }: Exchange): boolean {
  return _outcome === 'complete' && response.status === 409
}

/** The request of a call. Throws NotRun where nothing fills a placeholder of its path or query. */
function outgoingOf(operation: TargetOperation, call: Call, options: SenderOptions): Outgoing {
  const { binding, credentials, enterprise, sink, caseId } = options
  const also = (operation.also ?? []).flatMap((family) => defaultChoices(family, credentials, enterprise))
  const own = call.credentials ?? defaultChoices(operation.family, credentials, enterprise)
  const choices =
    own.length === 0 ? own : [...own, ...also.filter(({ scheme }) => !own.some((one) => one.scheme === scheme))]
  const { headers, labels } = credentialHeaders(choices, credentials, binding.answers)
  const whole = operation.within === undefined ? call.body : { [operation.within]: call.body }
  const body = call.body === undefined ? undefined : serialise(toSink(sink, whole))
  const { contentType = 'application/json', method = operation.method } = call
  const type = body === undefined || contentType === null ? [] : [{ name: 'Content-Type', value: contentType }]
  return {
    method,
    path: pathOf(operation, call),
    headers: [...type, ...headers],
    body,
    credentials: labels,
    operation: operation.id,
    caseId,
    intent: call.intent,
  }
}

/** Throws NotRun for an operation that changes the target, which --read-only forbids. */
export function requireRead({ id, effect }: TargetOperation): void {
  if (effect !== 'read') throw new NotRun('disabled', `${id} changes the target (--read-only)`)
}

/** A read that needs no id, where the case itself has read nothing yet. */
function anyRead({ operations, resources }: Binding): Call | undefined {
  for (const { list = '' } of resources.values()) {
    const operation = operations.get(list)
    if (!operation?.offered || operation.path === '') continue
    const names = [...namesInPath(operation.path), ...placeholders(Object.entries(operation.query))]
    if (names.length === 0) return { operation: list }
  }
  return undefined
}

/**
 * Only the binding's own query is a template: the query of a case is sent unchanged. Throws NotRun where nothing fills
 * a placeholder of what the binding says: which ids a request has at hand is seen when it is made.
 */
function pathOf(operation: TargetOperation, call: Call): string {
  const { params = {} } = call
  const query = queryOf(operation, call)
  const absent = operation.specified
    ? undefined
    : namesInPath(operation.path).find((name) => params[name] === undefined)
  if (absent !== undefined)
    throw new NotRun('answer-does-not-fit', `nothing fills {${absent}} in the path of ${operation.id}`)
  const path = fillPath(operation.path, params)
  return query === '' ? path : `${path}?${query}`
}

function queryOf(operation: TargetOperation, { label, params, values, query: given = {} }: Call): string {
  const bound = Object.entries(operation.query).filter(([name]) => given[name] === undefined)
  const own = Object.entries(given).flatMap(([name, value]) => inForm(operation, name, value))
  // Most requests have none.
  if (bound.length + own.length === 0) return ''
  const known: Readonly<Record<string, unknown>> = {
    ...(label === undefined ? {} : { label, email: label }),
    ...params,
    ...values,
  }
  const missing = [...placeholders(bound)].find((name) => known[name] === undefined)
  if (missing !== undefined)
    throw new NotRun('answer-does-not-fit', `nothing fills {{${missing}}} in the query of ${operation.id}`)
  return String(
    new URLSearchParams([
      ...bound.map(([name, value]): [string, string] => [name, String(fillTemplate(value, known))]),
      ...own,
    ]),
  )
}

/** A parameter in the form that the binding gives. Cases write times as numbers, and several names with commas. */
function inForm({ forms, parameters }: TargetOperation, name: string, value: string): [string, string][] {
  const ours = forms && Object.keys(parameters).find((one) => parameters[one] === name)
  const form = forms?.[(ours ?? name) as keyof typeof forms]
  if (form === 'repeated') return value.split(',').map((one) => [name, one])
  // A period that begins or ends with 0 is open there.
  if (form === undefined || form === 'commas' || !/^[1-9]\d*$/.test(value)) return [[name, value]]
  return [[name, String(timeIn(form, Number(value) * (ours === 'now' ? 1 : 1000)))]]
}
