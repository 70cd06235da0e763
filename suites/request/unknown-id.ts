import { listIn } from '../../rules/core/reads.ts'
import type { CaseContext } from '../case.ts'
import { reader } from './read-back.ts'

/** Ids shorter than this may be counted up: another one could be somebody's. */
const LONG_ENOUGH = 20
/** Characters at the end of an id that are changed. Some kinds of ids say at their beginning which kind they are. */
const CHANGED = 10

/**
 * An id in the form of a real one that names nothing: digits become other digits, letters other hexadecimal letters.
 * Undefined where that cannot be known: the id is short, or there is no list.
 */
export async function elsewhere(context: CaseContext, type: string, id: string): Promise<string | undefined> {
  const list = reader(context, type, 'list')
  if (id.length < LONG_ENOUGH || context.binding.operations.get(list ?? '')?.offered !== true) return undefined
  const other = otherId(id)
  const { view } = await context.send({ operation: list ?? '', intent: { kind: 'setup' } })
  const key = context.binding.resources.get(type)?.key ?? 'id'
  const taken = view.accepted ? listIn(view)?.some((element) => String(element[key]) === other) : undefined
  return other === id || taken !== false ? undefined : other
}

/** The same id with other characters of the same kinds at its end. */
export function otherId(id: string): string {
  const kept = id.slice(0, -CHANGED)
  return kept + id.slice(-CHANGED).replaceAll(/[0-9a-f]/gi, (character) => OTHER.get(character) ?? character)
}

const OTHER: ReadonlyMap<string, string> = new Map(
  ['0123456789', 'abcdef', 'ABCDEF'].flatMap((letters) =>
    [...letters].map((letter, index): [string, string] => [letter, letters[(index + 3) % letters.length] ?? letter]),
  ),
)
