import fc from 'fast-check'
import type { BoundResource, TargetOperation } from '../../schemas/binding.ts'
import { namesInPath } from '../../schemas/matcher.ts'
import { operationRow } from '../../schemas/service.ts'
import type { CaseContext } from '../case.ts'
import { draw, subSeed } from '../generate/drawing.ts'
import { leftBehind } from '../resources/kept.ts'

/** Something that a walk may do: an operation, and the type of what it is about. */
export interface Command {
  readonly does: 'make' | 'change' | 'remove' | 'send'
  readonly type: string
  readonly operation: string
}

/** A command with a number that chooses what it is about, and its values. */
export interface Step {
  readonly command: Command
  readonly seed: number
}

const MOST_SEED = 0x7fffffff

/** Things that lists in bodies name: there are more of them. */
const LISTED: Readonly<Record<string, number>> = { source: 4, transform: 4, 'group-revision': 2, 'placed-group': 3 }
/** Each of two things gets each of two values, a switch each of them twice; a partial update leaves out each of three fields. */
function timesOf({ operation }: Command): number {
  const { verb, method, kind } = operationRow(operation) ?? {}
  return verb === 'switch' ? 8 : method === 'PATCH' ? 6 : kind ? 4 : 2
}

/** Lines of an application of its own, and of those that exclusion rules name. */
const SENDS: Command = { does: 'send', type: 'line', operation: 'ingest-lines' }

/**
 * The steps of a walk, drawn. First lines are sent, each kind of thing is made, and two of each are changed. So there is
 * much that a later step could touch. Then come `count` steps, each removal among them; each command has its turn.
 */
export function stepsOf(context: CaseContext, count: number): readonly Step[] {
  const commands = commandsOf(context)
  const of = (does: Command['does']): readonly Command[] => commands.filter((one) => one.does === does)
  const shuffled = (some: readonly Command[], use: string): readonly Command[] =>
    draw(fc.shuffledSubarray([...some], { minLength: some.length }), subSeed(context.seed, use), 1).flat()
  const before = [SENDS, ...sourcesFirst(shuffled(of('make'), 'make'))].flatMap((one) =>
    Array<Command>(LISTED[one.type] ?? 1).fill(one),
  )
  const twice = shuffled(of('change'), 'change').flatMap((one) => Array<Command>(timesOf(one)).fill(one))
  const rounds = Math.ceil(count / commands.length)
  const after = Array.from({ length: rounds }, (_, round) => [
    ...shuffled(of('remove'), `remove ${round}`),
    ...shuffled([...of('change'), ...of('make')], `other ${round}`),
  ])
  // However short a walk is, each kind of thing is removed once.
  const least = Math.max(count, of('remove').length)
  const all = [...before, ...twice, ...shuffled(after.flat().slice(0, least), 'steps')]
  const seeds = draw(fc.nat({ max: MOST_SEED }), context.seed, all.length)
  // The last bit says which one of two things, those before it to which of two sides.
  const seedAt = (index: number): number => ((seeds[index] ?? 0) & ~7) | (index & 7)
  return all.map((command, index) => ({ command, seed: seedAt(index) }))
}

/** A node is fed from nodes that were there before it. */
function sourcesFirst(commands: readonly Command[]): readonly Command[] {
  const isSource = ({ type }: Command): boolean => type === 'source'
  return [...commands.filter(isSource), ...commands.filter((one) => !isSource(one))]
}

/** Every operation by which a walk can change something, of what the target offers and the run may touch. */
function commandsOf(context: CaseContext): readonly Command[] {
  const { binding } = context
  const types = new Map([...binding.resources].filter(([type]) => mayMake(context, type)))
  const offers = (id: string | undefined): id is string => binding.operations.get(id ?? '')?.offered === true
  const ends = [...types].flatMap(([type, { create, delete: remove }]): Command[] => [
    ...(offers(create) ? [{ does: 'make' as const, type, operation: create }] : []),
    ...(offers(create) && offers(remove) ? [{ does: 'remove' as const, type, operation: remove }] : []),
  ])
  const known = new Set([...binding.resources.values()].flatMap(({ create, delete: remove }) => [create, remove]))
  const changes = [...binding.operations.values()].flatMap((operation): Command[] => {
    const { id, method, effect } = operation
    const isChange = offers(id) && method !== 'GET' && effect !== 'read' && !known.has(id)
    const type = isChange ? typeOf(operation, types) : undefined
    return type === undefined ? [] : [{ does: 'change', type, operation: id }]
  })
  return [...ends, ...changes]
}

/** One account has one archive, and exclusion rules act on the whole account. Things that nothing removes are not made. */
function mayMake(context: CaseContext, type: string): boolean {
  if (type === 'archiving' || leftBehind(context.binding).includes(type)) return false
  return type !== 'exclusion' || context.embedded || context.consent.exclusions === true
}

/** The type of what an operation changes: the one that its path names last. */
function typeOf({ id, path }: TargetOperation, types: ReadonlyMap<string, BoundResource>): string | undefined {
  if (id === 'update-state-variables') return 'pipeline'
  const named = namesInPath(path)
  return [...types].findLast(([, resource]) => named.at(-1) === resource.id)?.[0]
}
