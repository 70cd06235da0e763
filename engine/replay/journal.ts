import type { Outgoing } from '../../fixtures/http/session.ts'
import { headerOf } from '../../fixtures/http/wire.ts'
import { type Journal, openJournal } from '../../fixtures/journal.ts'
import type { Step } from '../../fixtures/replay/plan/doubts.ts'
import { madeUpIn } from '../../fixtures/replay/values/tokens.ts'
import { idIn, listIn, madeBy } from '../../rules/core/reads.ts'
import type { ExchangeView } from '../../rules/core/view.ts'
import { createViewer, type Viewer } from '../../rules/core/viewer.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { addBounded } from '../../schemas/bounded.ts'
import { jsonIn } from '../../schemas/json.ts'
import { createMatcher } from '../../schemas/matcher.ts'
import { fieldAt } from '../../schemas/pointer.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { JournalLine } from '../../schemas/types/journal.ts'
import { lastInPath } from '../../schemas/url.ts'
import { specificationSchemas } from '../../schemas/validator.ts'

interface MadeThing {
  readonly key: string
  /** the thing that it goes with; undefined: it has to be removed by itself */
  readonly parent: string | undefined
  readonly type: string
  readonly label: string
}

/** Suspending is nothing that is made, but has to be taken back all the same. */
const SUSPENDS = 'confirm-suspension'
const SUSPENSION = 'suspension'
const MOST_MADE = 1 << 16
/** Names that a run of assay gives, and addresses made of them: nobody else uses them. */
const OWN = /^(?:[\w.-]+\+)?assay-[0-9a-z]{6}-[\w.-]+(?:@[\w.-]+)?$/

/**
 * Keeps account of what a replay makes on its target: `assay cleanup` can remove it, and the replay itself may remove nothing
 * else.
 */
export class ReplayJournal {
  readonly #journal: Journal
  readonly #binding: Binding
  readonly #match: ReturnType<typeof createMatcher<TargetOperation>>
  readonly #viewer: Viewer
  /** operation -> type that it makes */
  readonly #makers = new Map<string, string>([[SUSPENDS, SUSPENSION]])
  readonly #removers = new Map<string, string>()
  readonly #lists = new Map<string, string>()
  /** name of a placeholder -> type whose id it is */
  readonly #types = new Map<string, string>()
  /** number of a step -> what it is about to make */
  readonly #under = new Map<number, MadeThing>()
  /** type and id -> what was made */
  readonly #made = new Map<string, MadeThing>()
  /** type and id -> types and ids of what goes with it */
  readonly #within = new Map<string, Set<string>>()
  /** made under an unknown id */
  readonly #nameless = new Map<string, MadeThing>()
  /** types and ids of all that was made, and paths of what no binding knows; also of what was removed since */
  readonly #ids = new Set<string>()
  /** number of a step of an unknown operation -> path that it is sent to */
  readonly #strange = new Map<number, string>()
  readonly #writing = new Set<Promise<void>>()

  private constructor(journal: Journal, binding: Binding, basePath: string) {
    this.#journal = journal
    this.#binding = binding
    this.#match = createMatcher(binding.operations.values())
    this.#viewer = createViewer(binding, specificationSchemas().validator, basePath)
    for (const [type, { id, create, list, delete: remove }] of binding.resources) {
      this.#types.set(id, type)
      if (create !== undefined) this.#makers.set(create, type)
      if (remove !== undefined) this.#removers.set(remove, type)
      if (list !== undefined) this.#lists.set(list, type)
    }
  }

  /** `path`: of a journal whose header is written already. `basePath`: of the target's base URL, without a slash at its end. */
  static async open(path: string, binding: Binding, basePath: string): Promise<ReplayJournal> {
    return new ReplayJournal(await openJournal(path), binding, basePath)
  }

  /** Resolves when the line is on disk; undefined where the request makes nothing. */
  making(step: Step, { path: sent, body }: Pick<Outgoing, 'path' | 'body'>): Promise<void> | undefined {
    const type = this.#makers.get(step.dependencies.operation?.id ?? '')
    if (type === undefined) {
      const isStrange = step.dependencies.operation === undefined && step.exchange.request.method === 'POST'
      if (isStrange) this.#strange.set(step.number, pathOf(sent))
      return undefined
    }
    const { label: named = '', with: parent } = this.#binding.resources.get(type) ?? {}
    const fields = fieldsIn(jsonIn(body))
    const label = textOf(fieldAt(fields, named)) ?? ''
    const params = { ...idsIn(fields), ...this.#match(step.exchange.request.method, pathOf(sent))?.params }
    const parentId = params[this.#binding.resources.get(parent ?? '')?.id ?? '']
    const entry: MadeThing = {
      key: `replay#${step.number}`,
      type,
      label,
      parent: parentId === undefined ? undefined : `${parent} ${parentId}`,
    }
    this.#under.set(step.number, entry)
    return this.#write({
      type: 'making',
      entry: entry.key,
      resource: type,
      label,
      params: { ...params },
      case: 'replay',
    })
  }

  /** What came of it; also of removals. `exchange`: secrets may still be in it, only ids are written. */
  answered(step: Step, exchange: Exchange): void {
    const { operation } = step.dependencies
    const entry = this.#under.get(step.number)
    const { status } = exchange.response
    const view = this.#viewer.view(exchange)
    const { accepted } = view
    if (!operation) {
      const path = this.#strange.get(step.number)
      this.#strange.delete(step.number)
      if (accepted && path !== undefined) this.#noteStrange(path, exchange)
      return
    }
    if (entry !== undefined) {
      this.#under.delete(step.number)
      const refused = exchange._outcome === 'complete' && status >= 400 && status < 500
      if (refused) void this.#write({ type: 'not-made', entry: entry.key })
      if (!accepted) return
      const told = madeBy(view, this.#binding, entry.type) ?? lastInPath(headerOf(view.responseHeaders, 'location'))
      const id = this.#isOnly(entry.type) ? entry.type : told
      if (id === undefined) this.#nameless.set(entry.key, entry)
      else this.#known(entry, id)
      return
    }
    if (!accepted) return
    const listed = this.#lists.get(operation.id)
    if (listed !== undefined) this.#findNames(listed, view)
    const type = this.#removers.get(operation.id)
    if (type === undefined) return
    if (this.#isOnly(type)) {
      for (const name of [...this.#made.keys()].filter((one) => one.startsWith(`${type} `))) this.#removed(name)
    } else {
      this.#removed(`${type} ${idIn(view, this.#binding, type)}`)
    }
  }

  /**
   * Whether what a path of the target names, or what that lies in, is the replay's own. It was made here, or has a name
   * that only runs of assay give. Only the place of an id in the path says of what it is one.
   */
  made(path: string): boolean {
    const segments = path.split('/')
    return segments.some((_, last) => this.#isOwn(segments.slice(0, last + 1).join('/')))
  }

  #isOwn(path: string): boolean {
    const found = this.#match('DELETE', path)
    // Of an operation that no binding knows, only the path that it was made under says so.
    if (found === undefined) return path !== '' && this.#ids.has(path)
    const type = this.#removers.get(found.operation.id)
    if (type !== undefined && this.#isOnly(type)) return this.#made.has(`${type} ${type}`)
    return Object.entries(found.params).some(
      ([name, id]) => OWN.test(id) || this.#ids.has(`${this.#types.get(name) ?? type} ${id}`),
    )
  }

  /** Whether there is only one of a type, so that its path has no id. */
  #isOnly(type: string): boolean {
    const { path = '' } = this.#binding.operations.get(this.#binding.resources.get(type)?.delete ?? '') ?? {}
    return type === SUSPENSION || (path !== '' && !path.includes('{'))
  }

  /** It was not sent after all, and so has made nothing. */
  notSent(step: Step): void {
    const entry = this.#under.get(step.number)
    this.#under.delete(step.number)
    if (entry !== undefined) void this.#write({ type: 'not-made', entry: entry.key })
  }

  async close(): Promise<void> {
    await Promise.all(this.#writing)
    await this.#journal.close()
  }

  /** Of an unknown operation: it makes things below its path. */
  #noteStrange(path: string, { request, response }: Exchange): void {
    const asked = `${request.url} ${request.postData?.text ?? ''}`
    const told = [...madeUpIn(response.content.text ?? ''), lastInPath(headerOf(response.headers, 'location')) ?? '']
    for (const id of told) if (id !== '' && !asked.includes(id)) addBounded(this.#ids, `${path}/${id}`, MOST_MADE)
  }

  #known(entry: MadeThing, id: string): void {
    const name = `${entry.type} ${id}`
    addBounded(this.#ids, name, MOST_MADE)
    this.#made.set(name, entry)
    if (entry.parent !== undefined)
      this.#within.set(entry.parent, (this.#within.get(entry.parent) ?? new Set()).add(name))
    void this.#write({ type: 'made', entry: entry.key, id })
  }

  #removed(name: string): void {
    const entry = this.#made.get(name)
    if (entry === undefined) return
    this.#made.delete(name)
    if (entry.parent !== undefined) this.#within.get(entry.parent)?.delete(name)
    void this.#write({ type: 'removed', entry: entry.key })
    for (const child of this.#within.get(name) ?? []) this.#removed(child)
    this.#within.delete(name)
  }

  /** A list tells the ids of new things by their name, unless more things have that name than were made. */
  #findNames(type: string, view: ExchangeView): void {
    const { label = '', key = 'id' } = this.#binding.resources.get(type) ?? {}
    const waiting = [...this.#nameless.values()].filter((entry) => entry.type === type)
    if (label === '' || waiting.length === 0) return
    const rows = (listIn(view) ?? []).map((row) => ({
      id: textOf(fieldAt(row, key)),
      name: textOf(fieldAt(row, label)),
    }))
    for (const name of new Set(waiting.map((entry) => entry.label))) {
      const entries = waiting.filter((entry) => entry.label === name)
      const ids = rows.flatMap((row) => (row.name === name && row.id !== undefined ? [row.id] : []))
      const found = ids.filter((id) => !this.#made.has(`${type} ${id}`))
      if (found.length > entries.length) continue
      for (const [index, id] of found.entries()) {
        const entry = entries[index] as MadeThing
        this.#nameless.delete(entry.key)
        this.#known(entry, id)
      }
    }
  }

  #write(line: JournalLine): Promise<void> {
    const done: Promise<void> = this.#journal.write(line).finally(() => this.#writing.delete(done))
    this.#writing.add(done)
    return done
  }
}

function fieldsIn(body: unknown): Readonly<Record<string, unknown>> {
  return body === null || typeof body !== 'object' || Array.isArray(body) ? {} : { ...body }
}

/** Ids of parents that stand in a body. */
function idsIn(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, string] => entry[0].endsWith('_id') && typeof entry[1] === 'string',
    ),
  )
}

function pathOf(address: string): string {
  return address.split(/[?#]/)[0] ?? ''
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
