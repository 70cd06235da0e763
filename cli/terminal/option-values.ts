import type { Problem } from '../../engine/errors.ts'
import { type NumberBounds, numberOption, optionOf, shardOption } from '../../engine/options.ts'
import type { Shard } from '../../schemas/types/report.ts'

/** Options of a job as the command line gives them: numbers and the shard are words. */
export type Words<Options, Name extends keyof Options> = Omit<Options, Name | 'shard'> & {
  readonly [name in Name]?: string
} & { readonly shard?: string }

/** The same with values. */
type Values<Given, Name> = Omit<Given, (Name & keyof Given) | 'shard'> & {
  readonly [name in Name & string]?: number
} & { readonly shard?: Shard }

/** Reads numbers and shard. Wrong values are not thrown, so that they are reported together with other problems. */
export function readOptions<Given extends { readonly shard?: string }, Name extends keyof Given & string>(
  words: Given,
  bounds: Readonly<Record<Name, NumberBounds>>,
  whole: string,
): { readonly options: Values<Given, Name>; readonly problems: readonly Problem[] } {
  const options: Record<string, unknown> = { ...words }
  const problems: Problem[] = []
  const take = (name: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null && 'what' in value) {
      delete options[name]
      problems.push(value as Problem)
    } else options[name] = value
  }
  for (const [name, within] of Object.entries<NumberBounds>(bounds)) {
    const text = options[name]
    if (typeof text === 'string') take(name, numberOption(optionOf(name), text, within))
  }
  if (words.shard !== undefined) take('shard', shardOption(words.shard, whole))
  return { options: options as Values<Given, Name>, problems }
}
