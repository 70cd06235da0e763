import type { Arbitrary } from 'fast-check'
import { createResolver } from '../../schemas/constraints.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { specificationSchemas } from '../../schemas/validator.ts'
import { elements, type Labelled, serialise, showValue } from './body.ts'
import { breaksOf, createBrokenBy, type NearMiss, type Shadowed } from './near-misses.ts'
import { elementOf, membersOf, rootNode, type SchemaNode, typesOf } from './nodes.ts'
import { observedValues } from './observed.ts'
import { constraintsOfNode, type FieldConstraint, type Place, placesOf } from './places.ts'
import { GenerateError, type SchemaSet } from './schema-set.ts'
import {
  fitsShape,
  fitText,
  LETTERS_BEYOND_ASCII,
  plainestOf,
  type TextShape,
  textShape,
  wordOf,
} from './text-shape.ts'
import { goodOf, sampleOf } from './values.ts'

/** A good value at a bound of its constraint. */
export interface Edge {
  readonly keyword: string
  readonly requirement: string | undefined
  readonly label: string
  /** may be a `FromBase` */
  readonly value: unknown
  /** whether a target must accept it; else it is only observed */
  readonly judged: boolean
  /** label of an edge that has to be accepted for this one to say anything: else nobody can tell what is refused */
  readonly after?: string
}

/** A place in a body that one probe can vary. */
export interface Field {
  /** JSON pointer; '' is the whole body, 0 stands for each element, `assay` for each name of a map */
  readonly pointer: string
  /** references followed */
  readonly schema: JsonSchema
  readonly constraints: readonly FieldConstraint[]
  readonly edges: readonly Edge[]
  /** random good values: plain ones only, whose acceptance can be judged where the schema says so */
  readonly good: Arbitrary<unknown>
  readonly nearMisses: readonly NearMiss[]
  readonly observed: readonly Labelled[]
  readonly shadowed: readonly Shadowed[]
}

/**
 * The places of a schema that a single probe can vary inside a good body, in their order, the whole body first. Throws
 * a `GenerateError` that names the place where a constraint cannot be satisfied or is not supported.
 */
export function fields(set: SchemaSet, ref: string): Field[] {
  const root = rootNode(set, ref)
  const base = sampleOf(set, root)
  refuseBadSample(set, ref, base)
  return placesOf(set, root).map((place) => fieldAtPlace(set, ref, base, place))
}

function fieldAtPlace(set: SchemaSet, ref: string, base: unknown, place: Place): Field {
  const { node, pointer } = place
  const sample = sampleOf(set, node)
  const brokenBy = createBrokenBy(set, ref, base, pointer)
  const constraints = constraintsOfNode(node)
  const holds = (value: unknown): boolean => brokenBy(value)?.length === 0
  const edges: Edge[] = keywordEdges(set, node)
    .filter((edge) => holds(edge.value))
    .map((edge) => {
      const constraint = constraints.find(({ keyword }) => keyword === edge.keyword)
      return { ...edge, requirement: constraint?.requirement, judged: constraint?.judged ?? false }
    })
  return {
    pointer,
    schema: node.schema,
    constraints,
    edges,
    good: goodOf(set, node),
    ...breaksOf(set, node, sample, brokenBy),
    observed: observedValues(set, node, place.omissible),
  }
}

/** Two constraints can contradict each other in ways that only a value shows. */
function refuseBadSample(set: SchemaSet, ref: string, base: unknown): void {
  const text = serialise(base)
  const [violation] = text === undefined ? [] : set.validator.violations(ref, JSON.parse(text))
  if (!violation) return
  throw new GenerateError(`${ref} ${violation.pointer}`, `no good value was found: ${violation.message}`)
}

let set: SchemaSet | undefined
const made = new Map<string, readonly Field[]>()

/** The specification's schemas, loaded once. */
export function specificationSet(): SchemaSet {
  if (!set) {
    const { schemas, validator } = specificationSchemas()
    set = { schemas, validator, resolve: createResolver(schemas) }
  }
  return set
}

/** One place of a schema of the specification, with its generators; they are made when a case first needs them. */
export function fieldOf(ref: string, pointer: string): Field {
  const known = made.get(ref) ?? fields(specificationSet(), ref)
  made.set(ref, known)
  const field = known.find((candidate) => candidate.pointer === pointer)
  if (!field) throw new Error(`${ref} has no place ${pointer}`)
  return field
}

/** A good value for a keyword; whether it is judged is decided elsewhere. */
export interface KeywordEdge {
  readonly keyword: string
  readonly label: string
  readonly value: unknown
  /** label of an edge that has to be accepted for this one to say anything */
  readonly after?: string
}

/** Good values at every bound of a node, in the order of the keywords. Some may still break another keyword. */
function keywordEdges(set: SchemaSet, node: SchemaNode): KeywordEdge[] {
  const { schema } = node
  const members = membersOf(node)
  if (members) {
    const keyword = schema.enum === undefined ? 'const' : 'enum'
    return members.map((value) => ({ keyword, label: `${keyword} ${showMember(value)}`, value }))
  }
  return [...typeEdges(node), ...textEdges(node), ...numberEdges(node), ...listEdges(set, node)]
}

function typeEdges(node: SchemaNode): KeywordEdge[] {
  const found: KeywordEdge[] = []
  if (node.schema.type === undefined) return found
  for (const type of typesOf(node)) {
    if (type === 'boolean')
      for (const value of [true, false]) found.push({ keyword: 'type', label: String(value), value })
    if (type === 'null') found.push({ keyword: 'type', label: 'null', value: null })
  }
  return found
}

function textEdges(node: SchemaNode): KeywordEdge[] {
  const { minLength, maxLength, pattern, format } = node.schema
  if (format !== undefined || !typesOf(node).includes('string')) return []
  const shape = textShape(node)
  const found: KeywordEdge[] = []
  if (minLength !== undefined) found.push(lengthEdge('minLength', minLength, shape))
  if (maxLength !== undefined) found.push(lengthEdge('maxLength', maxLength, shape))
  if (pattern !== undefined && !shape.general) found.push(...characterEdges(shape))
  if (maxLength !== undefined) found.push(...foreignLengthEdge(maxLength, shape, found))
  return found
}

const FOREIGN = 'letters outside ASCII'

/** As many characters as there may be, each of which is several bytes: bounds are counted in characters. */
function foreignLengthEdge(length: number, shape: TextShape, before: readonly KeywordEdge[]): KeywordEdge[] {
  const value = (LETTERS_BEYOND_ASCII.at(-1) ?? '').repeat(length)
  if (!fitsShape(shape, value)) return []
  const after = before.some(({ label }) => label === FOREIGN) ? { after: FOREIGN } : {}
  return [{ keyword: 'maxLength', label: `length ${length} in ${FOREIGN}`, value, ...after }]
}

function lengthEdge(keyword: string, length: number, shape: TextShape): KeywordEdge {
  return { keyword, label: `length ${length}`, value: fitText('', length, plainestOf(shape)) }
}

const ALONE: readonly (readonly [name: string, character: string])[] = [
  ['a backslash', '\\'],
  ['an apostrophe', "'"],
  ['an ampersand', '&'],
  ['a slash', '/'],
  ['a percent sign', '%'],
  ['braces', '{}'],
]

/**
 * Every printable character that the pattern allows: those that are often mishandled by themselves, the rest together;
 * and letters of other scripts.
 */
function characterEdges(shape: TextShape): KeywordEdge[] {
  const word = wordOf(shape, 4)
  const allowed = (text: string): boolean => [...text].every((character) => shape.alphabet.includes(character))
  const groups: (readonly [label: string, text: string])[] = [
    ['letters and digits', shape.alphabet.filter((character) => /[a-z0-9]/i.test(character)).join('')],
    ['punctuation', shape.alphabet.filter((character) => /[^a-z0-9 ]/i.test(character)).join('')],
    ['a blank inside', `${word} ${word}`],
    ['a blank at the beginning', ` ${word}`],
    ['a blank at the end', `${word} `],
    ...ALONE.map(([label, character]) => [label, `${word}${character}${word}`] as const),
  ]
  const edges = groups.filter(([, text]) => text !== '' && allowed(text))
  const foreign = LETTERS_BEYOND_ASCII.join('')
  if (fitsShape(shape, foreign)) edges.push([FOREIGN, foreign])
  return edges.map(([label, text]) => ({ keyword: 'pattern', label, value: text }))
}

function numberEdges(node: SchemaNode): KeywordEdge[] {
  const { minimum, maximum } = node.schema
  const found: KeywordEdge[] = []
  if (minimum !== undefined) found.push({ keyword: 'minimum', label: `value ${minimum}`, value: minimum })
  if (maximum !== undefined) found.push({ keyword: 'maximum', label: `value ${maximum}`, value: maximum })
  return found
}

function listEdges(set: SchemaSet, node: SchemaNode): KeywordEdge[] {
  const { minItems, maxItems } = node.schema
  const found: KeywordEdge[] = []
  if (minItems === undefined && maxItems === undefined) return found
  const child = elementOf(set, node)
  const filler = child === undefined ? 'assay' : sampleOf(set, child)
  for (const [keyword, count] of [
    ['minItems', minItems],
    ['maxItems', maxItems],
  ] as const) {
    if (count === undefined) continue
    const value = elements(count, filler, true)
    found.push({ keyword, label: value.label, value })
  }
  return found
}

function showMember(value: unknown): string {
  return typeof value === 'string' ? value : showValue(value)
}
