import { listIn } from '../../rules/core/reads.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Call, Sent } from './case.ts'
import { isGone, isThere, nameOf, parentOf, SUSPENSION } from './cleanup-gone.ts'

/** What cleanup needs to know of something that was made, or may have been. */
export interface Leftover {
  readonly type: string
  readonly label: string
  readonly params: Readonly<Record<string, string>>
  /** undefined where no answer told it */
  readonly id: string | undefined
  /** true: the target answered that it was made */
  readonly answered?: boolean
  /** ids of its kind that were there before it was made: what bears its name and is none of them is taken for it */
  readonly before?: ReadonlySet<string> | undefined
}

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

type Send = (call: Call) => Promise<Sent>

/**
 * Removes what was made, the newest first, with operations that the binding declares. What goes with its parent is left
 * to the parent; what has no known id is looked for by its label, as long as `patience` says where the target answered that it
 * was made. `earlier`: what was removed before this cleanup; then what
 * cannot be removed is asked for, and counts as removed where it is gone. Never throws for what the target answers.
 * Returns what is, or may be, still there.
 */
export async function cleanUp<L extends Leftover>(
  leftovers: readonly L[],
  binding: Binding,
  send: Send,
  onRemoved: (leftover: L) => Promise<void>,
  earlier?: Earlier,
  patience: Patience = NO_PATIENCE,
): Promise<L[]> {
  const lists = new Map<string, { list: Promise<Listed | undefined>; readonly until: number }>()
  /** ids of each kind that were found by their labels: an old list may show them once more */
  const taken = new Set<string>()
  const gone = new Set<string>()
  const before = new Set(earlier?.removed.map(({ type, id }) => nameOf(type, id)))
  const left: L[] = []

  async function remove(leftover: L): Promise<void> {
    const id = leftover.id ?? (await find(leftover))
    const sent = id !== undefined && (id === ABSENT || (await sendDelete(leftover, id, binding, send)))
    const done = sent && (leftover.type !== SUSPENSION || (await isResumed(leftover)))
    // Resuming may be refused where nothing is suspended.
    const asked = earlier !== undefined || leftover.type === SUSPENSION
    if (!done && !(asked && (await isGone(leftover, id, new Set([...before, ...gone]), binding, send)))) {
      left.push(leftover)
      return
    }
    if (id !== undefined) gone.add(nameOf(leftover.type, id))
    await onRemoved(leftover)
  }

  /** Whether ingestion runs after a call that resumes it, or nobody can tell. A second call may be wanted right after the first. */
  async function isResumed(leftover: L): Promise<boolean> {
    const isSuspended = async (): Promise<boolean> =>
      (await isThere(SUSPENSION, SUSPENSION, leftover, binding, send)) === true
    if (!(await isSuspended())) return true
    for (let count = 0; count < 2; count += 1) await sendDelete(leftover, SUSPENSION, binding, send)
    for (const until = patience.now() + patience.settleMs; ; await patience.sleep(POLL_MS)) {
      if (!(await isSuspended())) return true
      if (patience.now() >= until) return false
    }
  }

  /** The id by the label; ABSENT where the list does not have it; undefined where there is no list, or none with ids. */
  async function find(leftover: L): Promise<string | undefined> {
    const { type, params, label, before, answered } = leftover
    const key = `${type} ${JSON.stringify(params)}`
    const known = lists.get(key) ?? {
      list: readList(leftover, binding, send),
      until: patience.now() + patience.settleMs,
    }
    lists.set(key, known)
    for (;;) {
      const list = await known.list
      const isNew = ({ id = '' }: Listed[number]): boolean =>
        !before?.has(id) && !taken.has(nameOf(type, id)) && !gone.has(nameOf(type, id))
      const named = list?.find((one) => one.label === label && isNew(one))
      const nameless = before && answered ? list?.find((one) => one.label === undefined && isNew(one)) : undefined
      const found = named ?? nameless
      if (found) {
        if (before === undefined && !OWN_NAME.test(label)) return undefined
        if (found.id !== undefined) taken.add(nameOf(type, found.id))
        return found.id
      }
      if (!list || answered !== true) return list && ABSENT
      // What the target said that it made is not listed yet, or stands somewhere under a name that nobody knows.
      if (patience.now() >= known.until) return undefined
      await patience.sleep(POLL_MS)
      known.list = readList(leftover, binding, send)
    }
  }

  const parentName = (leftover: L): string => {
    const parent = parentOf(leftover, binding)
    return parent === undefined ? '' : nameOf(parent.type, parent.id)
  }

  const newest = [...leftovers].reverse()
  const made = new Set(leftovers.map(({ type, id }) => nameOf(type, id ?? '')))
  const withParent = newest.filter((leftover) => made.has(parentName(leftover)))
  for (const leftover of newest) if (!withParent.includes(leftover)) await remove(leftover)
  for (const leftover of withParent) {
    if (gone.has(parentName(leftover))) await onRemoved(leftover)
    else await remove(leftover)
  }
  return left
}

const ABSENT = ''

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

async function sendDelete(leftover: Leftover, id: string, binding: Binding, send: Send): Promise<boolean> {
  const resource = binding.resources.get(leftover.type)
  if (resource?.delete === undefined || binding.operations.get(resource.delete)?.offered !== true) return false
  try {
    const params = { ...leftover.params, [resource.id]: id, id }
    const { view } = await send({ operation: resource.delete, params, intent: { kind: 'cleanup' } })
    return view.accepted || view.status === 404 || view.status === 410
  } catch {
    return false
  }
}

type Listed = { readonly label: string | undefined; readonly id: string | undefined }[]

/** Everything of a kind that the target lists; undefined where it does not list them. */
async function readList(leftover: Leftover, binding: Binding, send: Send): Promise<Listed | undefined> {
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
