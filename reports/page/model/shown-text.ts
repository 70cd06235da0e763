import { visible } from '../../text.ts'

/** A piece of a text: as it is, a character that must not act (as its escape), or a long run of one character. */
export type Segment =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'acting'; readonly text: string }
  | { readonly kind: 'run'; readonly text: string; readonly count: number }

const LEAST_RUN = 40
const SHOWN_OF_RUN = 6
const RUNS = new RegExp(`([^\\s])\\1{${LEAST_RUN - 1},}`, 'gu')
const BREAKS = new Set(['\n', '\t'])

/**
 * Cuts a text into pieces that a page can show without harm. Controls, marks that turn the writing direction and halves
 * of pairs become escapes. Runs of one character are counted where `runs` is set. Breaks stay where `lines` is set.
 */
export function segmentsOf(text: string, lines = true, runs = true): Segment[] {
  const segments: Segment[] = []
  let from = 0
  for (const match of runs ? text.matchAll(RUNS) : []) {
    const [run, character = ''] = match
    if (isActing(character, lines)) continue
    cut(text.slice(from, match.index), lines, segments)
    segments.push({ kind: 'run', text: character.repeat(SHOWN_OF_RUN), count: run.length / character.length })
    from = match.index + run.length
  }
  cut(text.slice(from), lines, segments)
  return segments
}

function cut(text: string, lines: boolean, segments: Segment[]): void {
  if (text === '') return
  if (visible(text) === text) {
    segments.push({ kind: 'plain', text })
    return
  }
  let plain = ''
  let acting = ''
  const flush = (): void => {
    if (plain !== '') segments.push({ kind: 'plain', text: plain })
    if (acting !== '') segments.push({ kind: 'acting', text: acting })
    plain = ''
    acting = ''
  }
  for (const character of text.replaceAll('\r\n', lines ? '\n' : '\r\n')) {
    const isActor = isActing(character, lines)
    if (isActor ? plain !== '' : acting !== '') flush()
    if (isActor) acting += visible(character)
    else plain += character
  }
  flush()
}

function isActing(character: string, lines: boolean): boolean {
  return !(lines && BREAKS.has(character)) && visible(character) !== character
}
