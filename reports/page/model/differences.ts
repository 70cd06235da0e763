import type { DifferenceGroup } from '../../../schemas/types/replay.ts'
import { type Diff, diff, type Piece } from './diff.ts'
import { isAt, type JsonLine, jsonLines, pretty } from './json-text.ts'

/** The places of a body in which the answers of an example differ: that of its group, and those of others that show the same one. */
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
 * Two answers beside each other. Of JSON, the places are marked and nothing else: ids differ in every replay. Without a
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
  const pieces: { text: string; differs: boolean }[] = []
  for (const [index, { text, pointer }] of lines.entries()) {
    const differs = places.some((place) => isAt(pointer, place)) && !same.some((element) => isAt(pointer, element))
    const shown = index === lines.length - 1 ? text : `${text}\n`
    const last = pieces.at(-1)
    if (last?.differs === differs) last.text += shown
    else pieces.push({ text: shown, differs })
  }
  return pieces
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
