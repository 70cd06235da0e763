import { isDeepStrictEqual } from 'node:util'
import { listIn, madeBy, recordIn } from '../../rules/core/reads.ts'
import { isRecord } from '../../rules/core/request-rules.ts'
import { jsonOf, leftAlone } from '../../rules/core/view.ts'
import { namesIn } from '../../schemas/json.ts'
import { namesInPath } from '../../schemas/matcher.ts'
import { at } from '../../schemas/pointer.ts'
import { collections } from '../../schemas/service.ts'
import { placeholders } from '../../schemas/template.ts'
import type { CaseIntent } from '../../schemas/types/intents.ts'
import type { CaseContext, Params, Sent } from '../case.ts'
import { NotRun } from '../case.ts'
import { EXPORTS, exportUntil, recent } from '../request/exports.ts'
import { type Feed, openFeed } from '../request/lines.ts'
import { readBack, readGone } from '../request/read-back.ts'
import { FULL } from '../resources/room.ts'
import { type BodyOf, drawnBody, plainBody, templateOf } from './bodies.ts'
import type { Command, Step } from './commands.ts'
import { Model, pick, type Thing } from './model.ts'
import { paramsOf, whatStays, whichIsTaken } from './refused.ts'

type Body = Readonly<Record<string, unknown>>

/** Most things of one type at once: targets have quotas, and each new member is sent a mail. */
const MOST: Readonly<Record<string, number>> = { pipeline: 2, member: 3, 'enterprise-key': 3, source: 8, transform: 8 }
const MOST_OTHERS = 5

/** Fields that take several, by operation, and what is broken where a target takes one and refuses several. */
const SEVERAL: Readonly<Record<string, string>> = {
  'update-transform/inputs': 'TRANSFORM-UPDATE-REPLACES',
  'create-group-from-pipeline/pipeline_transform_ids': 'GROUP-CREATE-COPIES',
  'add-group-to-pipeline/inputs': 'PLACEMENT-PLACES',
  'switch-group-revision/inputs': 'REVISION-INPUTS-SET',
  'update-gateway-route/legacy_routing': 'ROUTE-PATCH-APPLIES',
  'update-transform/deploy_type': 'NODE-DEPLOY-TYPE-VALUES',
  'update-source/deploy_type': 'NODE-DEPLOY-TYPE-VALUES',
  'add-group-to-pipeline/deploy_type': 'PLACEMENT-DEPLOY-TYPE-VALUES',
  'create-group-from-pipeline/deploy_type': 'GROUP-DEPLOY-TYPE-VALUES',
  'update-state-variables/state': 'STATEVAR-APPLIES',
}

/** A requirement that was broken on a walk. */
export interface Found {
  readonly requirement: string
  /** the step after which it was seen, from 0 */
  readonly step: number
  /** milliseconds after the thing was made */
  readonly after: number
  /** the thing that was looked at, as it was; undefined: a step itself showed it */
  readonly about: Thing | undefined
}

/** So many changes in a row without a response: the target answers none, and each more would be waited for in vain. */
const MOST_UNHEARD = 8

/** A history over all that a target can make. It sends, and the rules judge. */
export class Walk {
  /** in the order in which they were seen, each once */
  readonly found: Found[] = []
  readonly #context: CaseContext
  readonly #model = new Model()
  readonly #group: string
  /** so many things of a kind there are at least when one of them is changed */
  readonly #least: number
  #feed: { readonly feed: Feed; readonly app: string; sent: number } | undefined
  #step = -1
  /** changes in a row without a response */
  #unheard = 0
  #about: Thing | undefined
  #isOver = false

  /** Of two the other one stays, and shows whether it is left alone. */
  constructor(context: CaseContext, least: number = 2) {
    this.#context = { ...context, send: async (call) => this.#noting(await context.send(call)) }
    this.#group = context.group()
    this.#least = least
  }

  /** Takes a step, with what it needs; looks at what came of it, and after every second one at something older. */
  async take(step: Step): Promise<void> {
    const { seed } = step
    if (this.#unheard >= MOST_UNHEARD) return
    this.#step += 1
    try {
      const thing = await this.#carryOut(step)
      if (thing) await this.#lookAt(thing, 'read')
      const { things } = this.#model
      if (this.#step % 2 === 0) await this.#lookAt(pick(things, seed >>> 3), seed % 3 === 0 ? 'list' : 'read')
    } catch (thrown) {
      if (!(thrown instanceof NotRun)) throw thrown
    }
  }

  /** Makes one of each kind of which none is left: only what is there can be looked at last. */
  async fill(steps: readonly Step[]): Promise<void> {
    const makes = new Map(steps.flatMap((step) => (step.command.does === 'make' ? [[step.command.type, step]] : [])))
    for (const [type, step] of makes) if (this.#model.there(type).length === 0) await this.take(step)
  }

  /**
   * Lists all that should be there, and exports the lines; `reads`: reads each thing, too, and asks for all that should not
   * be there. A step reads what it changed, so that it need not be read again before something can have happened to it.
   */
  async lookAtAll(reads: boolean): Promise<void> {
    const listed = new Set<string>()
    this.#isOver = true
    for (const thing of this.#model.things) {
      if (reads) await this.#lookAt(thing, 'read')
      const list = `${thing.made.type} ${thing.parent?.made.id ?? ''}`
      if (!listed.has(list)) await this.#lookAt(thing, 'list')
      listed.add(list)
    }
    await this.#export()
  }

  /** Removes all that is there, the newest first. */
  async end(): Promise<void> {
    for (const thing of [...this.#model.things].reverse()) {
      const operation = this.#context.binding.resources.get(thing.made.type)?.delete
      if (thing.removed || operation === undefined) continue
      await this.#context.send({ operation, params: paramsOf(thing, this.#context.binding), intent: this.#good })
      this.#model.remove(thing)
    }
  }

  /** The thing that was made, changed or removed; undefined: none was. */
  async #carryOut(step: Step): Promise<Thing | undefined> {
    const { seed } = step
    const { does, type }: Command = step.command
    if (does === 'send') return this.#sendLines()
    if (does === 'make') return this.#make(type, seed)
    // Further ones than two are not touched at all.
    const there = await this.#atLeast(this.#least, type, seed)
    const free = does === 'remove' ? there.filter((one) => !this.#model.isNeeded(one)) : there
    // One that is removed at once takes no room from others.
    const thing = pick(free.slice(0, 2), seed) ?? (await this.#make(type, seed, undefined, 1))
    if (thing) await (does === 'remove' ? this.#remove(thing, step.command.operation) : this.#change(thing, step))
    return thing
  }

  async #atLeast(count: number, type: string, seed: number, within?: Thing): Promise<readonly Thing[]> {
    for (let more = count - this.#model.there(type, within).length; more > 0; more -= 1) {
      const made = await this.#make(type, seed + more, within)
      if (made) await this.#lookAt(made, 'read')
    }
    return this.#model.there(type, within)
  }

  /** `within`: what is to hold it; left out: one of those that can. `beyond`: so many more than a walk keeps. */
  async #make(type: string, seed: number, within?: Thing, beyond: number = 0): Promise<Thing | undefined> {
    const { binding } = this.#context
    const resource = binding.resources.get(type)
    const operation = binding.operations.get(resource?.create ?? '')
    if (!resource || !operation?.offered || !this.#hasRoom(type, beyond)) return undefined
    const holder = resource.with
    const parent = within ?? (holder === undefined ? undefined : pick(await this.#atLeast(1, holder, seed), seed))
    if (holder !== undefined && !parent) return undefined
    const drawn = await this.#send(operation.id, undefined, parent, seed)
    // That odd values are refused says nothing of how many there may be.
    const isFull = drawn && FULL.has(drawn.view.status)
    const sent = isFull ? await this.#send(operation.id, undefined, parent, seed, true) : drawn
    if (!sent) return undefined
    const id =
      madeBy(sent.view, binding, type) ?? (sent.view.accepted ? await this.#listed(type, sent.body, parent) : undefined)
    if (id === undefined) {
      if (FULL.has(sent.view.status) && this.#model.things.some(({ made }) => made.type === type))
        await this.#free(type)
      return undefined
    }
    const made = { type, id, params: { [resource.id]: id }, label: sent.label, own: true }
    const deploy = [recordIn(sent.view), sent.body].flatMap((one) => (isRecord(one) ? (one.deploy_type ?? []) : []))[0]
    const history = [{ command: { does: 'make' as const, type, operation: operation.id }, seed }]
    return this.#model.add({ made, parent, names: new Set(namesIn(sent.body)), deploy, history })
  }

  /** The id of a new thing of which its creation does not tell it, by its name in the list. */
  async #listed(type: string, body: unknown, parent: Thing | undefined): Promise<string | undefined> {
    const { binding } = this.#context
    const { list, label = '', key = 'id' } = binding.resources.get(type) ?? {}
    const name = isRecord(body) ? body[label] : undefined
    const params = parent === undefined ? {} : paramsOf(parent, binding)
    const { view } = await readBack(this.#context, list, params, { group: this.#group })
    const found = listIn(view)?.find((element) => element[label] === name)
    if (!found || typeof name !== 'string') return undefined
    const id = String(found[key])
    await this.#context.found(type, name, id)
    return id
  }

  #hasRoom(type: string, beyond: number): boolean {
    return this.#model.there(type).length < (MOST[type] ?? MOST_OTHERS) + beyond
  }

  /** Removes the oldest thing of a type, where a target has no room for another one. */
  async #free(type: string): Promise<void> {
    const oldest = this.#model.there(type).find((one) => !this.#model.isNeeded(one))
    const remove = this.#context.binding.resources.get(type)?.delete
    if (oldest && remove !== undefined) await this.#remove(oldest, remove)
  }

  async #change(thing: Thing, step: Step): Promise<void> {
    const sent = await this.#send(step.command.operation, thing, thing.parent, step.seed)
    thing.history.push(step)
    if (sent?.view.accepted) thing.names = new Set(namesIn(sent.body))
  }

  #noting(sent: Sent): Sent {
    const about = this.#about
    if (sent.view.operation?.effect !== 'read') this.#unheard = sent.view.status === 0 ? this.#unheard + 1 : 0
    for (const { outcome, requirement } of sent.judgements) {
      if (outcome !== 'broken' || this.found.some((one) => one.requirement === requirement)) continue
      const after = performance.now() - (about?.since ?? 0)
      this.found.push({
        requirement,
        step: this.#step,
        after,
        about: about && { ...about, history: [...about.history] },
      })
    }
    return sent
  }

  async #remove(thing: Thing, operation: string): Promise<void> {
    const params = paramsOf(thing, this.#context.binding)
    // That it is gone counts where it was seen.
    await this.#lookAt(thing, 'read')
    await this.#lookAt(thing, 'list')
    const { view } = await this.#context.send({ operation, params, intent: this.#good })
    thing.history.push({ command: { does: 'remove', type: thing.made.type, operation }, seed: 0 })
    if (!view.accepted && !thing.parent) await whatStays(this.#context, thing, operation, params)
    // One that was lost may have been carried out, and a repetition finds nothing: nobody may name the thing any more.
    if (!view.accepted && leftAlone(view) && view.status !== 404) return
    this.#model.remove(thing)
    if (!view.accepted) return
    await this.#lookAt(
      thing,
      this.#context.binding.resources.get(thing.made.type)?.read === undefined ? 'list' : 'read',
    )
    const { unknown } = collections.find(({ type }) => type === thing.made.type) ?? {}
    const again =
      unknown === undefined
        ? { kind: 'read' as const, edge: 'removed again', group: this.#group }
        : { kind: 'provoke' as const, probe: unknown, group: this.#group }
    await this.#context.send({ operation, params, intent: again })
  }

  get #good(): { readonly kind: 'base'; readonly group: string } {
    return { kind: 'base', group: this.#group }
  }

  /** Sends an operation with a drawn body, or with the plain one. Undefined: something that it names cannot be had. */
  async #send(
    operation: string,
    own: Thing | undefined,
    parent: Thing | undefined,
    seed: number,
    isPlain: boolean = false,
  ): Promise<(Sent & { readonly label: string; readonly body: unknown }) | undefined> {
    const context = this.#context
    const template = templateOf(context, operation, seed)
    const params = await this.#params(operation, template, own, parent, seed)
    if (!params) return undefined
    const holder = [own, parent].find((one) => one?.made.type === 'pipeline')
    const pipeline = holder ?? this.#model.named('pipeline', params.pipeline_id)
    const label = context.label()
    const of: BodyOf = { operation, label, params, pipeline, own, seed }
    const plain = plainBody(context, template, of)
    const body = isPlain ? plain : drawnBody(context, this.#model, of, plain)
    const call = { operation, params, label }
    const sent = await context.send({ ...call, body, intent: this.#good })
    if (own && sent.view.accepted) learnGeneration(own, sent)
    if (!sent.view.accepted && isRecord(plain) && isRecord(body)) {
      await this.#whatIsRefused(call, plain, body, own)
      const parents = this.#model.things.filter(({ made, removed }) => !removed && own?.names.has(made.id))
      if (own) await whichIsTaken(this.#context, call, plain, parents)
    }
    return { ...sent, label, body }
  }

  /** Sends the lists of a body that was refused, each beside one that is cut to its first element. */
  async #whatIsRefused(
    call: { readonly operation: string; readonly params: Params; readonly label: string },
    plain: Body,
    drawn: Body,
    own: Thing | undefined,
  ): Promise<void> {
    const group = this.#context.group()
    const good = { kind: 'base' as const, group }
    const send = async (field: string, value: unknown, intent: CaseIntent): Promise<void> => {
      const counted = own && 'generation_id' in plain ? { generation_id: own.generation } : {}
      const sent = await this.#context.send({ ...call, body: { ...plain, ...counted, [field]: value }, intent })
      if (own && sent.view.accepted) learnGeneration(own, sent)
    }
    for (const [field, sent] of Object.entries(drawn)) {
      const requirement = SEVERAL[`${call.operation}/${field}`]
      // How many there are is tried, not what they are.
      const value = isRecord(sent) ? alike(sent, plain[field]) : sent
      const first = firstOf(value) ?? (typeof value === 'boolean' ? !value : plain[field])
      if (requirement === undefined || isDeepStrictEqual(value, first)) continue
      const edge = `${field}: ${isRecord(value) || Array.isArray(value) ? `${Object.keys(value).length} of them` : value}`
      await send(field, first, good)
      await send(field, value, { kind: 'accept', group, requirement, pointer: `/${field}`, edge })
      await send(field, first, good)
    }
  }

  /** The ids that path, query and body name. Missing things are made; undefined: one cannot be. */
  async #params(
    operation: string,
    template: unknown,
    own: Thing | undefined,
    parent: Thing | undefined,
    seed: number,
  ): Promise<Params | undefined> {
    const { binding } = this.#context
    const { path = '', query = {} } = binding.operations.get(operation) ?? {}
    const params: Record<string, string> = {
      ...(parent && paramsOf(parent, binding)),
      ...(own && paramsOf(own, binding)),
    }
    for (const name of [...namesInPath(path), ...placeholders(template), ...placeholders(query)]) {
      const [type, resource] = [...binding.resources].find(([, { id }]) => id === name) ?? []
      // A new thing names itself, where its name is its id.
      if (type === undefined || params[name] !== undefined || resource?.create === operation) continue
      const holder = resource?.with
      const among = holder === undefined ? [] : this.#model.there(holder)
      const within =
        among.find(({ made }) => made.id === params[binding.resources.get(holder ?? '')?.id ?? '']) ??
        among.find(({ made }) => own?.names.has(made.id))
      const there = await this.#atLeast(1, type, seed, within)
      // One that it names already would change nothing.
      const one =
        pick(
          there.filter(({ made }) => !own?.names.has(made.id)),
          seed,
        ) ?? pick(there, seed)
      if (!one) return undefined
      Object.assign(params, { ...(one.parent && paramsOf(one.parent, binding)), ...params, [name]: one.made.id })
    }
    return params
  }

  async #lookAt(thing: Thing | undefined, way: 'read' | 'list'): Promise<void> {
    if (!thing || thing.parent?.removed) return
    const { binding } = this.#context
    const { type } = thing.made
    const params = paramsOf(thing, binding)
    // The variables of a pipeline are read once they were written, and at the end.
    const isWritten = this.#isOver || thing.history.at(-1)?.command.operation === 'update-state-variables'
    const beside = type === 'pipeline' && way === 'read' && isWritten ? [STATE] : []
    const looks = [binding.resources.get(type)?.[way], ...beside]
    this.#about = thing
    for (const operation of looks) {
      if (operation === undefined || binding.operations.get(operation)?.offered !== true) continue
      if (thing.removed && way === 'read') await readGone(this.#context, operation, params, this.#group)
      else await readBack(this.#context, operation, params, { group: this.#group })
    }
    this.#about = undefined
  }

  /** Sends lines of an application of its own, and of those that its exclusion rules name. */
  async #sendLines(): Promise<undefined> {
    const feed = this.#feed?.feed ?? openFeed(this.#context)
    this.#feed ??= { feed, app: feed.app(), sent: 0 }
    const excluded = this.#model.there('exclusion').map(({ made }) => made.label)
    const { app } = this.#feed
    await feed.send([{ app }, ...excluded.map((name) => ({ app: name })), { app }])
    this.#feed.sent += 2
    await this.#export()
  }

  async #export(): Promise<void> {
    if (!this.#feed) return
    const { feed, sent } = this.#feed
    for (const id of EXPORTS) {
      if (this.#context.binding.operations.get(id)?.offered !== true) continue
      await exportUntil(this.#context, id, { ...recent(), hosts: [feed.host] }, sent)
    }
  }
}

const STATE = 'get-state-variables'

/** A list or an object cut to its first element. */
function firstOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).slice(0, 1)) : undefined
}

/** The same names, all with a value that is surely good. */
function alike(sent: Body, plain: unknown): Body {
  const [good = 'x'] = isRecord(plain) ? Object.values(plain) : []
  return Object.fromEntries(Object.keys(sent).map((name) => [name, good]))
}

function learnGeneration(thing: Thing, { view }: Sent): void {
  const told = at(jsonOf(view.response), view.operation?.answer.generation ?? '/-')
  thing.generation = typeof told === 'number' ? told : thing.generation + 1
}
