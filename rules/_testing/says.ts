import { expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { said } from '../testing.ts'

/** What happened, its exchanges, and the outcomes in their order, such as `held broken`; '' for none. */
export type Says = readonly [string, readonly Exchange[], string]

/** A time within which nothing that is read has settled, in milliseconds. */
const FOREVER = 1e12

type Told = string | ((history: readonly Exchange[], settleMs?: number) => readonly string[])

interface Table {
  /** a requirement, whose outcomes are meant, or what tells them */
  readonly told: Told
  /** of a test; %s is what happened */
  readonly title?: string
  /** in none of the histories anything is wrong while the target may still show the old state */
  readonly settles?: boolean
}

/** A test of each history: its outcomes for a requirement, or as told. */
export function eachSays(table: Told | Table, rows: readonly Says[]): void {
  const { told, title = '%s', settles = false } = typeof table === 'object' ? table : { told: table }
  const outcomes = (history: readonly Exchange[], settleMs?: number): string =>
    (typeof told === 'string' ? said(told, history, settleMs) : told(history, settleMs)).join(' ')
  test.each(rows)(title, (_, history, expected) => {
    expect(outcomes(history)).toBe(expected)
  })
  if (!settles) return
  test('is given the settle time', () => {
    expect(rows.filter(([, , expected]) => WRONG.test(expected)).length).toBeGreaterThan(0)
    expect(rows.filter(([, history]) => WRONG.test(outcomes(history, FOREVER)))).toEqual([])
  })
}

/** In outcomes, and in their words. */
const WRONG = /\bbroken\b|\bnot /

/** The same for several requirements, each with its histories. */
export function eachOfSays(all: Readonly<Record<string, readonly Says[]>>): void {
  for (const [requirement, rows] of Object.entries(all))
    eachSays({ told: requirement, title: `${requirement}: %s` }, rows)
}

const HOW: Readonly<Record<string, string>> = { held: '', broken: 'not ', inconclusive: 'perhaps ' }

/** What an outcome says of a word: `made` where it held, `not made` where it is broken. */
export function inWords(word: string | undefined, outcome: string): string {
  return `${HOW[outcome] ?? `${outcome} `}${word}`
}
