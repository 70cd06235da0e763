import { expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { said } from '../testing.ts'

/** What happened, its exchanges, and the outcomes in their order, such as `held broken`; '' for none. */
export type Says = readonly [string, readonly Exchange[], string]

/** A test of each history: its outcomes for a requirement, or as told. `title`: of a test; %s is what happened. */
export function eachSays(
  told: string | ((history: readonly Exchange[]) => readonly string[]),
  rows: readonly Says[],
  title = '%s',
): void {
  test.each(rows)(title, (_, history, expected) => {
    expect((typeof told === 'string' ? said(told, history) : told(history)).join(' ')).toBe(expected)
  })
}

const HOW: Readonly<Record<string, string>> = { held: '', broken: 'not ', inconclusive: 'perhaps ' }

/** What an outcome says of a word: `made` where it held, `not made` where it is broken. */
export function inWords(word: string | undefined, outcome: string): string {
  return `${HOW[outcome] ?? `${outcome} `}${word}`
}
