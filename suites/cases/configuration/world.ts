import type { Collection } from '../../../rules/core/collections.ts'
import { inWords, oneOf } from '../../../rules/core/words.ts'
import { type CaseContext, type Made, NotRun, notOffered, type Sent } from '../../case.ts'
import { isBroken } from '../../request/control.ts'
import { readBack, readGone } from '../../request/read-back.ts'
import { resourceGap } from '../../resources/maker.ts'

/** The collection on the target, and what one sequence of commands has made of it. */
export interface World {
  /** the operations that the target offers; undefined: it does not */
  readonly offered: Readonly<Record<'read' | 'list' | 'update' | 'remove', string | undefined>>
  make(): Promise<void>
  read(index: number): Promise<void>
  list(): Promise<void>
  update(index: number, ending: string): Promise<void>
  /** false: the target refused, or does not offer it */
  remove(index: number): Promise<boolean>
  /** reads what was removed; where that cannot be, lists */
  readRemoved(index: number): Promise<void>
  removeAgain(index: number): Promise<void>
}

/** Thrown where the rules found something broken, so that a shorter sequence is looked for. Decides nothing. */
export class Finding extends Error {}

/** Shared by all sequences of one case: the parents, and the operations that the target offers. */
export interface Ground {
  world(): World
}

/** Makes the parents of the collection. Throws NotRun where the target has no operation for that. */
export async function openGround(context: CaseContext, collection: Collection): Promise<Ground> {
  const { binding } = context
  const resource = binding.resources.get(collection.type)
  const offers = (id: string | undefined): string | undefined =>
    id !== undefined && binding.operations.get(id)?.offered === true ? id : undefined
  if (!resource || offers(resource.create) === undefined) {
    const gap = resourceGap(collection.type)
    const none = new NotRun('no-resource', `the binding has no operation that makes ${oneOf(collection.type)} (${gap})`)
    throw notOffered(binding.operations.get(resource?.create ?? ''), none)
  }
  let parents: Readonly<Record<string, string>> = {}
  for (const type of resource.needs ?? []) {
    const placeholder = binding.resources.get(type)?.id
    if (placeholder !== undefined && parents[placeholder] !== undefined) continue
    parents = { ...parents, ...(await context.make(type, parents)).params }
  }
  const offered = {
    read: offers(resource.read),
    list: offers(resource.list),
    update: bodyOf(context, collection.update) === undefined ? undefined : offers(collection.update),
    remove: offers(collection.remove),
  }
  return { world: () => createWorld(context, collection, parents, offered) }
}

function createWorld(
  context: CaseContext,
  collection: Collection,
  parents: Readonly<Record<string, string>>,
  offered: World['offered'],
): World {
  const there: Made[] = []
  const removed: Made[] = []
  const group = context.group()
  const pick = (among: readonly Made[], index: number): Made => {
    const picked = among[index % among.length]
    if (!picked) throw new Error(`there is no ${collection.type} to pick from`)
    return picked
  }
  const paramsOf = (made: Made): Record<string, string> => ({ ...made.params, id: made.id })

  async function list(): Promise<void> {
    if (offered.list !== undefined) look(await readBack(context, offered.list, parents, group))
  }

  async function readRemoved(index: number): Promise<void> {
    if (offered.read === undefined) return list()
    const params = paramsOf(pick(removed, index))
    look(await readGone(context, offered.read, params, group))
  }

  return {
    offered,
    list,
    readRemoved,
    async make() {
      const made = await context.make(collection.type, parents)
      if (!made.own) throw new NotRun('no-resource', `the ${inWords(collection.type)} was there before`)
      there.push(made)
    },
    async read(index) {
      if (offered.read === undefined) return
      look(await readBack(context, offered.read, paramsOf(pick(there, index)), group))
    },
    async update(index, ending) {
      const operation = offered.update
      if (operation === undefined) return
      const made = pick(there, index)
      const most = context.binding.resources.get(collection.type)?.labelMax
      const label = `${context.label()}${most === undefined ? ending : ''}`
      const body = context.fill(bodyOf(context, operation), { ...made.params, label, email: made.label })
      look(await context.send({ operation, params: paramsOf(made), body, label, intent: { kind: 'base', group } }))
    },
    async remove(index) {
      const operation = offered.remove
      if (operation === undefined) return false
      const made = pick(there, index)
      const intent = { kind: 'base' as const, group }
      const { view } = look(await context.send({ operation, params: paramsOf(made), intent }))
      if (!view.accepted) return false
      there.splice(there.indexOf(made), 1)
      removed.push(made)
      return true
    },
    async removeAgain(index) {
      const operation = offered.remove
      if (operation === undefined) return
      // A resource that may still be listed does not count as unknown yet.
      await readRemoved(index)
      const intent =
        collection.unknown === undefined
          ? { kind: 'read' as const, edge: 'removed again', group }
          : { kind: 'provoke' as const, probe: collection.unknown, group }
      look(await context.send({ operation, params: paramsOf(pick(removed, index)), intent }))
    },
  }
}

/** The sample body of an update; undefined where the binding has none. */
function bodyOf(context: CaseContext, operation: string | undefined): unknown {
  return operation === undefined ? undefined : context.binding.operations.get(operation)?.body
}

function look(sent: Sent): Sent {
  if (isBroken(sent.judgements)) throw new Finding('something is not as it was left')
  return sent
}
