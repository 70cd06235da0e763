import type { Outgoing } from '../../fixtures/http/session.ts'
import { type Journal, openJournal } from '../../fixtures/journal.ts'
import { idsByName, pointerOf, scalar } from '../../fixtures/replay/ids/resources.ts'
import type { Step } from '../../fixtures/replay/plan/schedule.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { jsonIn } from '../../schemas/json.ts'
import { createMatcher } from '../../schemas/matcher.ts'
import { at } from '../../schemas/pointer.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { JournalLine } from '../../schemas/types/journal.ts'
import { percentDecoded } from '../../schemas/url.ts'

interface Entry {
  readonly key: string
  /** the thing that it goes with; undefined: it has to be removed by itself */
  readonly parent: string | undefined
  readonly type: string
  readonly label: string
}

/** Suspending is nothing that is made, but has to be taken back all the same. */
const SUSPENDS = 'confirm-suspension'
const SUSPENSION = 'suspension'

/** Keeps account of what a replay makes on its target, so that `assay cleanup` can remove it. */
export class ReplayJournal {
  readonly #journal: Journal
  readonly #binding: Binding
  readonly #match: ReturnType<typeof createMatcher<TargetOperation>>
  /** operation -> type that it makes */
  readonly #makers = new Map<string, string>([[SUSPENDS, SUSPENSION]])
  readonly #removers = new Map<string, string>()
  readonly #lists = new Map<string, string>()
  /** number of a step -> what it is about to make */
  readonly #under = new Map<number, Entry>()
  /** type and id -> what was made */
  readonly #made = new Map<string, Entry>()
  /** type and id -> types and ids of what goes with it */
  readonly #within = new Map<string, Set<string>>()
  /** made under an unknown id */
  readonly #nameless = new Map<string, Entry>()
  readonly #writing = new Set<Promise<void>>()

  private constructor(journal: Journal, binding: Binding) {
    this.#journal = journal
    this.#binding = binding
    this.#match = createMatcher([...binding.operations.values()].filter((operation) => operation.path !== ''))
    for (const [type, { create, list, delete: remove }] of binding.resources) {
      if (create !== undefined) this.#makers.set(create, type)
      if (remove !== undefined) this.#removers.set(remove, type)
      if (list !== undefined) this.#lists.set(list, type)
    }
  }

  /** `path`: of a journal whose header is written already. */
  static async open(path: string, binding: Binding): Promise<ReplayJournal> {
    return new ReplayJournal(await openJournal(path), binding)
  }

  /** Resolves when the line is on disk; undefined where the request makes nothing. */
  making(step: Step, { path: sent, body }: Pick<Outgoing, 'path' | 'body'>): Promise<void> | undefined {
    const type = this.#makers.get(step.dependencies.operation?.id ?? '')
    if (type === undefined) return undefined
    const named = this.#binding.resources.get(type)?.label
    const label = (named === undefined ? undefined : scalar(at(jsonIn(body), pointerOf(named)))) ?? ''
    const params = {
      ...idsIn(jsonIn(body)),
      ...this.#match(step.exchange.request.method, sent.split('?')[0] ?? '')?.params,
    }
    const parent = this.#binding.resources.get(type)?.with
    const parentId = params[this.#binding.resources.get(parent ?? '')?.id ?? '']
    const entry: Entry = {
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
    if (!operation) return
    const entry = this.#under.get(step.number)
    const { status } = exchange.response
    const accepted = exchange._outcome === 'complete' && status >= 200 && status < 300
    if (entry !== undefined) {
      this.#under.delete(step.number)
      const refused = exchange._outcome === 'complete' && status >= 400 && status < 500
      if (refused) void this.#write({ type: 'not-made', entry: entry.key })
      if (!accepted) return
      const id =
        entry.type === SUSPENSION ? SUSPENSION : entry.type === 'member' ? entry.label : idIn(exchange, operation)
      if (id === undefined) this.#nameless.set(entry.key, entry)
      else this.#known(entry, id)
      return
    }
    if (!accepted) return
    const listed = this.#lists.get(operation.id)
    if (listed !== undefined) this.#findNames(listed, exchange, operation)
    const type = this.#removers.get(operation.id)
    if (type === undefined) return
    if (type === SUSPENSION || !operation.path.includes('{')) {
      for (const name of [...this.#made.keys()].filter((one) => one.startsWith(`${type} `))) this.#removed(name)
    } else {
      for (const segment of new URL(exchange.request.url).pathname.split('/'))
        this.#removed(`${type} ${percentDecoded(segment)}`)
    }
  }

  /** Whether something with this id was made, and is still there. */
  made(id: string): boolean {
    return [...this.#made.keys()].some((name) => name.endsWith(` ${id}`))
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

  #known(entry: Entry, id: string): void {
    const name = `${entry.type} ${id}`
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
  #findNames(type: string, exchange: Exchange, operation: TargetOperation): void {
    const resource = this.#binding.resources.get(type)
    if (resource?.label === undefined || ![...this.#nameless.values()].some((entry) => entry.type === type)) return
    for (const [label, listed] of idsByName(exchange, operation, resource)) {
      const found = listed.filter((id) => !this.#made.has(`${type} ${id}`))
      const entries = [...this.#nameless.values()].filter((one) => one.type === type && one.label === label)
      if (found.length > entries.length) continue
      for (const [index, id] of found.entries()) {
        const entry = entries[index] as Entry
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

/** Ids of parents that stand in a body. */
function idsIn(body: unknown): Record<string, string> {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return {}
  return Object.fromEntries(
    Object.entries(body).filter(
      (entry): entry is [string, string] => entry[0].endsWith('_id') && typeof entry[1] === 'string',
    ),
  )
}

function idIn(exchange: Exchange, operation: TargetOperation): string | undefined {
  const pointer = operation.answer.id
  return pointer === undefined ? undefined : scalar(at(jsonIn(exchange.response.content.text), pointer))
}
