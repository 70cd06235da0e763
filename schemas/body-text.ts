import { isUtf8 } from 'node:buffer'
import type { HarContent, NotUtf8 } from './types/exchange.ts'

const NAMED = /charset\s*=\s*"?([^\s";]+)/i

/**
 * The first byte of a body that is no text in UTF-8, in which JSON is written (RFC 8259, section 8.1); undefined: all of it is
 * such a text. `type`: its content type, which may name another coding. `cut`: it is only the beginning of a body.
 */
export function notUtf8(bytes: Buffer, type: string, cut = false): NotUtf8 | undefined {
  const whole = cut ? wholeCharacters(bytes) : bytes
  if (isUtf8(whole) && !whole.includes(0)) return undefined
  const coding = NAMED.exec(type)?.[1]?.toLowerCase()
  const at = firstBad(whole)
  const byte = whole.toString('hex', at, at + 1)
  return { at, byte, ...(coding === undefined || /^utf-?8$/.test(coding) ? {} : { coding }) }
}

/** Without the bytes of a character that was cut in two. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let less = 0; less < 4 && less < bytes.length; less += 1) {
    const shorter = bytes.subarray(0, bytes.length - less)
    if (isUtf8(shorter)) return shorter
  }
  return bytes
}

function firstBad(bytes: Buffer): number {
  let at = 0
  for (const character of bytes.toString('utf8')) {
    // The character that stands for bad bytes may also be sent as itself.
    const isBad = character === '\ufffd' && bytes.toString('hex', at, at + 3) !== 'efbfbd'
    if (isBad || character === '\0') return at
    at += Buffer.byteLength(character)
  }
  return at
}

/** The text of a body, read in the coding that its content type names; undefined: nobody can read it as a text. */
export function textOfBody({
  text,
  encoding,
  _notUtf8,
}: Pick<HarContent, 'text' | 'encoding' | '_notUtf8'>): string | undefined {
  if (encoding === undefined) return text
  if (_notUtf8?.coding === undefined) return undefined
  try {
    return new TextDecoder(_notUtf8.coding, { fatal: true }).decode(Buffer.from(text ?? '', 'base64'))
  } catch {
    return undefined
  }
}
