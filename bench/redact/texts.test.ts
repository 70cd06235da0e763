import { expect, test } from 'vitest'
import { UNBOUNDED } from '../../fixtures/redact/budget.ts'
import { createTextRedactor } from '../../fixtures/redact/engine.ts'
import { secretBodies } from './secrets.ts'
import { TEXTS, textOf, typeOf } from './texts.ts'

/** Characters that a text makes the search look at, and secrets that it finds. Neither depends on the machine. */
function workOf(text: string, mimeType: string): { readonly characters: number; readonly secrets: number } {
  let characters = 0
  let secrets = 0
  const hide = (secret: string): string => {
    secrets += 1
    return 'x'.repeat(secret.length)
  }
  const clean = (one: string): string => {
    characters += one.length
    return one
  }
  const check = (looked = 0): void => {
    characters += looked
  }
  createTextRedactor({ hide, clean }, undefined, { ...UNBOUNDED, check }).body(text, mimeType, undefined)
  return { characters, secrets }
}

/** Times that the search may look at each character of a text: in the text, in its values, and for known secrets. */
const MOST_LOOKS = 12

test.each(Object.entries(TEXTS))('the work of %s is in proportion to their length', (name, text) => {
  const [short, long] = [20_000, 80_000].map((length) => workOf(textOf(text, length), typeOf(name)))
  expect(long?.characters).toBeLessThan(4.5 * (short?.characters ?? 0))
  expect(long?.characters).toBeLessThan(MOST_LOOKS * 80_000)
})

test.each(secretBodies([2_000, 8_000]))('$name cost one look at the body, whatever their number', (body) => {
  const text = body.text(0)
  const { characters, secrets } = workOf(text, body.mimeType)
  expect(secrets).toBeGreaterThanOrEqual(2_000)
  expect(characters).toBeLessThan(MOST_LOOKS * text.length)
})
