import { setTimeout as sleep } from 'node:timers/promises'
import { written } from '../../fixtures/segments/bodies.ts'
import type { Judgement } from '../../rules/core/judgement.ts'
import { LATE_MS, mayComeLate } from '../../rules/known/doubt.ts'
import type { Judged } from '../../rules/oracle.ts'
import type { Binding } from '../../schemas/binding.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import {
  type Call,
  type CaseContext,
  declinedAt,
  Interrupted,
  inReason,
  type MeasuredCase,
  NotRun,
  notOffered,
  type Sent,
} from '../case.ts'
import { caseSeed, caseTag, subSeed } from '../generate/drawing.ts'
import { secretsOf } from '../request/credentials.ts'
import { otherRequests } from '../request/other-requests.ts'
import { createSender, requireRead, type Sender } from '../request/sender.ts'
import { emailFor } from '../request/sink.ts'
import { cleanUp } from '../resources/cleanup.ts'
import { type Entry, Maker } from '../resources/maker.ts'
import type { Worker } from './worker.ts'

const DAY_MS = 86_400_000
/** Requests between two looks at the heap: answers may be long. */
const HEAP_EVERY = 32

export interface CaseRun {
  readonly record: CaseRecord
  readonly broken: readonly Judgement[]
}

/** Runs one case to its end. */
export async function runCase(test: MeasuredCase, worker: Worker): Promise<CaseRun> {
  return (await beginCase(test, worker))()
}

/**
 * Runs one case. What comes back looks once more where the case wants to, cleans up after it and writes its record. Never
 * throws for what the case does.
 */
export async function beginCase(test: MeasuredCase, worker: Worker): Promise<() => Promise<CaseRun>> {
  const started = performance.now()
  const broken: Judgement[] = []
  let discarded = 0
  const note = (judgements: readonly Judgement[]): void => {
    for (const judgement of judgements) {
      if (judgement.outcome === 'discarded') discarded += 1
      if (judgement.outcome !== 'broken') continue
      broken.push(judgement)
      worker.progress.broken.add(judgement.requirement)
    }
  }
  /** until when a change may still be carried out of which no response came: until then a look proves nothing */
  let late = 0
  const sender = openSender(test, worker, (exchange, kept) => {
    const { view, judgements } = worker.judge.judge(kept)
    if (mayComeLate(view)) late = performance.now() + LATE_MS
    note(judgements)
    return { view: kept === exchange ? view : worker.factory.viewBeside(view, exchange), judgements }
  })
  const work = createContext(test, worker, sender.send)
  const { context, maker, declined } = work
  const begun = await finish(test, context, worker)
  const since = performance.now()
  const wake = maker.rest()
  return async () => {
    wake()
    const { lateLook } = worker.run
    const looks = begun.state === 'done' && lateLook > 0 ? work.looks : []
    if (looks.length > 0) await waitUntil(Math.max(since + lateLook, late), worker)
    const waited = performance.now() - since
    const end = begun.state === 'done' ? await lookAgain(looks, worker) : begun
    const left = await cleanUp(
      maker.entries.filter(({ removed }) => !removed),
      { binding: worker.binding, send: sender.send },
      (entry: Entry) => maker.removed(entry),
      { patience: { settleMs: worker.run.settleTimeout, now: () => performance.now(), sleep } },
    )
    maker.release()
    worker.progress.left = (worker.progress.left ?? 0) + left.length
    const record: CaseRecord = {
      case: test.id,
      requirements: [...test.requirements],
      ...end,
      ...(declined.size === 0 ? {} : { notOffered: Object.fromEntries(declined) }),
      requests: sender.count(),
      durationMs: performance.now() - started - waited,
      discarded,
      leftovers: left.map(({ type, id, label: name, why }) => `${type} ${id ?? ''} (${name}): ${why}`),
    }
    worker.cases.append(record)
    worker.cases.flush()
    return { record, broken }
  }
}

const STOP_EVERY_MS = 200

async function waitUntil(at: number, { stopped }: Worker): Promise<void> {
  for (let wait = at - performance.now(); wait > 0 && !stopped(); wait = at - performance.now())
    await sleep(Math.min(wait, STOP_EVERY_MS))
}

async function lookAgain(looks: CaseWork['looks'], worker: Worker): Promise<CaseEnd> {
  if (looks.length === 0) return DONE
  return endOf(worker, async () => {
    for (const look of looks) await look()
  })
}
/** Sends the requests of a case and writes each exchange down, before it is judged: `kept` is what was written. */
function openSender(test: MeasuredCase, worker: Worker, judge: (exchange: Exchange, kept: Exchange) => Judged): Sender {
  const { run, bodies, progress, clean = (exchange: Exchange) => exchange } = worker
  return createSender({
    binding: worker.binding,
    session: worker.session,
    judge: {
      judge(exchange, whole) {
        const short = exchange._intent?.kind === 'cleanup' ? withoutAnswer(exchange, bodies !== undefined) : exchange
        const kept = written(short === whole ? undefined : whole, short, clean, bodies)
        worker.exchanges.append(kept)
        progress.requests += 1
        if (progress.requests % HEAP_EVERY === 0) worker.watchHeap?.()
        return judge(exchange, kept)
      },
    },
    credentials: run.credentials,
    enterprise: run.enterprise,
    caseId: test.id,
    pace: worker.pace,
    outage: worker.outage,
    readOnly: run.readOnly,
    sink: run.sink,
    ...(worker.key && { key: worker.key }),
    stopped: worker.stopped,
  })
}

type CaseEnd = Pick<CaseRecord, 'state' | 'reason' | 'gap' | 'detail'>
const DONE: CaseEnd = { state: 'done' }

interface CaseWork {
  readonly context: CaseContext
  /** what the case does after all others have ended */
  readonly looks: readonly (() => Promise<void>)[]
  /** of what the case makes */
  readonly maker: Maker
  /** operations that the case asked for and that the binding declines, and where it does */
  readonly declined: ReadonlyMap<string, string>
}

function createContext(test: MeasuredCase, worker: Worker, sendOne: Sender['send']): CaseWork {
  const { run } = worker
  const tag = caseTag(test.id)
  let labels = 0
  let groups = 0
  const label = (): string => {
    labels += 1
    return `${run.runPrefix}-${tag}-${labels}`
  }
  const maker = new Maker(worker, {
    caseId: test.id,
    label,
    others(bound) {
      const operation = specifiedOperations().find(({ id }) => id === bound.id)
      return operation ? otherRequests(context, operation, bound) : []
    },
  })
  const claimed = run.features === undefined ? undefined : new Set(run.features)
  const only = run.only === undefined ? undefined : new Set(run.only)
  const declined = new Map<string, string>()
  const looks: (() => Promise<void>)[] = []
  const context: CaseContext = {
    operation: test.operation,
    binding: { ...worker.binding, operations: noting(worker.binding.operations, declined) },
    oracle: worker.factory.oracle,
    consent: run.consent,
    resources: run.resources,
    embedded: run.embedded,
    schemes: new Set(secretsOf(run.credentials).values()),
    seed: caseSeed(run.seed, test.id),
    runs: run.runs,
    profile: run.profile,
    steps: run.steps,
    lookLast: (look) => void looks.push(look),
    waitUntil: (at) => waitUntil(at, worker),
    isTurn(among) {
      const { operations } = worker.binding
      const there = among.filter((id) => {
        const { offered, path = '' } = operations.get(id) ?? {}
        return offered === true && path !== '' && (run.operations?.has(id) ?? true)
      })
      return there[subSeed(run.seed, among.join()) % there.length] === test.operation
    },
    isFirst(what) {
      const isNew = !worker.progress.asked.has(what)
      worker.progress.asked.add(what)
      return isNew
    },
    observes: run.profile !== 'quick',
    today: Math.floor(run.startedAt / DAY_MS) * DAY_MS,
    settleTimeout: run.settleTimeout,
    lateLook: run.lateLook,
    claims: (feature) => claimed?.has(feature) ?? true,
    wants: (requirement) => only?.has(requirement) ?? true,
    send: (call) => sendAccounted({ operation: test.operation, ...call }, worker, maker, sendOne),
    make: (type, given = {}) => maker.make(type, given, sendOne),
    owe: (type, id) => maker.owe(type, id),
    found: (type, name, id) => maker.found(type, name, id),
    fill: (template, values) => fillTemplate(template, values, worker.numbers),
    label,
    budget: worker.budget,
    email: (name) => emailFor(run.sink, name),
    group: () => {
      groups += 1
      return `${test.id}#${groups}`
    },
    answer<T>(gap: string): T {
      const found = worker.binding.answers.get(gap)
      if (!found) throw new NotRun('gap-unanswered', gap, gap)
      return found.value as T
    },
  }
  return { context, looks, maker, declined }
}

/** The same operations. Notes which declined ones a case asks for, and where the binding declines them. */
function noting(operations: Binding['operations'], asked: Map<string, string>): Binding['operations'] {
  const declined = new Map<string, string>()
  for (const one of operations.values()) {
    const place = declinedAt(one)
    if (place !== undefined && !one.specified) declined.set(one.id, place)
  }
  if (declined.size === 0) return operations
  const noted = new Map(operations)
  noted.get = (id) => {
    const place = declined.get(id)
    if (place !== undefined) asked.set(id, place)
    return operations.get(id)
  }
  return noted
}

async function finish(test: MeasuredCase, context: CaseContext, worker: Worker): Promise<CaseEnd> {
  const operation = context.binding.operations.get(test.operation)
  return endOf(worker, async () => {
    if (operation?.specified === false && declinedAt(operation) !== undefined)
      throw notOffered(operation, new NotRun('inconclusive', test.operation))
    if (worker.run.readOnly && operation?.offered === true) requireRead(operation)
    await test.run(context)
  })
}

/** A reason shows a request and its response as they are written down. */
async function endOf({ clean = (exchange) => exchange }: Worker, work: () => Promise<void>): Promise<CaseEnd> {
  try {
    await work()
    return DONE
  } catch (thrown) {
    if (thrown instanceof NotRun) {
      const gap = thrown.gap === undefined ? {} : { gap: thrown.gap }
      const detail = thrown.message + (thrown.exchange ? inReason(clean(thrown.exchange)) : '')
      return { state: 'not-run', reason: thrown.reason, detail, ...gap }
    }
    if (thrown instanceof Interrupted) return { state: 'not-run', reason: 'disabled', detail: thrown.message }
    const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    return { state: 'error', detail }
  }
}

/** Operations that make something are journalled; those that remove something are noted. */
async function sendAccounted(
  call: Call,
  worker: Worker,
  maker: Maker,
  send: (call: Call) => Promise<Sent>,
): Promise<Sent> {
  const { verb, type = '' } = worker.binding.operations.get(call.operation) ?? {}
  const { id: placeholder = '', create, delete: remove } = worker.binding.resources.get(type) ?? {}
  if (verb === 'create' && create === call.operation) return maker.making(type, call, send)
  const sent = await send(call)
  const id = call.params?.[placeholder] ?? call.params?.id
  if (sent.view.accepted && remove === call.operation && id !== undefined) await maker.removedById(type, id)
  return sent
}

/** Answers to cleanup up to this size, in characters, stay where whole bodies are kept. */
const SMALL = 8_192

/** Cleanup is never judged; what it reads may be long. `keepsSmall`: whole bodies are kept. */
function withoutAnswer(exchange: Exchange, keepsSmall: boolean): Exchange {
  if (keepsSmall && (exchange.response.content.text ?? '').length <= SMALL) return exchange
  const { text: _text, encoding: _encoding, ...content } = exchange.response.content
  return { ...exchange, response: { ...exchange.response, content: { ...content, _cut: true } } }
}
