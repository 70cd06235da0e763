/** Characters at the end of an id that are changed. Some kinds of ids say at their beginning which kind they are. */
const CHANGED = 10

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
