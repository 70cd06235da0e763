import { setTimeout as sleep } from 'node:timers/promises'
import { misread } from '../../rules/core/misfit.ts'
import { listIn, madeIn } from '../../rules/core/reads.ts'
import { oneOf } from '../../rules/core/words.ts'
import type { BoundResource, TargetOperation } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import { table } from '../../schemas/table.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { ListedResources } from '../../schemas/types/config.ts'
import { type Call, type Made, NotRun, notOffered, type Sent } from './case.ts'
import { canBeMended, madeFrom, type OtherRequest } from './good-requests.ts'
import { resourceGap } from './resource-gap.ts'
import { emailFor } from './sink.ts'
import type { Worker } from './worker.ts'

/** Milliseconds between two looks at a list that may still be old. */
const POLL_MS = 50

/** How often something is tried to be made while the target fails. */
const MOST_TRIES = 3
/** Milliseconds until the next try, and twice as many until the one after it. */
const FAILED_MS = 100

/** Something that the case made, as its cleanup knows it. */
export interface Entry {
  readonly key: string
  readonly type: string
  readonly label: string
  readonly params: Readonly<Record<string, string>>
  id: string | undefined
  answered: boolean
  before: ReadonlySet<string> | undefined
  removed: boolean
}

/** Keeps account of what one case makes: journal first, request second. */
export interface Maker {
  readonly entries: readonly Entry[]
  /** Wraps a call that makes something: the journal knows of it before it is sent, and what came of it after. */
  making(type: string, call: Call, send: (call: Call) => Promise<Sent>): Promise<Sent>
  /** Notes something that is about to be done and has to be taken back, under an id that is known beforehand. */
  owe(type: string, id: string): Promise<void>
  /** Notes that something is gone. */
  removed(entry: Entry): Promise<void>
  removedById(type: string, id: string): Promise<void>
  make(type: string, given: Readonly<Record<string, string>>, send: (call: Call) => Promise<Sent>): Promise<Made>
}

type Send = (call: Call) => Promise<Sent>

/** Where a configuration lists one thing of a kind that exists already. */
export const LISTED: Readonly<Record<string, keyof ListedResources>> = table({
  pipeline: 'pipelineId',
  transform: 'transformId',
  source: 'sourceId',
  'gateway-route': 'gatewayRouteId',
  group: 'transformGroupId',
  'preset-alert': 'presetId',
})

/** `others`: good requests of an operation to try where its first one is refused. */
export function createMaker(
  worker: Worker,
  caseId: string,
  label: () => string,
  others: (operation: TargetOperation) => readonly OtherRequest[] = () => [],
): Maker {
  const entries: Entry[] = []
  const baselines = new Map<string, ReadonlySet<string>>()
  const { binding, journal } = worker

  async function removed(entry: Entry): Promise<void> {
    entry.removed = true
    await journal.write({ type: 'removed', entry: entry.key })
  }

  /** Where the answer will not tell the id of what is made: the ids that are there before, read once. */
  async function idsBefore(type: string, call: Call, send: Send): Promise<ReadonlySet<string> | undefined> {
    const list = binding.operations.get(binding.resources.get(type)?.list ?? '')
    if (binding.operations.get(call.operation)?.answer.id !== undefined || !list?.offered) return undefined
    const key = `${type} ${JSON.stringify(call.params ?? {})}`
    const known = baselines.get(key)
    if (known) return known
    const { view } = await send({ operation: list.id, params: call.params ?? {}, intent: { kind: 'setup' } })
    const field = binding.resources.get(type)?.key ?? 'id'
    const elements = view.accepted ? listIn(view) : undefined
    if (!elements) return undefined
    const ids = new Set(elements.map((element) => String(element[field])))
    baselines.set(key, ids)
    return ids
  }

  async function making(type: string, call: Call, send: (call: Call) => Promise<Sent>): Promise<Sent> {
    const entry: Entry = {
      key: `${caseId}#${entries.length}`,
      type,
      label: nameIn(call, binding.resources.get(type)?.label) ?? call.label ?? worker.run.runPrefix,
      params: call.params ?? {},
      id: undefined,
      answered: false,
      before: undefined,
      removed: false,
    }
    entries.push(entry)
    entry.before = await idsBefore(type, call, send)
    try {
      await journal.write({
        type: 'making',
        entry: entry.key,
        resource: type,
        label: entry.label,
        params: { ...entry.params },
        case: caseId,
      })
    } catch (thrown) {
      entry.removed = true
      throw thrown
    }
    const sent = await send(call)
    const { view } = sent
    if (view.accepted) {
      entry.answered = true
      entry.id = madeIn(view) ?? (type === 'member' ? entry.label : undefined)
      if (entry.id !== undefined) await journal.write({ type: 'made', entry: entry.key, id: entry.id })
    } else if (view.conclusive && view.status >= 400 && view.status < 500) {
      entry.removed = true
      await journal.write({ type: 'not-made', entry: entry.key })
    }
    return sent
  }

  async function create(
    type: string,
    resource: BoundResource,
    params: Readonly<Record<string, string>>,
    send: (call: Call) => Promise<Sent>,
    tries: number = 1,
  ): Promise<Made> {
    const operation = binding.operations.get(resource.create ?? '')
    if (!operation?.offered) throw noneOf(type, resource, `the target does not offer a way to make ${oneOf(type)}`)
    const name = label()
    const email = emailFor(worker.run.sink, name)
    const own = type === 'member' ? email : name
    const values = { label: name, email }
    let place = entries.length
    const sendBody = (body: unknown): Promise<Sent> => {
      place = entries.length
      const intent = { kind: 'setup' as const }
      return making(type, { operation: operation.id, params, body, label: own, values, intent }, send)
    }
    const body = fillTemplate(operation.body, { ...params, ...values })
    let { view } = await sendBody(body)
    for (const other of others(operation)) {
      // What failed may be there all the same: the next one gets another name, so that each can be told from the other.
      if (!canBeMended(view) || (mayBeMade(view) && tries < MOST_TRIES)) break
      const changed = await madeFrom(other, { operation: operation.id, params, query: {}, body, label: own })
      if (changed) view = (await sendBody(changed.body)).view
    }
    if (mayBeMade(view) && tries < MOST_TRIES) {
      await sleep(FAILED_MS * tries)
      return create(type, resource, params, send, tries + 1)
    }
    if (!view.accepted) {
      const fits = [404, 405, 501].includes(view.status) && !operation.specified
      throw new NotRun(
        fits ? 'answer-does-not-fit' : 'no-resource',
        `${operation.id} is answered with ${view.exchange._outcome === 'complete' ? view.status : view.exchange._outcome}`,
      )
    }
    const entry = entries[place]
    const id = entry?.id ?? (await findByLabel(resource, entry?.label ?? own, params, send))
    if (id === undefined)
      throw new NotRun(
        'answer-does-not-fit',
        [`the answer of ${operation.id} does not show the new id`, misread(view, 'id') ?? []].flat().join(': '),
      )
    if (entry && entry.id === undefined) {
      entry.id = id
      await journal.write({ type: 'made', entry: entry.key, id })
    }
    return { type, id, params: { ...params, [resource.id]: id }, label: own, own: true }
  }

  return {
    entries,
    making,
    async owe(type, id) {
      if (entries.some((entry) => entry.type === type && entry.id === id && !entry.removed)) return
      const key = `${caseId}#${entries.length}`
      const entry: Entry = {
        key,
        type,
        label: label(),
        params: {},
        id,
        answered: true,
        before: undefined,
        removed: false,
      }
      entries.push(entry)
      await journal.write({
        type: 'making',
        entry: key,
        resource: type,
        label: entry.label,
        params: {},
        case: caseId,
      })
      await journal.write({ type: 'made', entry: key, id })
    },
    removed,
    async removedById(type, id) {
      const entry = entries.find((candidate) => candidate.type === type && candidate.id === id && !candidate.removed)
      if (entry) await removed(entry)
    },
    async make(type, given, send) {
      const resource = binding.resources.get(type)
      const offered = binding.operations.get(resource?.create ?? '')?.offered === true
      const listed = offered ? undefined : takeListed(type, worker)
      if (!resource || (!offered && listed === undefined)) {
        const makes = `the binding has no operation that makes one (${resourceGap(type)})`
        throw noneOf(type, resource, `no ${type}: ${makes}, and none is listed`)
      }
      let params = { ...given }
      for (const needed of resource.needs ?? []) {
        const placeholder = binding.resources.get(needed)?.id
        if (placeholder !== undefined && params[placeholder] !== undefined) continue
        const made = await this.make(needed, params, send)
        params = { ...params, ...made.params }
      }
      if (listed === undefined) return create(type, resource, params, send)
      return { type, id: listed, params: { ...params, [resource.id]: listed }, label: '', own: false }
    },
  }

  /** Where a configuration can list such a resource, it is not for the binding alone that there is none. */
  function noneOf(type: string, resource: BoundResource | undefined, what: string): NotRun {
    const none = new NotRun('no-resource', what)
    const declined = notOffered(binding.operations.get(resource?.create ?? ''), none)
    const listable = LISTED[type] !== undefined || worker.unused.has(type)
    return listable && declined !== none ? new NotRun('no-resource', `no ${type}: ${declined.message}`) : declined
  }

  async function findByLabel(
    resource: BoundResource,
    name: string,
    params: Readonly<Record<string, string>>,
    send: (call: Call) => Promise<Sent>,
  ): Promise<string | undefined> {
    if (resource.list === undefined || resource.label === undefined) return undefined
    const deadline = performance.now() + worker.run.settleTimeout
    for (;;) {
      const { view } = await send({ operation: resource.list, params, intent: { kind: 'setup' } })
      const found = listIn(view)?.find((element) => at(element, `/${resource.label}`) === name)
      const id = found?.[resource.key ?? 'id']
      if (typeof id === 'string' || typeof id === 'number') return String(id)
      if (!(performance.now() < deadline)) return undefined
      await sleep(POLL_MS)
    }
  }
}

/** Whether nobody knows what became of a creation. Another one, with another name, can be tried; cleanup looks for both. */
function mayBeMade({ accepted, exchange: { _outcome, response } }: Sent['view']): boolean {
  if (_outcome === 'complete') return !accepted && response.status >= 500 && response.status !== 501
  return _outcome === 'reset' || _outcome === 'truncated'
}

/** The name that the request itself gives, which a probe may have changed: cleanup looks for it. */
function nameIn(call: Call, field: string | undefined): string | undefined {
  const name = field === undefined ? undefined : at(call.body, `/${field}`)
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined
}

function takeListed(type: string, worker: Worker): string | undefined {
  const several = worker.unused.get(type)
  if (several)
    return worker.run.consent.deleteListedResources === true || worker.run.embedded ? several.shift() : undefined
  const key = LISTED[type]
  const value = key === undefined ? undefined : worker.run.resources[key]
  return typeof value === 'string' ? value : undefined
}
