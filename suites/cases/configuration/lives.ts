import fc from 'fast-check'
import { inWords, oneOf } from '../../../rules/core/words.ts'
import { type Collection, collections } from '../../../schemas/service.ts'
import { type Case, type CaseContext, type Made, NotRun, notOffered, type Sent } from '../../case.ts'
import { subSeed } from '../../generate/drawing.ts'
import { longText } from '../../generate/values/text.ts'
import { LETTERS_BEYOND_ASCII } from '../../generate/values/text-shape.ts'
import { isBroken } from '../../request/control.ts'
import { readBack, readGone } from '../../request/read-back.ts'
import { resourceGap } from '../../resources/maker.ts'

/** Drawn values for each sequence of commands: a sequence costs as much as many requests of other cases. */
const RUNS_PER_SEQUENCE = 20

/** For each kind of resource: made, read, listed, changed and removed in every order, and read in between. */
export const lifeCases: readonly Case[] = collections.map((collection) => ({
  id: `${collection.create}/life`,
  title: `${oneOf(collection.type)} is there from its creation to its removal, as it was written`,
  async run(context) {
    const ground = await openGround(context, collection)
    await runMachine({
      seed: subSeed(context.seed, 'commands'),
      runs: Math.max(1, Math.ceil(context.runs / RUNS_PER_SEQUENCE)),
      world: ground.world,
    })
    if (context.profile === 'thorough') await lookAtMany(collection, ground.world())
  },
}))

/** Costs as much as a dozen sequences of commands, so that it is not for every day. */
async function lookAtMany(collection: Collection, world: World): Promise<void> {
  if (!hasManyListed(collection, world)) return
  try {
    await listMany(world)
  } catch (thrown) {
    // The evidence holds what was found.
    if (!(thrown instanceof Finding)) throw thrown
  }
}

/** What tells which commands make sense. The world holds the target's side. */
interface Model {
  there: number
  removed: number
}

type Command = fc.AsyncCommand<Model, World, false>

/** More than one, so that one can be mistaken for another; few, so that a list stays short. */
const MOST_THERE = 4

const make: Command = {
  check: ({ there }) => there < MOST_THERE,
  async run(model, world) {
    await world.make()
    model.there += 1
  },
  toString: () => 'make',
}

const list: Command = { check: () => true, run: (_model, world) => world.list(), toString: () => 'list' }

function read(index: number): Command {
  return existing(`read ${index}`, (world) => world.read(index))
}

function update(index: number, ending = ''): Command {
  return existing(`update ${index} ${JSON.stringify(ending)}`, (world) => world.update(index, ending))
}

function remove(index: number): Command {
  return {
    check: ({ there }) => there > 0,
    async run(model, world) {
      if (!(await world.remove(index))) return
      model.there -= 1
      model.removed += 1
    },
    toString: () => `remove ${index}`,
  }
}

function readRemoved(index: number): Command {
  return gone(`read removed ${index}`, (world) => world.readRemoved(index))
}

function removeAgain(index: number): Command {
  return gone(`remove again ${index}`, (world) => world.removeAgain(index))
}

function existing(name: string, run: (world: World) => Promise<void>): Command {
  return { check: ({ there }) => there > 0, run: (_model, world) => run(world), toString: () => name }
}

function gone(name: string, run: (world: World) => Promise<void>): Command {
  return { check: ({ removed }) => removed > 0, run: (_model, world) => run(world), toString: () => name }
}

/** Every command, each followed by every read: so the fixed part of a life is complete, whatever is drawn. */
const WALK: readonly Command[] = [
  make,
  list,
  read(0),
  read(0),
  make,
  list,
  read(1),
  update(0),
  read(0),
  list,
  read(1),
  update(0, ` Again & 'again'`),
  read(0),
  update(0, ` ${LETTERS_BEYOND_ASCII.join('')}`),
  read(0),
  update(0, ` ${longText(150)}`),
  read(0),
  list,
  remove(0),
  readRemoved(0),
  list,
  read(0),
  removeAgain(0),
  make,
  list,
  readRemoved(0),
  remove(0),
  list,
  readRemoved(1),
  read(0),
]

const ENDINGS = ['', '-x', ' in words', ' Straße', ' 漢字'] as const
const index = fc.nat({ max: MOST_THERE - 1 })
const MOST_COMMANDS = 16

const sequences = fc.commands<Model, World, false>(
  [
    fc.constant(make),
    fc.constant(list),
    index.map(read),
    fc.tuple(index, fc.constantFrom(...ENDINGS)).map(([at, ending]) => update(at, ending)),
    index.map(remove),
    index.map(readRemoved),
    index.map(removeAgain),
  ],
  { maxCommands: MOST_COMMANDS, size: 'max' },
)

/** Sequences that may go into finding a shorter one that fails as well. */
const MOST_SHRINKS = 40

interface MachineOptions {
  readonly seed: number
  /** sequences that are drawn */
  readonly runs: number
  /** a world without anything in it */
  readonly world: () => World
}

/**
 * Walks through every verb, then through drawn sequences of them. Where the rules find something broken, shorter
 * sequences are tried; what the rules say of them stands in the evidence. Rethrows whatever else goes wrong.
 */
async function runMachine({ seed, runs, world }: MachineOptions): Promise<void> {
  const model = { there: 0, removed: 0 }
  const walked = world()
  try {
    for (const command of WALK) if (command.check(model)) await command.run(model, walked)
  } catch (thrown) {
    // A walk that fails has shown enough; the drawn sequences look for a shorter one.
    if (!(thrown instanceof Finding)) throw thrown
  }
  let failure: unknown
  let failed = 0
  const property = fc.asyncProperty(sequences, async (commands) => {
    if (failure !== undefined || failed > MOST_SHRINKS) return
    try {
      await fc.asyncModelRun(() => ({ model: { there: 0, removed: 0 }, real: world() }), commands)
    } catch (thrown) {
      if (thrown instanceof Finding) failed += 1
      else failure = thrown
      throw thrown
    }
  })
  await fc.check(property, { seed, numRuns: runs })
  if (failure !== undefined) throw failure
}

/** More than the first page of a list has as a rule. */
const MANY = 30

/**
 * Kinds of which a missing one in a list breaks its creation. A list that is cut says nothing of that. All keys of an
 * enterprise have a case of their own, and each new member is sent a mail.
 */
const APART: ReadonlySet<string> = new Set(['preset-alert', 'enterprise-key', 'member'])

/** Whether a cut list can be recognised: the missing things have to be found in another way. */
export function hasManyListed({ type, listed }: Collection, { offered }: World): boolean {
  return listed !== undefined && !APART.has(type) && offered.read !== undefined && offered.list !== undefined
}

/** Makes many things, reads each and lists them all. */
export async function listMany(world: World): Promise<void> {
  const made = await makeMany(world)
  for (let index = 0; index < made; index += 1) await world.read(index)
  await world.list()
}

/** How many there may be at once is not said: as many as there can be. */
async function makeMany(world: World): Promise<number> {
  for (let made = 0; made < MANY; made += 1) {
    try {
      await world.make()
    } catch (thrown) {
      if (thrown instanceof NotRun) return made
      throw thrown
    }
  }
  return MANY
}

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
class Finding extends Error {}

/** Shared by all sequences of one case: the parents, and the operations that the target offers. */
export interface Ground {
  world(): World
}

/** Makes the parents of the collection. Throws NotRun where the target has no operation for that. */
async function openGround(context: CaseContext, collection: Collection): Promise<Ground> {
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
