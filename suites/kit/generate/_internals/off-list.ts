import fc from 'fast-check'
import type { Labelled } from '../field.ts'
import type { Candidates } from './candidates.ts'
import { membersOf } from './members.ts'
import type { SchemaNode } from './node.ts'
import { showValue } from './show-value.ts'

/** Values that `enum` or `const` does not list: listed words misspelt in the usual ways, and words of their own. */
export function offList(node: SchemaNode): Candidates | undefined {
  const members = membersOf(node)
  if (!members) return undefined
  const keyword = node.schema.enum === undefined ? 'const' : 'enum'
  const words = members.filter((member) => typeof member === 'string')
  const [first = 'assay'] = words
  const last = words.at(-1) ?? first
  const spellings: Labelled[] = [
    ...words.slice(0, 2).map((value) => ({ label: `${value} in upper case`, value: value.toUpperCase() })),
    { label: `${first} with a capital`, value: capital(first) },
    { label: `${first} with a blank before it`, value: ` ${first}` },
    { label: `${first} with a blank after it`, value: `${first} ` },
    { label: `${first} without its last letter`, value: first.slice(0, -1) },
    { label: `${first} and ${last} in one`, value: `${first},${last}` },
    { label: 'empty text', value: '' },
    { label: 'an unknown word', value: 'assay' },
  ]
  const numbers = members.filter((member) => typeof member === 'number')
  const others: unknown[] = numbers.flatMap((member) => [member + 1, member - 1])
  if (members.some((member) => typeof member === 'boolean')) others.push(true, false)
  if (words.length === 0 && others.length === 0) others.push('assay', 1)
  const edges = [...(words.length > 0 ? spellings : []), ...others.map((value) => ({ label: showValue(value), value }))]
  return {
    keyword,
    label: 'not a listed value',
    edges: edges.filter(({ value }) => !members.includes(value)),
    arbitrary: drawn(words, others),
  }
}

function drawn(words: readonly string[], others: readonly unknown[]): fc.Arbitrary<unknown> {
  const sources: fc.Arbitrary<unknown>[] = []
  if (words.length > 0) sources.push(misspelt(words))
  if (others.some((other) => typeof other === 'number')) sources.push(fc.integer({ min: -1000, max: 1000 }))
  if (others.length > 0) sources.push(fc.constantFrom(...others))
  return fc.oneof(...sources)
}

function misspelt(words: readonly string[]): fc.Arbitrary<string> {
  const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz-'), minLength: 1, maxLength: 12 })
  const listed = fc.constantFrom(...words)
  const position = fc.nat({ max: 60 })
  const dropped = fc.tuple(listed, position).map(([value, at]) => cut(value, at % value.length, 1, ''))
  const doubled = fc
    .tuple(listed, position)
    .map(([value, at]) => cut(value, at % value.length, 0, value[at % value.length] ?? ''))
  const cased = fc
    .tuple(listed, position)
    .map(([value, at]) => cut(value, at % value.length, 1, (value[at % value.length] ?? '').toUpperCase()))
  const spaced = fc.tuple(listed, fc.constantFrom(' ', '\t', '.', '_')).map(([value, tail]) => value + tail)
  return fc.oneof({ withCrossShrink: true }, word, dropped, doubled, cased, spaced)
}

function cut(text: string, index: number, length: number, put: string): string {
  return text.slice(0, index) + put + text.slice(index + length)
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
