import { isRecord } from '../../rules/core/request-rules.ts'
import { elements, FromBase, type Labelled, labelled, RawJson } from './values/body.ts'
import { elementSample, numberSample, rangeOf } from './values/good.ts'
import { propertiesOf, type SchemaNode, typeOf } from './values/nodes.ts'
import type { SchemaSet } from './values/schema-set.ts'
import { NIL_UUID, SAMPLE_UUID } from './values/text.ts'
import { fitsShape, textShape } from './values/text-shape.ts'

/** Values whose treatment the specification leaves open, those of the node's type first. `omissible`: the field can be left out. */
export function observedValues(set: SchemaSet, node: SchemaNode, omissible: boolean): Labelled[] {
  const type = typeOf(node)
  const found: Labelled[] = []
  if (node.schema.enum === undefined) {
    if (type === 'string') found.push(...observedTexts(node))
    if (type === 'integer') found.push(...observedNumbers(node))
    if (type === 'array') found.push(...observedArrays(set, node))
    if (type === 'object') found.push(...observedObjects(set, node))
    if (type === undefined) found.push(...anything())
    if (node.schema.type === undefined) found.push({ label: 'null', value: null })
  }
  if (omissible) found.push({ label: 'missing', value: undefined })
  return found
}

/** One value of each JSON type, for a place without a rule. */
function anything(): Labelled[] {
  return [
    { label: 'empty object', value: {} },
    { label: 'empty array', value: [] },
    { label: 'a word', value: 'assay' },
    { label: 'number 1', value: 1 },
    { label: 'true', value: true },
  ]
}

/** Numbers, and ways of writing them, whose treatment the specification leaves open. */
function observedNumbers(node: SchemaNode): Labelled[] {
  const { min, max } = rangeOf(node)
  const good = numberSample(node)
  const written = [`${good}.0`, `${good}e0`]
  if (min <= 0 && max >= 0) written.push('-0')
  written.push('9007199254740993', '1e400')
  const found: Labelled[] = written.map((text) => ({ label: `number written as ${text}`, value: new RawJson(text) }))
  if (node.schema.minimum === undefined) found.push(...[-1, -(2 ** 31) - 1].map(valued))
  if (node.schema.maximum === undefined) found.push(...[2 ** 31, 2 ** 53 - 1].map(valued))
  return found
}

function valued(value: number): Labelled {
  return { label: `value ${value}`, value }
}

const DEPTH = 200
const LARGE = 1000

/** Arrays whose treatment the specification leaves open. */
function observedArrays(set: SchemaSet, node: SchemaNode): Labelled[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema
  const filler = elementSample(set, node)
  const found: Labelled[] = []
  if (minItems === 0) found.push({ label: 'empty array', value: [] })
  if (maxItems >= 2) {
    const twice = new FromBase('the first element twice', (current) => {
      const own: readonly unknown[] = Array.isArray(current) && current.length > 0 ? current : [filler]
      return [own[0], ...own].slice(0, maxItems)
    })
    found.push(labelled(twice))
  }
  if (maxItems > LARGE) found.push(labelled(elements(LARGE, filler, true)))
  return found
}

/** Objects whose treatment the specification leaves open. */
function observedObjects(set: SchemaSet, node: SchemaNode): Labelled[] {
  const extra = labelled(withProperty('assay_unknown', 'assay'))
  const empty = { label: 'empty object', value: {} }
  if (propertiesOf(set, node).length > 0) return [extra, empty]
  const map = node.schema.additionalProperties !== undefined
  return [
    empty,
    ...(map ? [] : [extra, { label: `objects ${DEPTH} deep`, value: nested(DEPTH) }]),
    { label: 'a field without a name', value: withProperty('', 'assay') },
    { label: 'a field named __proto__', value: withProperty('__proto__', 'assay') },
    { label: 'a field named with an emoji', value: withProperty('😀', 'assay') },
    { label: 'a field named with a dot and a slash', value: withProperty('assay.a/b~c', 'assay') },
    {
      label: `${LARGE} fields`,
      value: Object.fromEntries(Array.from({ length: LARGE }, (_, index) => [`assay_${index}`, 'assay'])),
    },
  ]
}

/** The object of the base with one property more. */
function withProperty(name: string, value: unknown): FromBase {
  return new FromBase(`with a field "${name}"`, (current) =>
    Object.fromEntries([...Object.entries(isRecord(current) ? current : {}), [name, value]]),
  )
}

function nested(depth: number): unknown {
  let value: unknown = 'assay'
  for (let level = 0; level < depth; level += 1) value = { assay: value }
  return value
}

const LONG = [10_000, 100_000]

/** Texts whose treatment the specification leaves open. */
function observedTexts(node: SchemaNode): Labelled[] {
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
  const spelt = (label: string, spell: (uuid: string) => string): Labelled =>
    labelled(new FromBase(label, (current) => spell(typeof current === 'string' ? current : SAMPLE_UUID)))
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
