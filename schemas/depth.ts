import { endOfString, jsonIn } from './json.ts'
/**
 * Levels of nested lists and objects up to which a body is inspected. Nobody writes more of them, and whatever goes
 * through them level by level would come to the end of its stack.
 */
export const DEEPEST = 200

/**
 * Whether a text is JSON of more levels than are inspected, or holds such JSON as a text. A text that is not JSON has
 * no levels, however many brackets it has.
 */
export function isTooDeep(text: string): boolean {
  // Each level takes two characters.
  if (text.length <= 2 * DEEPEST) return false
  // The judge of an exchange asks right after its reader, about its request and its answer.
  if (text === last.text) return last.deep
  if (text === before.text) return before.deep
  before = last
  last = { text, deep: isDeep(text) }
  return last.deep
}

let last = { text: '', deep: false }
let before = last

function isDeep(text: string): boolean {
  const start = text.search(/[^\s\ufeff]/)
  if (text[start] !== '"') return goesDeep(text) && parsed(text) !== undefined
  const inner = parsed(text)
  return typeof inner === 'string' && isTooDeep(inner)
}

/** Whether a text opens more levels than are inspected, as JSON without its end may do. */
export function goesDeep(text: string): boolean {
  if (!opensOften(text) || !/^[\s\ufeff]*[[{]/.test(text)) return false
  return excessOf(text, Number.POSITIVE_INFINITY) === 'levels'
}

/** Whether a text has as many brackets as so many levels need, wherever they stand. Hardly any text has. */
function opensOften(text: string): boolean {
  let opened = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      opened += 1
      if (opened > DEEPEST) return true
    }
  }
  return false
}

/**
 * Why a text is not to be parsed as JSON; undefined: it may be. A few megabytes can hold so many values or levels that
 * parsing or walking through them runs out of memory or stack. `most`: values that it may hold.
 */
export function jsonExcess(text: string, most: number): string | undefined {
  switch (excessOf(text, most)) {
    case 'levels':
      return `is nested more than ${DEEPEST} levels deep`
    case 'values':
      return `holds more than ${most.toLocaleString('en-US')} values`
    default:
      return undefined
  }
}

function excessOf(text: string, most: number): 'levels' | 'values' | undefined {
  let levels = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case COMMA:
        values += 1
        if (values > most) return 'values'
        break
      case OPENS_LIST:
      case OPENS_OBJECT:
        levels += 1
        values += 1
        if (levels > DEEPEST) return 'levels'
        if (values > most) return 'values'
        break
      case CLOSES_LIST:
      case CLOSES_OBJECT:
        levels -= 1
        break
    }
  }
  return undefined
}

const COMMA = 0x2c
const QUOTE = 0x22
const OPENS_LIST = 0x5b
const CLOSES_LIST = 0x5d
const OPENS_OBJECT = 0x7b
const CLOSES_OBJECT = 0x7d

function parsed(text: string): unknown {
  return jsonIn(text.replace(/^\ufeff/, ''))
}
