import { number } from './counted.ts'

// Characters that act on a terminal, or on how the characters beside them are shown: C0 and C1 controls, marks that
// turn the writing direction, line separators, halves of a surrogate pair, invisible fillers, and what is no character.
const ACTING =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u

// The log of a build acts on `::name::` at the start of a line, blanks aside. Where lines break is not known here. No command
// is called like a group of an IPv6 address. It acts on `##[name]`, `##vso[…]` and `##teamcity[…]` anywhere.
const COMMAND = /:(?=:(?![0-9a-f]{1,4}(?![\w-]))[a-z])|#(?=#[\w-]*\[)/gi

/** The text in which nothing can act on a terminal, or on the log of a build: it becomes escapes like `\u001b`. */
export function visible(text: string): string {
  const plain = text.replaceAll(ACTING, (character) => SHORT[character] ?? escaped(character))
  return plain.includes('::') || plain.includes('##') ? plain.replaceAll(COMMAND, escaped) : plain
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** At most `most` characters of the text, then how many more there were. Never parts a surrogate pair. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text
  return `${prefix(text, most)}… (${number(text.length - most)} characters more)`
}

/** The first `length` UTF-16 units of the text; one less where a surrogate pair would be parted. */
export function prefix(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** Columns that the text takes on a terminal. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

function characterWidth(character: string): number {
  if (character >= ' ' && character <= '~') return 1
  if (NO_WIDTH.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** The text cut to `columns`, ended by an ellipsis where something is missing. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return `${takeColumns(text, columns - 1).trimEnd()}…`
}

/** As many characters of the text as take up at most `columns`; at least one. */
function takeColumns(text: string, columns: number): string {
  let width = 0
  let taken = ''
  for (const character of text) {
    width += characterWidth(character)
    if (width > columns && taken !== '') break
    taken += character
  }
  return taken
}

/** The text filled up with blanks to `columns`. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

/** Behind these a long address or a body is broken, where one of them stands in the second half of the line. */
const BREAKS = /[/?&=,;:}\]](?=[^/?&=,;:}\]]*$)/

function placeToBreak(line: string): number {
  const place = (BREAKS.exec(line)?.index ?? -1) + 1
  return place > line.length / 2 ? place : line.length
}

/** The text in lines of at most `columns`, broken between words, or inside one that is longer than half a line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) <= columns) {
      line += ` ${word}`
      continue
    }
    if (line !== '' && 2 * widthOf(line) < columns && 2 * widthOf(word) > columns) line += ` ${word}`
    else {
      if (line !== '') lines.push(line)
      line = word
    }
    while (widthOf(line) > columns) {
      const most = takeColumns(line, columns)
      if (most.length === line.length) break
      const head = most.slice(0, placeToBreak(most))
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return [...lines, line]
}

/** Characters of a text that is shown at all. */
export const LONGEST_CLEAN = 1000

/** Text of any origin, made harmless and short: runs of one character are counted, controls made visible. */
export function clean(text: string, most: number = LONGEST_CLEAN): string {
  // runs shrink, so more is read than is shown
  const head = prefix(text, 50 * most)
  const shown = visible(countRuns(head))
  if (shown.length <= most && head.length === text.length) return shown
  return `${prefix(shown, most)}… (of ${number(text.length)} characters)`
}

const LEAST_RUN = 24
const SHOWN_OF_RUN = 6

/** `aaaaaa…[513×a]` for 513 times 'a': two requests that differ in one length differ to the eye. */
function countRuns(text: string): string {
  return text.replaceAll(new RegExp(`(.)\\1{${LEAST_RUN - 1},}`, 'gsu'), (run, character: string) => {
    const count = run.length / character.length
    return `${character.repeat(SHOWN_OF_RUN)}…[${count}×${character}]`
  })
}

/** Characters that are shown before two texts begin to differ. */
const CONTEXT = 24
const LONGEST_COMPARED = 20_000

/** Two texts made harmless and short. Where they begin to differ late, both are cut before that place: a difference is never cut away. */
export function apart(left: string, right: string, most: number): [string, string] {
  const whole = [clean(left, LONGEST_COMPARED), clean(right, LONGEST_COMPARED)] as const
  let first = 0
  while (first < whole[0].length && whole[0][first] === whole[1][first]) first += 1
  const isLate = left !== '' && right !== '' && left !== right && first > most - CONTEXT
  const cut = (text: string): string => (isLate ? `…${clean(text.slice(first - CONTEXT), most - 1)}` : text)
  const short = (text: string, given: string): string => {
    if (text.length <= most) return text
    return isLate ? cut(text) : clean(given, most)
  }
  return [short(whole[0], left), short(whole[1], right)]
}
