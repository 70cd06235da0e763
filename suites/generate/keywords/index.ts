import { bounds } from './bounds.ts'
import { format } from './format.ts'
import type { Keyword } from './keyword.ts'
import { listed } from './listed.ts'
import { pattern } from './pattern.ts'
import { type } from './type.ts'

/** Every keyword that a value can break. */
export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type,
  ...bounds,
  pattern,
  format,
  enum: listed,
}
