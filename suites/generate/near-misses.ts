import type { Arbitrary } from 'fast-check'
import fc from 'fast-check'
import { nameInPointer } from '../../schemas/pointer.ts'
import { type Labelled, lift, serialise } from './body.ts'
import { bounded } from './drawing.ts'
import { type SchemaNode, typesOf } from './nodes.ts'
import { requirementOf } from './places.ts'
import { GenerateError, type SchemaSet } from './schema-set.ts'
import { SAMPLE_UUID } from './text.ts'
import { fitText, KINDS, PRINTABLE, plainestOf, type TextShape, textShape, wordOf } from './text-shape.ts'
import { type Candidates, offCount, offList, offProperties, offRange, wrongTypes } from './wrong-values.ts'

/** Values that break one constraint. */
export interface NearMiss {
  readonly keyword: string
  readonly requirement: string | undefined
  readonly label: string
  readonly edges: readonly Labelled[]
  /** false: the edges are all the values there are, so that drawing more adds nothing */
  readonly varied: boolean
  readonly arbitrary: Arbitrary<unknown>
}

/** A constraint that no value breaks alone. Its values break it together with those that shadow it. */
export interface Shadowed extends NearMiss {
  /** the constraints that are broken with it; none: no value was found that breaks it */
  readonly by: readonly { readonly keyword: string; readonly requirement: string | undefined }[]
}

/** What breaks the constraints of one node: alone where that can be, else together with what shadows it. */
export interface Breaks {
  readonly nearMisses: readonly NearMiss[]
  readonly shadowed: readonly Shadowed[]
}

/** Makes the near-misses of a node and keeps those that really break their constraint. `sample`: a good value. */
export function breaksOf(set: SchemaSet, node: SchemaNode, sample: unknown, brokenBy: BrokenBy): Breaks {
  const nearMisses: NearMiss[] = []
  const shadowed: Shadowed[] = []
  for (const candidates of candidatesOf(set, node, sample)) {
    const own = keyOf(candidates.keyword, candidates.property)
    const tried = candidates.edges.map((edge) => ({ edge, others: othersOf(brokenBy(edge.value), own) }))
    const fewest = Math.min(...tried.map(({ others }) => others?.length ?? Number.POSITIVE_INFINITY))
    const by = tried.find(({ others }) => others?.length === fewest)?.others
    const requirement = requirementOf(node, candidates.keyword, candidates.property)
    const { keyword, label } = candidates
    if (by === undefined) {
      shadowed.push({ keyword, requirement, label, edges: [], varied: false, arbitrary: fc.constant(sample), by: [] })
      continue
    }
    const companions = keysOf(by)
    const same = (others: readonly Broken[] | undefined): boolean =>
      others !== undefined && keysOf(others) === companions
    const edges = tried.filter(({ others }) => same(others)).map(({ edge }) => edge)
    if (candidates.arbitrary === undefined) throw new GenerateError(node.place, `nothing random breaks "${keyword}"`)
    const keep = (value: unknown): boolean => same(othersOf(brokenBy(value), own))
    const arbitrary = bounded(candidates.arbitrary, keep, node.place, `values that break "${keyword}"`)
    const found = { keyword, requirement, label, edges, varied: candidates.single !== true, arbitrary }
    if (fewest === 0) nearMisses.push(found)
    else
      shadowed.push({ ...found, by: by.map((other) => ({ keyword: other.keyword, requirement: other.requirement })) })
  }
  return { nearMisses, shadowed }
}

function candidatesOf(set: SchemaSet, node: SchemaNode, sample: unknown): Candidates[] {
  const found = [
    wrongTypes(node, sample),
    ...offLength(node),
    offPattern(node),
    offFormat(node),
    offList(node),
    ...offRange(node),
    ...offCount(set, node),
    ...offProperties(node),
  ]
  return found.filter((candidates) => candidates !== undefined)
}

/** What is broken beside the constraint; undefined where the constraint itself is not broken. */
function othersOf(broken: readonly Broken[] | undefined, own: string): readonly Broken[] | undefined {
  if (!broken?.some(({ keyword, property }) => keyOf(keyword, property) === own)) return undefined
  return broken.filter(({ keyword, property }) => keyOf(keyword, property) !== own)
}

function keysOf(broken: readonly Broken[]): string {
  return broken
    .map(({ keyword, property }) => keyOf(keyword, property))
    .sort()
    .join()
}

/** A constraint at one place, as a violation names it. */
export interface Broken {
  readonly keyword: string
  /** of `required`: the property that is missing */
  readonly property: string | undefined
  readonly requirement: string | undefined
}

/** Tells what a value at one place breaks there; undefined where it breaks something elsewhere, or is no JSON. */
export type BrokenBy = (value: unknown) => readonly Broken[] | undefined

/** `base`: a valid body for the schema `ref`. Values are judged as they are serialised. */
export function createBrokenBy(set: SchemaSet, ref: string, base: unknown, pointer: string): BrokenBy {
  return (value) => {
    const text = serialise(lift(base, pointer, value))
    if (text === undefined) return undefined
    const broken: Broken[] = []
    for (const { keyword, pointer: place, requirement } of set.validator.violations(ref, JSON.parse(text))) {
      const missing = keyword === 'required' ? place.slice(place.lastIndexOf('/') + 1) : undefined
      const at = missing === undefined ? place : place.slice(0, -missing.length - 1)
      if (at !== pointer) return undefined
      broken.push({ keyword, property: missing === undefined ? missing : nameInPointer(missing), requirement })
    }
    return broken
  }
}

/** A constraint of a node in one word. */
function keyOf(keyword: string, property: string | undefined): string {
  return property === undefined ? keyword : `${keyword} ${property}`
}

const POSITIONS = ['alone', 'at the beginning', 'in the middle', 'at the end'] as const
type Position = (typeof POSITIONS)[number]

/** Control and other characters, tried only where no printable character breaks the pattern. */
const LAST_RESORT = ['\n', '\t', '\u0000', 'é', '😀']
const MANY = 8
/** A pattern that says of every character, wherever it stands, what it may not be. */
const EACH_CHARACTER = /^\^\[\^[^\]]+\]\*\$$/

/** Texts that do not match the pattern: a good text with one character that may not stand there. */
function offPattern(node: SchemaNode): Candidates | undefined {
  const { pattern, format } = node.schema
  if (pattern === undefined || format !== undefined || !typesOf(node).includes('string')) return undefined
  const shape = textShape(node)
  const word = wordOf(shape.general ? { ...shape, alphabet: matchingLetters(shape) } : shape, 4)
  const breaks = (text: string): boolean => !(shape.pattern?.test(text) ?? true)
  const breakersAmong = (characters: readonly string[]): string[] =>
    characters.filter((character) => POSITIONS.some((position) => breaks(put(character, position, word, shape))))
  const printable = breakersAmong(PRINTABLE)
  const breakers = printable.length > 0 ? printable : breakersAmong(LAST_RESORT)
  const shown = breakers.length <= MANY ? breakers : representatives(breakers)
  const edges: Labelled[] = shown.flatMap((character) =>
    POSITIONS.map((position) => ({
      label: `${name(character)} ${position}`,
      value: put(character, position, word, shape),
    })),
  )
  // Who looks at each line by itself lets one pass of which another one is good.
  const [first] = shown
  if (first !== undefined && EACH_CHARACTER.test(pattern) && shape.max > word.length + 2) {
    edges.push({ label: `${name(first)} in the second line`, value: `${word}\n${first}${word.slice(0, 1)}` })
    edges.push({ label: `${name(first)} in the first line`, value: `${first}\n${word}` })
  }
  if (shape.general) edges.push({ label: 'empty text', value: '' })
  return {
    keyword: 'pattern',
    label: `does not match ${pattern}`,
    edges: edges.filter(({ value }) => typeof value === 'string' && breaks(value)),
    arbitrary: breakers.length === 0 ? undefined : drawnText(shape, breakers, word),
  }
}

function drawnText(shape: TextShape, breakers: readonly string[], word: string): fc.Arbitrary<string> {
  const around = fc.string({ unit: fc.constantFrom(...shape.alphabet), maxLength: 12 })
  const breaker = fc.constantFrom(...breakers)
  const anywhere = fc
    .tuple(around, breaker, around)
    .map(([before, character, after]) => join(before, character, after, shape))
  const inWord = fc
    .tuple(breaker, fc.constantFrom(...POSITIONS))
    .map(([character, position]) => put(character, position, word, shape))
  return fc.oneof({ withCrossShrink: true }, { weight: 3, arbitrary: anywhere }, { weight: 1, arbitrary: inWord })
}

function put(character: string, position: Position, word: string, shape: TextShape): string {
  const half = Math.ceil(word.length / 2)
  if (position === 'alone') return join('', character, '', shape)
  if (position === 'at the beginning') return join('', character, word, shape)
  if (position === 'at the end') return join(word, character, '', shape)
  return join(word.slice(0, half), character, word.slice(half), shape)
}

/** Joins the parts and keeps the length within the bounds, so that nothing but the pattern is broken. */
function join(before: string, character: string, after: string, shape: TextShape): string {
  const room = Math.max(0, shape.max - 1)
  const head = [...before].slice(0, room).join('')
  const tail = [...after].slice(0, Math.max(0, room - [...head].length)).join('')
  const missing = shape.min - ([...head].length + 1 + [...tail].length)
  return head + character + tail + (missing > 0 ? fitText('', missing, plainestOf(shape)) : '')
}

/** Two breakers of each kind: letters, digits, capitals, the blank, punctuation. */
function representatives(breakers: readonly string[]): string[] {
  const known = KINDS.flatMap((kind) => breakers.filter((character) => kind.includes(character)).slice(0, 2))
  return known.length > 0 ? known : breakers.slice(0, MANY)
}

/** Characters that match a general pattern by themselves; the whole alphabet where none does. */
function matchingLetters(shape: TextShape): readonly string[] {
  const letters = shape.alphabet.filter((character) => shape.pattern?.test(character))
  return letters.length > 0 ? letters : shape.alphabet
}

function name(character: string): string {
  if (character === ' ') return 'a blank'
  return /[!-~]/.test(character)
    ? character
    : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Texts that are too short or too long and otherwise good. */
function offLength(node: SchemaNode): Candidates[] {
  const { minLength, maxLength } = node.schema
  if (!typesOf(node).includes('string') || (minLength === undefined && maxLength === undefined)) return []
  const shape = textShape(node)
  const plainest = plainestOf(shape)
  const seed = fc.string({ unit: fc.constantFrom(...shape.alphabet), maxLength: 12 })
  const ofLength = (min: number, max: number): fc.Arbitrary<string> =>
    fc.tuple(seed, fc.integer({ min, max })).map(([start, length]) => fitText(start, length, plainest))
  const edge = (length: number): { label: string; value: string } => ({
    label: `length ${length}`,
    value: fitText('', length, plainest),
  })
  const found: Candidates[] = []
  if (minLength !== undefined) {
    found.push({
      keyword: 'minLength',
      label: `shorter than ${minLength}`,
      edges: [...new Set([minLength - 1, 0])].filter((length) => length >= 0 && length < minLength).map(edge),
      single: minLength === 1,
      arbitrary: minLength > 0 ? ofLength(0, minLength - 1) : undefined,
    })
  }
  if (maxLength !== undefined) {
    found.push({
      keyword: 'maxLength',
      label: `longer than ${maxLength}`,
      edges: [...new Set([maxLength + 1, maxLength * 2 + 1, maxLength + 10_000])].map(edge),
      arbitrary: ofLength(maxLength + 1, maxLength * 2 + 16),
    })
  }
  return found
}

/** Texts that are no UUID. */
function offFormat(node: SchemaNode): Candidates | undefined {
  if (node.schema.format === undefined) return undefined
  return {
    keyword: 'format',
    label: 'not a UUID',
    edges: [...notUuidEdges(), { label: 'empty text', value: '' }],
    arbitrary: fc.oneof({ withCrossShrink: true }, notUuid()),
  }
}

/** Texts that come near a UUID and are none. The empty text is not among them. */
function notUuidEdges(): { label: string; value: string }[] {
  return [
    { label: 'a word', value: 'not-a-uuid' },
    { label: 'a number in text', value: '12345' },
    { label: 'UUID without its last digit', value: SAMPLE_UUID.slice(0, -1) },
    { label: 'UUID with a digit too many', value: `${SAMPLE_UUID}0` },
    { label: 'UUID with a letter that is no hex digit', value: `g${SAMPLE_UUID.slice(1)}` },
    { label: 'UUID with a group missing', value: SAMPLE_UUID.split('-').slice(0, 4).join('-') },
    { label: 'UUID with a hyphen moved', value: `3f1c9a5-27d64${SAMPLE_UUID.slice(13)}` },
    { label: 'UUID with a blank before it', value: ` ${SAMPLE_UUID}` },
    { label: 'UUID with a blank after it', value: `${SAMPLE_UUID} ` },
    { label: 'two UUIDs', value: `${SAMPLE_UUID},${SAMPLE_UUID}` },
  ]
}

/** Random texts that are no UUID; they shrink to a short word. */
function notUuid(): fc.Arbitrary<string> {
  const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 12 })
  const place = fc.nat({ max: SAMPLE_UUID.length - 1 })
  const cut = fc.tuple(fc.uuid(), fc.integer({ min: 1, max: 35 })).map(([value, length]) => value.slice(0, length))
  const longer = fc.tuple(fc.uuid(), fc.constantFrom(...'0123456789abcdef')).map(([value, digit]) => `${value}${digit}`)
  const changed = fc
    .tuple(fc.uuid(), place, fc.constantFrom(...'ghijklmnopqrstuvwxyz'))
    .map(([value, index, letter]) => `${value.slice(0, index)}${letter}${value.slice(index + 1)}`)
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: word },
    { weight: 2, arbitrary: cut },
    { weight: 1, arbitrary: longer },
    { weight: 2, arbitrary: changed },
  )
}
