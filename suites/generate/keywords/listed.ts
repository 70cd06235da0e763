import fc from 'fast-check'
import type { Labelled } from '../values/body.ts'
import type { SchemaNode } from '../values/nodes.ts'
import type { BadValues, Keyword } from './keyword.ts'

/** Words that are listed, and others. */
export const listed: Keyword = {
  good: ({ node }) => wordsOf(node).map((value) => ({ label: `enum ${value}`, value })),
  bad: ({ node }) => offList(wordsOf(node)),
}

function wordsOf(node: SchemaNode): readonly string[] {
  return (node.schema.enum ?? []).map(String)
}

/** Listed words misspelt in the usual ways, and words of their own. */
function offList(words: readonly string[]): BadValues {
  const [first = 'assay'] = words
  const last = words.at(-1) ?? first
  const edges: Labelled[] = [
    ...words.slice(0, 2).map((value) => ({ label: `${value} in upper case`, value: value.toUpperCase() })),
    { label: `${first} with a capital`, value: first.slice(0, 1).toUpperCase() + first.slice(1) },
    { label: `${first} with a blank before it`, value: ` ${first}` },
    { label: `${first} with a blank after it`, value: `${first} ` },
    { label: `${first} without its last letter`, value: first.slice(0, -1) },
    { label: `${first} and ${last} in one`, value: `${first},${last}` },
    { label: 'empty text', value: '' },
    { label: 'an unknown word', value: 'assay' },
  ]
  return { edges: edges.filter(({ value }) => !words.some((word) => word === value)), arbitrary: misspelt(words) }
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
