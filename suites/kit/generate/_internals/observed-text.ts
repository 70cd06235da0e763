import type { Labelled } from '../field.ts'
import { FromBase } from '../from-base.ts'
import type { SchemaNode } from './node.ts'
import { fitsShape, textShape } from './text-shape.ts'
import { NIL_UUID, SAMPLE_UUID } from './uuid.ts'

const LONG = [10_000, 100_000]

/** Texts whose treatment the specification leaves open. */
export function observedTexts(node: SchemaNode): Labelled[] {
  if (node.schema.format === 'uuid') return observedUuids()
  const { maxLength, pattern } = node.schema
  const shape = textShape(node)
  const found: Labelled[] = [
    { label: 'accents', value: 'Crème brûlée, Größe, İstanbul' },
    { label: 'accents as combining characters', value: 'Cre\u0300me bru\u0302le\u0301e' },
    { label: 'Chinese and Japanese', value: '日志の設定' },
    { label: 'Cyrillic and Greek', value: 'Журнал ημερολόγιο' },
    { label: 'Hebrew and Arabic', value: 'יומן سجل' },
    { label: 'right-to-left marks', value: 'log\u200f\u202egol\u202c' },
    { label: 'one emoji', value: '😀' },
    { label: 'an emoji of several code points', value: '👩‍👩‍👧‍👦' },
    { label: 'a tab', value: 'log\tline' },
    { label: 'a newline', value: 'log\nline' },
    { label: 'a carriage return', value: 'log\r\nline' },
    { label: 'DEL', value: 'log\u007fline' },
    { label: 'an escape sequence', value: 'log\u001b[31mline' },
    { label: 'U+0000', value: 'log\u0000line' },
    { label: 'a byte order mark', value: '\ufefflog' },
    { label: 'zero-width characters', value: 'log\u200b\u200dline' },
    { label: 'a lone surrogate', value: 'log\ud83dline' },
    { label: 'one blank', value: ' ' },
  ]
  if (fitsShape(shape, '')) found.push({ label: 'empty text', value: '' })
  if (pattern === undefined) found.push({ label: 'angle brackets and quotes', value: '<log> "line"' })
  if (maxLength === undefined) {
    for (const length of LONG) found.push({ label: `length ${length}`, value: 'a'.repeat(length) })
  } else {
    const half = Math.floor(maxLength / 2)
    found.push(
      { label: `${half} emoji, ${half * 2} UTF-16 units`, value: '😀'.repeat(half) },
      { label: `${maxLength} emoji, ${maxLength} code points`, value: '😀'.repeat(maxLength) },
      { label: `${maxLength} letters with accents`, value: 'é'.repeat(maxLength) },
    )
  }
  return found
}

/** Other spellings of the UUID that the base refers to, and UUIDs of nothing. */
function observedUuids(): Labelled[] {
  const spelt = (label: string, spell: (uuid: string) => string): Labelled => ({
    label,
    value: new FromBase(label, (current) => spell(typeof current === 'string' ? current : SAMPLE_UUID)),
  })
  return [
    spelt('the UUID in upper case', (uuid) => uuid.toUpperCase()),
    spelt('the UUID in braces', (uuid) => `{${uuid}}`),
    spelt('the UUID as a URN', (uuid) => `urn:uuid:${uuid}`),
    spelt('the UUID without hyphens', (uuid) => uuid.replaceAll('-', '')),
    { label: 'a UUID of nothing', value: SAMPLE_UUID },
    { label: 'the nil UUID', value: NIL_UUID },
    { label: 'the largest UUID', value: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
  ]
}
