import { takesLines } from '../../rules/core/reads.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { Call, Sent } from './case.ts'

/** What is known of a thing that may have gone with its parent. */
interface Thing {
  readonly type: string
  /** ids of its parents */
  readonly params: Readonly<Record<string, string>>
}

/** No thing, but a state of the account: whether it is there is told by the status of ingestion. */
export const SUSPENSION = 'suspension'

/** One thing by its kind and its id. */
export function nameOf(type: string, id: string): string {
  return `${type} ${id}`
}

/** The parent that takes a thing with it when it is removed; undefined where there is none, or its id is not known. */
export function parentOf(
  { type, params }: Thing,
  binding: Binding,
): { readonly type: string; readonly id: string } | undefined {
  const parent = binding.resources.get(type)?.with
  const id = params[binding.resources.get(parent ?? '')?.id ?? '']
  return parent === undefined || id === undefined ? undefined : { type: parent, id }
}

/**
 * Whether the target says that something which could not be removed is not there: by its own read operation, else
 * because the parent that takes it along is gone. `gone`: things that are known to have been removed.
 */
export async function isGone(
  thing: Thing,
  id: string | undefined,
  gone: ReadonlySet<string>,
  binding: Binding,
  send: (call: Call) => Promise<Sent>,
): Promise<boolean> {
  const own = id === undefined ? undefined : await isThere(thing.type, id, thing, binding, send)
  if (own !== undefined) return !own
  const parent = parentOf(thing, binding)
  if (!parent) return false
  return (
    gone.has(nameOf(parent.type, parent.id)) || (await isThere(parent.type, parent.id, thing, binding, send)) === false
  )
}

/** What its read operation says; undefined where there is none, or its answer says neither. */
export async function isThere(
  type: string,
  id: string,
  { params }: Thing,
  binding: Binding,
  send: (call: Call) => Promise<Sent>,
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
