import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { HarHeader } from '../../schemas/types/exchange.ts'

/** Header fields as `writeHead` takes them: name, value, name, value. */
export interface Writable {
  readonly flat: readonly string[]
  /** parts that could not be written as they were recorded, one line each */
  readonly notes: readonly string[]
}

/**
 * The recorded header fields that can be written. A text beyond Latin-1 goes out as the bytes of its UTF-8, as browsers
 * show it. Characters that HTTP cannot carry at all are left out.
 */
export function writableHeaders(headers: readonly HarHeader[]): Writable {
  const flat: string[] = []
  const notes: string[] = []
  for (const { name, value } of headers) {
    // HTTP/2 puts status and path among the fields.
    if (name.startsWith(':')) continue
    const written = isWritable(name, value) ? value : Buffer.from(value).toString('latin1')
    if (isWritable(name, written)) {
      flat.push(name, written)
      if (written !== value) notes.push(`the header field ${name} is not Latin-1; it is sent as UTF-8`)
    } else {
      notes.push(`the header field ${name} cannot be written as HTTP; it is left out`)
    }
  }
  return { flat, notes }
}

function isWritable(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
