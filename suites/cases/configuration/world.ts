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
  return { world: () => new CollectionWorld(context, collection, parents, offered) }
}

class CollectionWorld implements World {
  private readonly context: CaseContext
  private readonly collection: Collection
  private readonly parents: Readonly<Record<string, string>>
  readonly offered: World['offered']
  private readonly there: Made[] = []
  private readonly removed: Made[] = []
  private readonly group: string

  constructor(
    context: CaseContext,
    collection: Collection,
    parents: Readonly<Record<string, string>>,
    offered: World['offered'],
  ) {
    this.context = context
    this.collection = collection
    this.parents = parents
    this.offered = offered
    this.group = context.group()
  }

  async list(): Promise<void> {
    if (this.offered.list !== undefined) look(await readBack(this.context, this.offered.list, this.parents, this.group))
  }

  async readRemoved(index: number): Promise<void> {
    if (this.offered.read === undefined) return this.list()
    const params = this.paramsOf(this.pick(this.removed, index))
    look(await readGone(this.context, this.offered.read, params, this.group))
  }

  async make(): Promise<void> {
    const made = await this.context.make(this.collection.type, this.parents)
    if (!made.own) throw new NotRun('no-resource', `the ${inWords(this.collection.type)} was there before`)
    this.there.push(made)
  }

  async read(index: number): Promise<void> {
    if (this.offered.read === undefined) return
    look(await readBack(this.context, this.offered.read, this.paramsOf(this.pick(this.there, index)), this.group))
  }

  async update(index: number, ending: string): Promise<void> {
    const operation = this.offered.update
    if (operation === undefined) return
    const made = this.pick(this.there, index)
    const most = this.context.binding.resources.get(this.collection.type)?.labelMax
    const label = `${this.context.label()}${most === undefined ? ending : ''}`
    const body = this.context.fill(bodyOf(this.context, operation), { ...made.params, label, email: made.label })
    look(
      await this.context.send({
        operation,
        params: this.paramsOf(made),
        body,
        label,
        intent: { kind: 'base', group: this.group },
      }),
    )
  }

  async remove(index: number): Promise<boolean> {
    const operation = this.offered.remove
    if (operation === undefined) return false
    const made = this.pick(this.there, index)
    const intent = { kind: 'base' as const, group: this.group }
    const { view } = look(await this.context.send({ operation, params: this.paramsOf(made), intent }))
    if (!view.accepted) return false
    this.there.splice(this.there.indexOf(made), 1)
    this.removed.push(made)
    return true
  }

  async removeAgain(index: number): Promise<void> {
    const operation = this.offered.remove
    if (operation === undefined) return
    // A resource that may still be listed does not count as unknown yet.
    await this.readRemoved(index)
    const intent =
      this.collection.unknown === undefined
        ? { kind: 'read' as const, edge: 'removed again', group: this.group }
        : { kind: 'provoke' as const, probe: this.collection.unknown, group: this.group }
    look(await this.context.send({ operation, params: this.paramsOf(this.pick(this.removed, index)), intent }))
  }

  private pick(among: readonly Made[], index: number): Made {
    const picked = among[index % among.length]
    if (!picked) throw new Error(`there is no ${this.collection.type} to pick from`)
    return picked
  }

  private paramsOf(made: Made): Record<string, string> {
    return { ...made.params, id: made.id }
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
