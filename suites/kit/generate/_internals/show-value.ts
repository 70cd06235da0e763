import { FromBase } from '../from-base.ts'
import { serialise } from '../serialise.ts'

const WIDTH = 40

/** A value in a few words, for a label: its JSON text, cut. */
export function showValue(value: unknown): string {
  if (value instanceof FromBase) return value.label
  const text = serialise(value)
  if (text === undefined) return 'nothing'
  if (text.length <= WIDTH) return text
  if (typeof value === 'string') return `text of ${[...value].length} characters`
  if (Array.isArray(value)) return `array of ${value.length}`
  return `${[...text].slice(0, WIDTH - 1).join('')}…`
}
