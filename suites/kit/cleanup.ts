import { listIn } from '../../rules/history/reads.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Call, Sent } from './case.ts'
import { isGone, nameOf, parentOf, SUSPENSION } from './cleanup-gone.ts'

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

type Send = (call: Call) => Promise<Sent>

/**
 * Removes what was made, the newest first, with operations that the binding declares. What goes with its parent is left
 * to the parent; what has no known id is looked for by its label. `earlier`: what was removed before this cleanup; then what
 * cannot be removed is asked for, and counts as removed where it is gone. Never throws for what the target answers.
 * Returns what is, or may be, still there.
 */
export async function cleanUp<L extends Leftover>(
  leftovers: readonly L[],
  binding: Binding,
  send: Send,
  onRemoved: (leftover: L) => Promise<void>,
  earlier?: Earlier,
): Promise<L[]> {
  const lists = new Map<string, Promise<Listed | undefined>>()
  const gone = new Set<string>()
  const before = new Set(earlier?.removed.map(({ type, id }) => nameOf(type, id)))
  const left: L[] = []

  async function remove(leftover: L): Promise<void> {
    const id = leftover.id ?? (await find(leftover))
    const done = id !== undefined && (id === ABSENT || (await sendDelete(leftover, id, binding, send)))
    // Resuming may be refused where nothing is suspended.
    const asked = earlier !== undefined || leftover.type === SUSPENSION
    if (!done && !(asked && (await isGone(leftover, id, new Set([...before, ...gone]), binding, send)))) {
      left.push(leftover)
      return
    }
    if (id !== undefined) gone.add(nameOf(leftover.type, id))
    await onRemoved(leftover)
  }

  /** The id by the label; ABSENT where the list does not have it; undefined where there is no list, or none with ids. */
  async function find(leftover: L): Promise<string | undefined> {
    const { type, params, label, before, answered } = leftover
    const key = `${type} ${JSON.stringify(params)}`
    const pending = lists.get(key) ?? readList(leftover, binding, send)
    lists.set(key, pending)
    const list = await pending
    const isNew = (one: Listed[number]): boolean => !before?.has(one.id ?? '')
    const named = list?.findIndex((one) => one.label === label && isNew(one)) ?? -1
    const nameless = before && answered ? (list?.findIndex((one) => one.label === undefined && isNew(one)) ?? -1) : -1
    const found = named >= 0 ? named : nameless
    const isOwn = before !== undefined || OWN_NAME.test(label)
    if (list && found >= 0) return isOwn ? list.splice(found, 1)[0]?.id : undefined
    // What the target said that it made is somewhere, under a name that nobody knows.
    return list && answered !== true ? ABSENT : undefined
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
