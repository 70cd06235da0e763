let format: Intl.NumberFormat | undefined

export function number(value: number): string {
  // Not made before it is needed: the first of a process takes 12 ms.
  format ??= new Intl.NumberFormat('en-US')
  return format.format(value)
}

/** `1 request`, `2 requests` */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${number(count)} ${count === 1 ? noun : plural}`
}

/** Which of so many parts are not there; undefined: all are. `split`: what tells this split from others. */
export function missingOf(of: number, there: ReadonlySet<number>, split = ''): string | undefined {
  const count = of - [...there].filter((index) => index >= 1 && index <= of).length
  if (count <= 0) return undefined
  // A report can speak of any number of parts, and only the first ones are named.
  const away: number[] = []
  for (let index = 1; index <= of && away.length <= MOST_NAMED; index += 1) if (!there.has(index)) away.push(index)
  const [shards, are] = count === 1 ? ['shard', 'is'] : ['shards', 'are']
  return `${shards} ${listed(away, count)} of ${of}${split} ${are} missing`
}

/** The first names of a list, and how many more there are. */
export function firstOf(names: readonly string[], most: number): string {
  const rest = names.length - most
  return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${number(rest)} more` : '')
}

const MOST_NAMED = 6

/** A list in words: '1, 2 and 3', or the first few and how many more. `count`: names, where not all are given. */
export function listed(names: readonly (string | number)[], count: number = names.length): string {
  const named = names.slice(0, MOST_NAMED).map(String)
  if (count > MOST_NAMED) return `${named.join(', ')} and ${count - MOST_NAMED} more`
  return named.length < 2 ? named.join() : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
}
