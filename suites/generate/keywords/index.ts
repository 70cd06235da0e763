import { bounds } from './bounds.ts'
import { format } from './format.ts'
import type { Keyword } from './keyword.ts'
import { lists } from './listed.ts'
import { pattern } from './pattern.ts'
import { additionalProperties, required } from './properties.ts'
import { type } from './type.ts'

/** Every keyword that a value can break. */
export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type,
  ...bounds,
  pattern,
  format,
  ...lists,
  required,
  additionalProperties,
}
