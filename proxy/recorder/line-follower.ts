import { StringDecoder } from 'node:string_decoder'
import { createDigest } from '../../fixtures/digest.ts'
import type { TargetOperation } from '../../schemas/binding.ts'
import { jsonIn } from '../../schemas/json.ts'
import type { LineDigest } from '../../schemas/types/exchange.ts'
import { createListScanner } from './list-scanner.ts'

/** Digests the lines of an export while its body passes. */
export interface LineFollower {
  push(bytes: Uint8Array): void
  /** undefined where the body was not what an export is */
  end(): { readonly digest: LineDigest; readonly outline: string } | undefined
}

/** Lines that stay in the body. */
const KEPT_LINES = 3
/** Characters that one line of JSONL may have. */
const MOST_CHARACTERS = 1 << 20

/** A follower for the answer of an operation; undefined where it exports no lines. */
export function followLines(operation: TargetOperation | undefined): LineFollower | undefined {
  if (operation?.id === 'export-v1') return followJsonl(operation)
  const pointer = operation?.answer.list
  if (operation?.id === 'export-v2' && pointer !== undefined) return followPage(operation, pointer)
  return undefined
}

function followJsonl(operation: TargetOperation): LineFollower {
  const decoder = new StringDecoder('utf8')
  const digest = createDigest(operation.fields, {})
  const kept: string[] = []
  let rest = ''
  let broken = false
  const row = (text: string): void => {
    if (text.trim() === '') digest.blank()
    else {
      if (kept.length < KEPT_LINES) kept.push(text)
      digest.add(jsonIn(text))
    }
  }
  return {
    push(bytes) {
      if (broken) return
      const rows = `${rest}${decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))}`.split(
        /\r?\n/,
      )
      rest = rows.pop() ?? ''
      for (const one of rows) row(one)
      broken = rest.length > MOST_CHARACTERS
    },
    end() {
      row(rest + decoder.end())
      return broken ? undefined : { digest: digest.done(), outline: `${kept.join('\n')}\n` }
    },
  }
}

function followPage(operation: TargetOperation, pointer: string): LineFollower {
  const decoder = new StringDecoder('utf8')
  const digest = createDigest(operation.fields, {})
  const scanner = createListScanner({ pointer, kept: KEPT_LINES, onElement: (text) => digest.add(jsonIn(text)) })
  return {
    push(bytes) {
      scanner.push(decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
    },
    end() {
      scanner.push(decoder.end())
      const outline = scanner.end()
      return outline === undefined ? undefined : { digest: digest.done(), outline }
    },
  }
}
