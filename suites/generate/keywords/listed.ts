import fc from 'fast-check'
import { type Labelled, showValue } from '../values/body.ts'
import { membersOf, type SchemaNode } from '../values/nodes.ts'
import type { BadValues, Keyword } from './keyword.ts'

/** `enum` and `const`: values that are listed, and others. */
function listed(keyword: 'enum' | 'const'): Keyword {
  return {
    good: ({ node }) =>
      (membersOf(node) ?? []).map((value) => ({
        label: `${keyword} ${typeof value === 'string' ? value : showValue(value)}`,
        value,
      })),
    bad: ({ node }) => offList(node),
  }
}

/** Listed words misspelt in the usual ways, and words of their own. */
function offList(node: SchemaNode): BadValues {
  const members = membersOf(node) ?? []
  const words = members.filter((member) => typeof member === 'string')
  const [first = 'assay'] = words
  const last = words.at(-1) ?? first
  const spellings: Labelled[] = [
    ...words.slice(0, 2).map((value) => ({ label: `${value} in upper case`, value: value.toUpperCase() })),
    { label: `${first} with a capital`, value: first.slice(0, 1).toUpperCase() + first.slice(1) },
    { label: `${first} with a blank before it`, value: ` ${first}` },
    { label: `${first} with a blank after it`, value: `${first} ` },
    { label: `${first} without its last letter`, value: first.slice(0, -1) },
    { label: `${first} and ${last} in one`, value: `${first},${last}` },
    { label: 'empty text', value: '' },
    { label: 'an unknown word', value: 'assay' },
  ]
  const others: unknown[] = members.flatMap((member) => (typeof member === 'number' ? [member + 1, member - 1] : []))
  if (members.some((member) => typeof member === 'boolean')) others.push(true, false)
  if (words.length === 0 && others.length === 0) others.push('assay', 1)
  const edges = [...(words.length > 0 ? spellings : []), ...others.map((value) => ({ label: showValue(value), value }))]
  return {
    edges: edges.filter(({ value }) => !members.includes(value)),
    arbitrary: words.length > 0 ? misspelt(words) : fc.constantFrom(...others),
  }
}

/** A word of its own, or a listed one with a letter left out, doubled, in upper case, or with a mark after it. */
function misspelt(words: readonly string[]): fc.Arbitrary<string> {
  const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz-'), minLength: 1, maxLength: 12 })
  const spellings: readonly ((letter: string) => string)[] = [
    () => '',
    (letter) => letter + letter,
    (letter) => letter.toUpperCase(),
    (letter) => `${letter} `,
    (letter) => `${letter}_`,
  ]
  const changed = fc
    .tuple(fc.constantFrom(...words), fc.nat({ max: 60 }), fc.constantFrom(...spellings))
    .map(([value, position, spell]) => {
      const at = position % value.length
      return value.slice(0, at) + spell(value[at] ?? '') + value.slice(at + 1)
    })
  return fc.oneof({ withCrossShrink: true }, word, changed)
}

export const lists: Readonly<Record<string, Keyword>> = { enum: listed('enum'), const: listed('const') }
