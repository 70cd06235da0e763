import { listIn, takesLines } from '../../rules/core/reads.ts'
import { oneOf } from '../../rules/core/words.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { type Call, declinedAt, type Params, type Sent } from '../case.ts'

/** What cleanup needs to know of something that was made, or may have been. */
export interface Leftover {
  readonly type: string
  readonly label: string
  readonly params: Params
  /** undefined where no answer told it */
  readonly id: string | undefined
  /** true: the target answered that it was made */
  readonly answered?: boolean
  /** ids of its kind that were there before it was made: what bears its name and is none of them is taken for it */
  readonly before?: ReadonlySet<string> | undefined
}

/** What was not removed, and why: a clause. */
export type Staying<L extends Leftover> = L & { readonly why: string }

/** How the names begin that a run gives. Without `before`, nothing with another name is ever removed by its name. */
const OWN_NAME = /^assay-/

/** What is known of an earlier run, whose own cleanup may have come half way. */
export interface Earlier {
  /** what it removed: kind and id of each */
  readonly removed: readonly { readonly type: string; readonly id: string }[]
}

/** How long lists are asked again for what is not in them yet. */
export interface Patience {
  /** milliseconds within which a list may still be old */
  readonly settleMs: number
  /** milliseconds */
  now(): number
  sleep(milliseconds: number): Promise<unknown>
}

const NO_PATIENCE: Patience = { settleMs: 0, now: () => 0, sleep: async () => undefined }
/** Milliseconds between two looks at a list. */
const POLL_MS = 250

/** The id of what a list does not have. */
const ABSENT = ''

/** No resource, but a state of the account: the status of ingestion shows whether it holds. */
const SUSPENSION = 'suspension'

/** The target as cleanup sees it. */
interface Target {
  readonly binding: Binding
  send(call: Call): Promise<Sent>
}

export interface CleanupOptions {
  /** what was removed before this cleanup: then what cannot be removed is asked for, and counts as removed where it is gone */
  readonly earlier?: Earlier
  readonly patience?: Patience
}

/**
 * Removes what was made, the newest first, with operations that the binding declares. A thing that goes with its parent
 * is left to the parent, which then takes its turn. A thing without a known id is searched for by its label. If the
 * target answered that it was made, the search lasts as long as `patience` says. Requests that were lost, or met a
 * conflict, are sent once more at the end. Never throws for what the target answers. Returns what is, or may be, still
 * there, and why.
 */
export async function cleanUp<L extends Leftover>(
  leftovers: readonly L[],
  target: Target,
  onRemoved: (leftover: L) => Promise<void>,
  options: CleanupOptions = {},
): Promise<Staying<L>[]> {
  const cleanup = new Cleanup(target, options)
  const parentName = (leftover: L): string => {
    const parent = parentOf(leftover, target.binding)
    return parent === undefined ? '' : nameOf(parent.type, parent.id)
  }
  const made = new Map(leftovers.map((leftover) => [nameOf(leftover.type, leftover.id ?? ''), leftover]))
  const hasParent = (leftover: L): boolean => made.has(parentName(leftover))
  // A thing that goes with its parent may use older things: the parent takes its turn.
  const outermost = (leftover: L): L => {
    const parent = made.get(parentName(leftover))
    return parent === undefined ? leftover : outermost(parent)
  }
  const staying = new Map<L, string>()
  const removeAll = async (newest: readonly L[]): Promise<void> => {
    for (const leftover of new Set([...newest.map(outermost), ...newest.filter(hasParent)])) {
      const why = cleanup.gone.has(parentName(leftover)) ? undefined : await cleanup.remove(leftover)
      if (why !== undefined) staying.set(leftover, why)
      else {
        staying.delete(leftover)
        await onRemoved(leftover)
      }
    }
  }
  await removeAll([...leftovers].reverse())
  const unheard = cleanup.takeUnheard()
  await removeAll([...staying.keys()].filter((leftover) => unheard.has(leftover)))
  for (const leftover of staying.keys()) {
    if (!cleanup.gone.has(parentName(leftover))) continue
    staying.delete(leftover)
    await onRemoved(leftover)
  }
  return [...staying].map(([leftover, why]) => ({ ...leftover, why }))
}

/** One cleanup under way. */
class Cleanup {
  /** what it has removed */
  readonly gone = new Set<string>()
  readonly #target: Target
  readonly #patience: Patience
  /** what an earlier cleanup removed; undefined without one */
  readonly #before: ReadonlySet<string> | undefined
  readonly #lists = new Map<string, { read: Promise<Read>; readonly until: number }>()
  /** ids of each kind that were found by their labels: an old list may show them once more */
  readonly #taken = new Set<string>()

  /** what stays since requests about it were lost, or put off */
  #unheard = new Set<Leftover>()
  /** whether the target heard of each request since this was last set */
  #isHeard = true

  constructor(target: Target, { earlier, patience = NO_PATIENCE }: CleanupOptions) {
    const send = async (call: Call): Promise<Sent> => {
      const sent = await target.send(call)
      const { accepted, conclusive, status } = sent.view
      // Another thing may be in the way of a removal, and go later.
      this.#isHeard &&= accepted || (conclusive && status !== 409)
      return sent
    }
    this.#target = { ...target, send }
    this.#patience = patience
    this.#before = earlier && new Set(earlier.removed.map(({ type, id }) => nameOf(type, id)))
  }

  /** Why it is not gone; undefined where it is gone now. */
  async remove(leftover: Leftover): Promise<string | undefined> {
    this.#isHeard = true
    const why = await this.#remove(leftover)
    if (why !== undefined && !this.#isHeard) this.#unheard.add(leftover)
    return why
  }

  /** What may be tried again, once. Lists are read anew for it. */
  takeUnheard(): ReadonlySet<Leftover> {
    const unheard = this.#unheard
    this.#unheard = new Set()
    this.#lists.clear()
    return unheard
  }

  async #remove(leftover: Leftover): Promise<string | undefined> {
    const id = leftover.id ?? (await this.#find(leftover))
    const why = await this.#whyNot(leftover, id)
    // Resuming may be refused where nothing is suspended.
    const asked = this.#before !== undefined || leftover.type === SUSPENSION
    const known = new Set([...(this.#before ?? []), ...this.gone])
    if (why !== undefined && !(asked && (await isGone(leftover, id, known, this.#target)))) return why
    if (id !== undefined) this.gone.add(nameOf(leftover.type, id))
    return undefined
  }

  async #whyNot(leftover: Leftover, id: string | undefined): Promise<string | undefined> {
    if (id === ABSENT) return undefined
    const way = wayToRemove(leftover, this.#target)
    if (typeof way === 'string') return way
    if (id === undefined) return 'its id is unknown: no response tells it, and no list shows its name'
    const refusal = await sendDelete(leftover, id, this.#target)
    if (refusal !== undefined || leftover.type !== SUSPENSION) return refusal
    return (await this.#isResumed(leftover)) ? undefined : 'ingestion is still suspended'
  }

  /** Whether ingestion runs after a call that resumes it, or no read can tell. A target may want a second call. */
  async #isResumed(leftover: Leftover): Promise<boolean> {
    const patience = this.#patience
    const isSuspended = async (): Promise<boolean> =>
      (await isThere(SUSPENSION, SUSPENSION, leftover, this.#target)) === true
    if (!(await isSuspended())) return true
    for (let count = 0; count < 2; count += 1) await sendDelete(leftover, SUSPENSION, this.#target)
    for (const until = patience.now() + patience.settleMs; ; await patience.sleep(POLL_MS)) {
      if (!(await isSuspended())) return true
      if (patience.now() >= until) return false
    }
  }

  /** The id by the label; ABSENT where the list does not have it; undefined where there is no list, or none with ids. */
  async #find(leftover: Leftover): Promise<string | undefined> {
    const { type, params, label, before, answered } = leftover
    const patience = this.#patience
    const key = `${type} ${JSON.stringify(params)}`
    const known = this.#lists.get(key) ?? {
      read: this.#read(leftover),
      until: patience.now() + patience.settleMs,
    }
    this.#lists.set(key, known)
    for (;;) {
      const { list, isHeard } = await known.read
      this.#isHeard &&= isHeard
      const isNew = ({ id = '' }: Listed[number]): boolean =>
        !before?.has(id) && !this.#taken.has(nameOf(type, id)) && !this.gone.has(nameOf(type, id))
      const named = list?.find((one) => one.label === label && isNew(one))
      const nameless = before && answered ? list?.find((one) => one.label === undefined && isNew(one)) : undefined
      const found = named ?? nameless
      if (found) {
        if (before === undefined && !OWN_NAME.test(label)) return undefined
        if (found.id !== undefined) this.#taken.add(nameOf(type, found.id))
        return found.id
      }
      if (!list || answered !== true) return list && ABSENT
      // The target said that it made it. It is not listed yet, or it is listed under an unknown name.
      if (patience.now() >= known.until) return undefined
      await patience.sleep(POLL_MS)
      known.read = this.#read(leftover)
    }
  }

  async #read(leftover: Leftover): Promise<Read> {
    const before = this.#isHeard
    this.#isHeard = true
    const list = await readList(leftover, this.#target)
    const isHeard = this.#isHeard
    this.#isHeard = before
    return { list, isHeard }
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** The operation that removes it, or why there is none. */
function wayToRemove({ type }: Leftover, { binding }: Target): TargetOperation | string {
  const id = binding.resources.get(type)?.delete
  const operation = binding.operations.get(id ?? '')
  if (operation?.offered === true) return operation
  const place = operation && declinedAt(operation)
  if (place !== undefined) return `the binding says that the target does not offer ${id} (${place})`
  return `the binding has no operation that removes ${oneOf(type)}`
}

/** Why it is not removed; undefined where it is, or is not there. */
async function sendDelete(leftover: Leftover, id: string, target: Target): Promise<string | undefined> {
  const way = wayToRemove(leftover, target)
  if (typeof way === 'string') return way
  const resource = target.binding.resources.get(leftover.type)
  try {
    const params = { ...leftover.params, [resource?.id ?? '']: id, id }
    const { view } = await target.send({ operation: way.id, params, intent: { kind: 'cleanup' } })
    if (view.accepted || view.status === 404 || view.status === 410) return undefined
    const { _outcome } = view.exchange
    return `${way.id} (${way.method} ${way.path}) is answered with ${_outcome === 'complete' ? view.status : _outcome}`
  } catch (thrown) {
    return `${way.id} could not be sent: ${thrown instanceof Error ? thrown.message : String(thrown)}`
  }
}

/** `isHeard`: the target heard of the request. */
interface Read {
  readonly list: Listed | undefined
  readonly isHeard: boolean
}

type Listed = { readonly label: string | undefined; readonly id: string | undefined }[]

/** Everything of a kind that the target lists; undefined where it does not list them. */
async function readList(leftover: Leftover, { binding, send }: Target): Promise<Listed | undefined> {
  const resource = binding.resources.get(leftover.type)
  if (resource?.list === undefined || resource.label === undefined) return undefined
  const { label, key = 'id' } = resource
  try {
    const { view } = await send({ operation: resource.list, params: leftover.params, intent: { kind: 'cleanup' } })
    const list = view.accepted ? listIn(view) : undefined
    return list?.map((element) => ({ label: textOf(element[label]), id: textOf(element[key]) }))
  } catch {
    return undefined
  }
}

/** A resource that may be gone with its parent. */
interface Thing {
  readonly type: string
  /** ids of its parents */
  readonly params: Params
}

/** The name of a resource: its type and its id. */
function nameOf(type: string, id: string): string {
  return `${type} ${id}`
}

/** The parent that takes a thing with it when it is removed; undefined where there is none, or its id is not known. */
function parentOf(
  { type, params }: Thing,
  binding: Binding,
): { readonly type: string; readonly id: string } | undefined {
  const parent = binding.resources.get(type)?.with
  const id = params[binding.resources.get(parent ?? '')?.id ?? '']
  return parent === undefined || id === undefined ? undefined : { type: parent, id }
}

/**
 * Whether something that could not be removed is gone nevertheless: its own read says so, or its parent is gone.
 * `gone`: what is known to be removed.
 */
async function isGone(
  thing: Thing,
  id: string | undefined,
  gone: ReadonlySet<string>,
  target: Target,
): Promise<boolean> {
  const own = id === undefined ? undefined : await isThere(thing.type, id, thing, target)
  if (own !== undefined) return !own
  const parent = parentOf(thing, target.binding)
  if (!parent) return false
  return gone.has(nameOf(parent.type, parent.id)) || (await isThere(parent.type, parent.id, thing, target)) === false
}

/** What its read operation says; undefined where there is none, or its answer says neither. */
async function isThere(
  type: string,
  id: string,
  { params }: Thing,
  { binding, send }: Target,
): Promise<boolean | undefined> {
  const resource = binding.resources.get(type)
  const read = type === SUSPENSION ? 'get-ingestion-status' : resource?.read
  if (!resource || read === undefined || binding.operations.get(read)?.offered !== true) return undefined
  try {
    const call = { operation: read, params: { ...params, [resource.id]: id, id } }
    const { view } = await send({ ...call, intent: { kind: 'cleanup' } })
    if (type === SUSPENSION) {
      const running = takesLines(view)
      return running === undefined ? undefined : !running
    }
    if (view.accepted) return true
    return view.status === 404 || view.status === 410 ? false : undefined
  } catch {
    return undefined
  }
}
