import type { Problem } from './errors.ts'

/** Milliseconds that a timer can wait at most: a longer one fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647

/** What numbers an option takes. */
export interface NumberBounds {
  readonly least: number
  /** left out: as many as can be counted exactly */
  readonly most?: number
  /** false: fractions as well */
  readonly whole?: boolean
}

/** Reads the numbers of a command's options; what is wrong with one is added to the problems. */
export function createNumbers(
  problems: Problem[],
): (name: string, text: string | undefined, bounds: NumberBounds) => number | undefined {
  return (name, text, bounds) => {
    if (text === undefined) return undefined
    const value = numberOption(`--${name}`, text, bounds)
    if (typeof value === 'number') return value
    problems.push(value)
    return undefined
  }
}

/** The number that an option was given, or what is wrong with it. `where`: the option, as it is written. */
export function numberOption(
  where: string,
  text: string,
  { least, most = Number.MAX_SAFE_INTEGER, whole = true }: NumberBounds,
): number | Problem {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  const said = JSON.stringify(text)
  if (!Number.isFinite(value) || value < least || (whole && !Number.isInteger(value))) {
    return { where, what: `${said} is not a ${whole ? 'whole ' : ''}number of at least ${least}`, hint: '' }
  }
  if (value > most) return { where, what: `${said} is too much`, hint: `${most} is the most` }
  return value
}
