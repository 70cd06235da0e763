import fc from 'fast-check'
import type { BoundResource, TargetOperation } from '../../schemas/binding.ts'
import type { CaseContext } from '../case.ts'
import { draw } from '../generate/drawing.ts'
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

/** Lines of an application of its own, and of those that exclusion rules name. */
const SENDS: Command = { does: 'send', type: 'line', operation: 'ingest-lines' }

/** So many steps, drawn: each command has its turn before one comes again. Lines are sent first, so that they have time. */
export function stepsOf(context: CaseContext, count: number): readonly Step[] {
  const commands = commandsOf(context)
  const round = fc.shuffledSubarray([...commands], { minLength: commands.length })
  const rounds = draw(round, context.seed, Math.ceil(count / commands.length)).flat()
  const seeds = draw(fc.nat({ max: 0x7fffffff }), context.seed, count)
  return [SENDS, ...rounds].slice(0, count).map((command, index) => ({ command, seed: seeds[index] ?? 0 }))
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
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return [...types].findLast(([, resource]) => named.at(-1) === resource.id)?.[0]
}
