import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from '../../fixtures/journal.ts'
import { misread } from '../../rules/core/misfit.ts'
import { fieldNamed, listIn, madeIn, recordIn, toldId } from '../../rules/core/reads.ts'
import { isTurnedDown } from '../../rules/core/view.ts'
import { oneOf } from '../../rules/core/words.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { table } from '../../schemas/load.ts'
import { at } from '../../schemas/pointer.ts'
import { resourceRow } from '../../schemas/service.ts'
import { fillTemplate } from '../../schemas/template.ts'
import type { Consent, ListedResources, Sink } from '../../schemas/types/config.ts'
import { type Call, type Made, NotRun, notOffered, type Params, refusedBy, type Sent, unlessNotRun } from '../case.ts'
import { bodyOf } from '../request/good-request.ts'
import { canBeMended, type OtherRequest } from '../request/other-requests.ts'
import { emailFor } from '../request/sink.ts'
import type { Kept } from './kept.ts'
import { FULL, type Room } from './room.ts'

/** Milliseconds between two looks at a list that may still be old. */
const POLL_MS = 50

/** How often something is tried to be made while the target fails. */
const MOST_TRIES = 3
/** Milliseconds until the next try, and twice as many until the one after it. */
const FAILED_MS = 100

/** Something that the case made, with what its cleanup needs to know. */
export interface Entry {
  readonly key: string
  readonly type: string
  readonly label: string
  readonly params: Params
  id: string | undefined
  answered: boolean
  before: ReadonlySet<string> | undefined
  removed: boolean
}

type Send = (call: Call) => Promise<Sent>
/** What making needs of the run. */
export interface MakerRun {
  readonly binding: Binding
  readonly journal: Pick<Journal, 'write'>
  readonly run: {
    readonly runPrefix: string
    readonly settleTimeout: number
    readonly sink: Sink
    readonly consent: Consent
    readonly resources: ListedResources
    readonly embedded: boolean
  }
  /** listed resources that no case has taken yet */
  readonly unused: Map<string, string[]>
  /** placeholder of an id -> whether the target writes it as a number */
  readonly numbers: Map<string, boolean>
  readonly kept: Kept
  readonly room: Room
}

/** Whose things are made, and how. */
export interface MakerOptions {
  readonly caseId: string
  /** a name for the next thing */
  label(): string
  /** good requests of an operation to try where its first one is refused */
  others(operation: TargetOperation): readonly OtherRequest[]
}

/** Where a configuration lists one thing of a kind that exists already. */
export const LISTED: Readonly<Record<string, keyof ListedResources>> = table({
  pipeline: 'pipelineId',
  transform: 'transformId',
  source: 'sourceId',
  'gateway-route': 'gatewayRouteId',
  group: 'transformGroupId',
  'preset-alert': 'presetId',
})

/** Makes what one case needs and keeps account of it: journal first, request second. */
export class Maker {
  readonly #entries: Entry[] = []
  /** what stays on the target, and is used by this case alone until it ends */
  readonly #held: { readonly name: string; readonly made: Made }[] = []
  readonly #baselines = new Map<string, ReadonlySet<string>>()
  readonly #worker: MakerRun
  readonly #options: MakerOptions

  constructor(worker: MakerRun, options: MakerOptions) {
    this.#worker = worker
    this.#options = options
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Makes a resource and what it needs, or takes a listed one. Throws NotRun where neither can be had. */
  async make(type: string, given: Params, send: Send): Promise<Made> {
    const { binding } = this.#worker
    const resource = binding.resources.get(type)
    const offered = binding.operations.get(resource?.create ?? '')?.offered === true
    const listed = offered ? undefined : takeListed(type, this.#worker)
    if (!resource || (!offered && listed === undefined)) {
      const makes = `the binding has no operation that makes one (${resourceGap(type)})`
      throw this.#noneOf(type, `no ${type}: ${makes}, and none is listed`)
    }
    let params = { ...given }
    for (const needed of resource.needs ?? []) {
      const placeholder = binding.resources.get(needed)?.id
      if (placeholder !== undefined && params[placeholder] !== undefined) continue
      const made = await this.make(needed, params, send)
      params = { ...params, ...made.params }
    }
    if (listed === undefined && this.#worker.kept.types.has(type)) return this.#hold(type, params, send)
    if (listed === undefined) return this.#create(type, params, send)
    return { type, id: listed, params: { ...params, [resource.id]: listed }, label: '', own: false }
  }

  /** Sends a call that makes something. The journal knows of it before it is sent, and of its outcome after. */
  async making(type: string, call: Call, send: Send): Promise<Sent> {
    const { binding, journal, run } = this.#worker
    const named = nameIn(call, binding.resources.get(type)?.label) ?? call.label ?? run.runPrefix
    const own = this.#entries.filter((one) => one.type === type && !one.removed)
    await this.#worker.room.enter(type, own.length)
    const entry = this.#entry(type, named, call.params)
    entry.before = await this.#idsBefore(type, call, send)
    try {
      await this.#writeMaking(entry)
    } catch (thrown) {
      this.#isGone(entry)
      throw thrown
    }
    const sent = await send(call)
    const { view } = sent
    if (view.accepted) {
      entry.answered = true
      this.#worker.room.taken(type)
      await this.#tell(entry, madeIn(view) ?? (type === 'member' ? entry.label : undefined))
      await this.#noteForm(type, view, call.params ?? {}, send)
    } else if (isTurnedDown(view)) {
      this.#isGone(entry)
      await journal.write({ type: 'not-made', entry: entry.key })
    }
    return sent
  }

  /** Journals, before it happens, that something has to be removed later. Its id is known beforehand. */
  async owe(type: string, id: string): Promise<void> {
    if (this.#find(type, id)) return
    await this.#worker.room.enter(type, 1)
    const entry = this.#entry(type, this.#options.label())
    entry.answered = true
    await this.#writeMaking(entry)
    await this.#tell(entry, id)
  }

  /** Notes the id of a thing of which its creation did not tell it. */
  async found(type: string, label: string, id: string): Promise<void> {
    const entry = this.#entries.find((one) => one.type === type && one.label === label && one.id === undefined)
    await this.#tell(entry, id)
  }

  async #tell(entry: Entry | undefined, id: string | undefined): Promise<void> {
    if (!entry || entry.id !== undefined || id === undefined) return
    entry.id = id
    await this.#worker.journal.write({ type: 'made', entry: entry.key, id })
  }

  /** Notes that something is gone, with all that it held. */
  async removed(entry: Entry): Promise<void> {
    this.#isGone(entry)
    await this.#worker.journal.write({ type: 'removed', entry: entry.key })
    const { resources } = this.#worker.binding
    const { id = '' } = resources.get(entry.type) ?? {}
    for (const one of this.#entries)
      if (!one.removed && resources.get(one.type)?.with === entry.type && one.params[id] === entry.id)
        await this.removed(one)
  }

  async removedById(type: string, id: string): Promise<void> {
    const entry = this.#find(type, id)
    if (entry) await this.removed(entry)
  }

  /** The case waits for the end of all others with what it has. Returns how to go on. */
  rest(): () => void {
    const types = this.#entries.flatMap(({ type, removed }) => (removed ? [] : [type]))
    for (const type of types) this.#worker.room.rest(type, 1)
    return () => {
      for (const type of types) this.#worker.room.rest(type, -1)
    }
  }

  /** The case has ended: others use what stays on the target, and its room. */
  release(): void {
    for (const { type, removed } of this.#entries) if (!removed) this.#worker.room.leave(type)
    for (const { name, made } of this.#held.splice(0)) this.#worker.kept.giveBack(name, made)
  }

  /** What nothing removes is made once, and used by one case after the other. */
  async #hold(type: string, params: Params, send: Send): Promise<Made> {
    const { kept, binding } = this.#worker
    const parents = (binding.resources.get(type)?.needs ?? []).map((needed) => binding.resources.get(needed)?.id ?? '')
    const name = [type, ...parents.map((id) => params[id])].join(' ')
    const made = await kept.take(name, this.#held.length === 0, () => this.#create(type, params, send))
    this.#held.push({ name, made })
    return { ...made, params: { ...params, ...made.params } }
  }

  #note(type: string, id: unknown): void {
    const { id: placeholder } = this.#worker.binding.resources.get(type) ?? {}
    if (id !== undefined && placeholder !== undefined) this.#worker.numbers.set(placeholder, typeof id === 'number')
  }

  /** Whether ids are numbers. An address does not tell, but a read of the thing does. */
  async #noteForm(type: string, made: Sent['view'], parents: Params, send: Send): Promise<void> {
    const { binding, numbers } = this.#worker
    const { id = '', read = '', key = 'id' } = binding.resources.get(type) ?? {}
    if (fieldNamed(made.operation?.answer.id ?? '') === undefined) return this.#note(type, toldId(made))
    const told = madeIn(made) ?? ''
    if (numbers.has(id) || !/^\d+$/.test(told) || !binding.operations.get(read)?.offered) return
    const params = { ...parents, [id]: told }
    const { view } = await send({ operation: read, params, intent: { kind: 'setup' } })
    this.#note(type, recordIn(view)?.[key])
  }

  #isGone(entry: Entry): void {
    if (!entry.removed) this.#worker.room.leave(entry.type)
    entry.removed = true
  }

  #find(type: string, id: string): Entry | undefined {
    return this.#entries.find((entry) => entry.type === type && entry.id === id && !entry.removed)
  }

  #entry(type: string, label: string, params: Params = {}): Entry {
    const key = `${this.#options.caseId}#${this.#entries.length}`
    const state = { id: undefined, answered: false, before: undefined, removed: false }
    const entry: Entry = { key, type, label, params, ...state }
    this.#entries.push(entry)
    return entry
  }

  #writeMaking({ key, type, label, params }: Entry): Promise<void> {
    const { caseId } = this.#options
    return this.#worker.journal.write({
      type: 'making',
      entry: key,
      resource: type,
      label,
      params: { ...params },
      case: caseId,
    })
  }

  /**
   * The ids that the list has before something is made whose answer will not tell its id. Read once. Throws NotRun where
   * it cannot be read: nobody could find and remove the new thing.
   */
  async #idsBefore(type: string, call: Call, send: Send): Promise<ReadonlySet<string> | undefined> {
    const { binding } = this.#worker
    const list = binding.operations.get(binding.resources.get(type)?.list ?? '')
    if (binding.operations.get(call.operation)?.answer.id !== undefined || !list?.offered) return undefined
    const key = `${type} ${JSON.stringify(call.params ?? {})}`
    const known = this.#baselines.get(key)
    if (known) return known
    const { view } = await send({ operation: list.id, params: call.params ?? {}, intent: { kind: 'setup' } })
    const field = binding.resources.get(type)?.key ?? 'id'
    if (!view.accepted)
      throw refusedBy(view, 'inconclusive', `${list.id}, which alone shows what is made, is answered with`)
    const elements = listIn(view)
    if (!elements) return undefined
    const ids = new Set(elements.map((element) => String(element[field])))
    this.#baselines.set(key, ids)
    return ids
  }

  /** `tries`: how often it is tried by now; what fails is tried again under another name. */
  async #create(type: string, params: Params, send: Send, tries: number = 1): Promise<Made> {
    const { binding, run } = this.#worker
    const resource = binding.resources.get(type)
    const operation = binding.operations.get(resource?.create ?? '')
    if (!resource || !operation?.offered)
      throw this.#noneOf(type, `the target does not offer a way to make ${oneOf(type)}`)
    const name = this.#options.label()
    const email = emailFor(run.sink, name)
    const own = type === 'member' ? email : name
    const values = { label: name, email }
    let place = this.#entries.length
    const sendBody = (body: unknown): Promise<Sent> => {
      place = this.#entries.length
      const intent = { kind: 'setup' as const }
      return this.making(type, { operation: operation.id, params, body, label: own, values, intent }, send)
    }
    const body = fillTemplate(bodyOf(operation, binding), { ...params, ...values }, this.#worker.numbers)
    let { view } = await sendBody(body)
    for (const other of this.#options.others(operation)) {
      // A failed request may have made something all the same. The next one gets another name, so that they differ.
      if (!canBeMended(view) || (mayBeMade(view) && tries < MOST_TRIES)) break
      const first = { operation: operation.id, params, query: {}, body, label: own }
      const changed = await unlessNotRun(() => other.make(first))
      if (changed) view = (await sendBody(changed.body)).view
    }
    if (mayBeMade(view) && tries < MOST_TRIES) {
      await sleep(FAILED_MS * tries)
      return this.#create(type, params, send, tries + 1)
    }
    if (FULL.has(view.status) && tries < MOST_TRIES && this.#worker.room.isFull(type))
      return this.#create(type, params, send, tries + 1)
    if (!view.accepted) throw notMade(operation, view)
    const entry = this.#entries[place]
    const id = entry?.id ?? (await this.#findByLabel(type, entry?.label ?? own, params, send))
    if (id === undefined) {
      const what = `the response of ${operation.id} does not show the new id`
      throw new NotRun('answer-does-not-fit', [what, misread(view, 'id') ?? []].flat().join(': '))
    }
    await this.#tell(entry, id)
    return { type, id, params: { ...params, [resource.id]: id }, label: own, own: true }
  }

  async #findByLabel(type: string, name: string, params: Params, send: Send): Promise<string | undefined> {
    const resource = this.#worker.binding.resources.get(type)
    if (resource?.list === undefined || resource.label === undefined) return undefined
    const deadline = performance.now() + this.#worker.run.settleTimeout
    for (;;) {
      const { view } = await send({ operation: resource.list, params, intent: { kind: 'setup' } })
      const found = listIn(view)?.find((element) => at(element, `/${resource.label}`) === name)
      const id = found?.[resource.key ?? 'id']
      this.#note(type, id)
      if (typeof id === 'string' || typeof id === 'number') return String(id)
      if (!(performance.now() < deadline)) return undefined
      await sleep(POLL_MS)
    }
  }

  /** Why there is none. Where a configuration can list such a resource, the binding is not the only reason. */
  #noneOf(type: string, what: string): NotRun {
    const { binding, unused } = this.#worker
    const none = new NotRun('no-resource', what)
    const declined = notOffered(binding.operations.get(binding.resources.get(type)?.create ?? ''), none)
    const listable = LISTED[type] !== undefined || unused.has(type)
    return listable && declined !== none ? new NotRun('no-resource', `no ${type}: ${declined.message}`) : declined
  }
}

/** Why something could not be made that the target refuses. */
function notMade({ id, specified }: TargetOperation, view: Sent['view']): NotRun {
  const fits = [404, 405, 501].includes(view.status) && !specified
  return refusedBy(view, fits ? 'answer-does-not-fit' : 'no-resource', `${id} is answered with`)
}

/** Whether it is unknown if something was made. It is then tried again under another name; cleanup looks for both. */
function mayBeMade({ accepted, exchange: { _outcome, response } }: Sent['view']): boolean {
  if (_outcome === 'complete') return !accepted && response.status >= 500 && response.status !== 501
  return _outcome === 'reset' || _outcome === 'truncated'
}

/** The name that the request itself gives, which a probe may have changed: cleanup looks for it. */
function nameIn(call: Call, field: string | undefined): string | undefined {
  const name = field === undefined ? undefined : at(call.body, `/${field}`)
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined
}

function takeListed(type: string, worker: MakerRun): string | undefined {
  const several = worker.unused.get(type)
  if (several)
    return worker.run.consent.deleteListedResources === true || worker.run.embedded ? several.shift() : undefined
  const key = LISTED[type]
  const value = key === undefined ? undefined : worker.run.resources[key]
  return typeof value === 'string' ? value : undefined
}

/** The gap that a binding has to answer so that a run can make a resource of this type. */
function resourceGap(type: string): string {
  return resourceRow(type)?.gap ?? 'GAP-PATHS-PIPELINES'
}
