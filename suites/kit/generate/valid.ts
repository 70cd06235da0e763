import type { Arbitrary } from 'fast-check'
import { arbitraryOf, type Draw } from './_internals/arbitrary-of.ts'
import { rootNode } from './_internals/node.ts'
import type { SchemaSet } from './schema-set.ts'

/** How valid values are drawn. */
export interface ValidOptions {
  /** plain (the default): printable ASCII; any: accents, emoji, control characters and the like as well */
  readonly text?: 'plain' | 'any'
  /** some (the default): optional properties present and absent; all: every place there is, no empty array or map either */
  readonly presence?: 'some' | 'all'
}

/**
 * Values that satisfy the schema, those at its bounds among them. E-mail addresses and URLs use reserved names.
 * Throws a `GenerateError` where the schema contradicts itself or uses what is not supported.
 */
export function valid(set: SchemaSet, ref: string, options: ValidOptions = {}): Arbitrary<unknown> {
  const draw: Draw = { text: options.text ?? 'plain', presence: options.presence ?? 'some' }
  return arbitraryOf(set, rootNode(set, ref), draw)
}
