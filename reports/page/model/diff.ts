import type { DifferenceGroup } from '../../../schemas/types/replay.ts'
import { isAt, type JsonLine, jsonLines, pretty } from './json-text.ts'
/** A piece of a text, and whether the other text lacks it. */
export interface Piece {
  readonly text: string
  readonly differs: boolean
  /** stands for so many lines that are the same on both sides */
  readonly folded?: number
}

export interface Diff {
  readonly left: readonly Piece[]
  readonly right: readonly Piece[]
}

// Strings, numbers and words count as one: half a marked number says nothing.
const TOKEN = /"(?:[^"\\\n]|\\.)*"|[\p{L}\p{N}_.-]+|\s+|./gsu
const MOST_CELLS = 1_000_000
/** of the shorter text */
const LEAST_SHARED = 0.4

/** What two texts have in common and what not, by words. Two long texts without much in common are marked as a whole. */
export function diff(left: string, right: string): Diff {
  const a = left.match(TOKEN) ?? []
  const b = right.match(TOKEN) ?? []
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1
  const [inA, inB] = common(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  const marks = (length: number, inside: readonly boolean[]): boolean[] =>
    Array.from({ length }, (_, index) =>
      index < head || index >= length - tail ? true : (inside[index - head] ?? false),
    )
  return { left: pieces(a, marks(a.length, inA)), right: pieces(b, marks(b.length, inB)) }
}

/** Whether two texts share so much that marks help: of two sentences about different things, all would be marked. */
export function isRelated({ left, right }: Diff): boolean {
  const lengths = [left, right].map((side) => side.reduce((sum, { text }) => sum + text.trim().length, 0))
  const shared = left.reduce((sum, { text, differs }) => sum + (differs ? 0 : text.trim().length), 0)
  return shared >= LEAST_SHARED * Math.min(...lengths)
}

/** The same with every long stretch that both sides share folded: `around` lines stay beside what differs. */
export function folded(pieces: readonly Piece[], around: number): Piece[] {
  return pieces.flatMap((piece, index): Piece[] => {
    const lines = piece.text.split('\n')
    const head = index === 0 ? 0 : around
    const tail = index === pieces.length - 1 ? 0 : around
    const hidden = lines.length - head - tail - 2
    if (piece.differs || pieces.length === 1 || hidden < 2) return [piece]
    return [
      { text: index === 0 ? '' : `${lines.slice(0, head + 1).join('\n')}\n`, differs: false },
      { text: '', differs: false, folded: hidden + (index === 0 ? 1 : 0) + (tail === 0 ? 1 : 0) },
      { text: tail === 0 ? '' : `\n${lines.slice(-tail - 1).join('\n')}`, differs: false },
    ]
  })
}

/** Which tokens of each side belong to a longest common sequence. */
function common(a: readonly string[], b: readonly string[]): [boolean[], boolean[]] {
  const inA = a.map(() => false)
  const inB = b.map(() => false)
  const width = b.length + 1
  if (a.length === 0 || b.length === 0 || (a.length + 1) * width > MOST_CELLS) return [inA, inB]
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      inA[i] = true
      inB[j] = true
      i += 1
      j += 1
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return [inA, inB]
}

/** Neighbours of one kind become one piece; blanks between two marked pieces are marked with them. */
function pieces(tokens: readonly string[], shared: readonly boolean[]): Piece[] {
  return joined(
    tokens.map((text, index) => {
      const blank = /^[ ]+$/.test(text) && shared[index - 1] === false && shared[index + 1] === false
      return { text, differs: blank || shared[index] !== true }
    }),
  )
}

/** Neighbours of one kind as one piece. */
function joined(pieces: readonly Piece[]): Piece[] {
  const found: { text: string; differs: boolean }[] = []
  for (const { text, differs } of pieces) {
    const last = found.at(-1)
    if (last?.differs === differs) last.text += text
    else found.push({ text, differs })
  }
  return found
}

/**
 * The places of a body in which the answers of an example differ. They belong to its group, and to other groups with
 * the same example.
 */
export function placesIn(group: DifferenceGroup, groups: readonly DifferenceGroup[]): string[] {
  const others = groups.filter(
    ({ example, pointer }) => example.recorded === group.example.recorded && !pointer.endsWith('/*'),
  )
  return [...new Set([group, ...others].map(({ pointer }) => pointer).filter(isInBody))]
}

const WHOLE = ['body', 'lines']

function isInBody(pointer: string): boolean {
  return pointer === '' || pointer.startsWith('/') || WHOLE.includes(pointer)
}

/**
 * Two answers beside each other. In JSON, the places are marked and nothing else: ids differ in every replay. Without a
 * place nothing is marked: where a status differs, bodies were not compared.
 */
export function answersBeside(recorded: string, replayed: string, places: readonly string[]): Diff {
  const [left, right] = [jsonLines(recorded), jsonLines(replayed)]
  if (places.length === 0) return { left: plain(recorded), right: plain(replayed) }
  if (!left || !right || places.some((place) => WHOLE.includes(place))) return diff(recorded, replayed)
  return { left: marked(left, right, places), right: marked(right, left, places) }
}

function plain(text: string): Piece[] {
  return [{ text: pretty(text), differs: false }]
}

function marked(lines: readonly JsonLine[], others: readonly JsonLine[], places: readonly string[]): Piece[] {
  const same = places.filter((place) => place.endsWith('/*')).flatMap((place) => sharedElements(lines, others, place))
  return joined(
    lines.map(({ text, pointer }, index) => ({
      text: index === lines.length - 1 ? text : `${text}\n`,
      differs: places.some((place) => isAt(pointer, place)) && !same.some((element) => isAt(pointer, element)),
    })),
  )
}

/** The elements of a list that the other list has as well, whatever ids and numbers they have. */
function sharedElements(lines: readonly JsonLine[], others: readonly JsonLine[], place: string): string[] {
  const left = new Map<string, number>()
  for (const [, form] of elementsAt(others, place)) left.set(form, (left.get(form) ?? 0) + 1)
  return [...elementsAt(lines, place)].flatMap(([pointer, form]) => {
    const count = left.get(form) ?? 0
    left.set(form, count - 1)
    return count > 0 ? [pointer] : []
  })
}

const OWN = /assay-[\w-]+|[0-9a-f-]{32,}|\d+/g

/** pointer of an element -> its text with everything left open that is another in every run */
function elementsAt(lines: readonly JsonLine[], place: string): Map<string, string> {
  const depth = place.split('/').length
  const found = new Map<string, string>()
  for (const { text, pointer } of lines) {
    if (!isAt(pointer, place)) continue
    const element = pointer.split('/').slice(0, depth).join('/')
    const form = text.trim().replaceAll(OWN, '*').replace(/,$/, '')
    found.set(element, `${found.get(element) ?? ''}${form}`)
  }
  return found
}
