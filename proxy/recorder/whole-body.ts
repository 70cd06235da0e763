import type { Capture } from '../../fixtures/recording/capture.ts'
import type { RawBody } from '../../fixtures/recording/raw.ts'
import type { PieceCleaner } from '../../fixtures/redact/pieces.ts'
import type { BodyFile, BodyFolder } from '../../fixtures/segments/bodies.ts'
import type { Opening } from '../tee/queue.ts'

/** Keeps a long body whole while it passes. */
export interface WholeBody {
  push(bytes: Uint8Array): void
  /** the body itself, or the file that holds it; undefined: it could not be kept */
  finish(): Pick<RawBody, 'kept' | 'cut'> | Pick<RawBody, 'file'> | undefined
  /** nothing of it is wanted */
  discard(): void
}

export interface WholeBodies {
  begin(opening: Opening): WholeBody
}

/** Bytes up to which a body is collected and dealt with like a short one, and bytes of all that are. */
const EACH = 8 * 1024 * 1024
const ALL = 16 * 1024 * 1024
/** Bytes by which the kind of a body is told. */
const FIRST = 65_536
/** Bodies that are written at once. */
const MOST_FILES = 256

/**
 * Bodies up to 8 MiB are collected, so that they are judged and redacted as a whole. Longer ones go into their file piece
 * by piece, where their secrets can be found so: lines, texts, and bytes of any other kind, but not JSON. `problem` is
 * told once that the disk takes no more.
 */
export function createWholeBodies(
  store: BodyFolder,
  pieces: Capture['pieces'],
  problem: (message: string) => void,
): WholeBodies {
  let collected = 0
  let files = 0
  let said = false

  function begin(opening: Opening): WholeBody {
    let chunks: Buffer[] = []
    let bytes = 0
    let writer: PieceWriter | undefined
    let given = false

    const letGo = (): void => {
      collected -= bytes
      bytes = 0
      chunks = []
    }
    const giveUp = (): void => {
      given = true
      letGo()
      if (writer) files -= 1
      writer?.discard()
      writer = undefined
    }
    /** A full disk costs the body, and nothing else. */
    const attempt = <T>(action: () => T | undefined): T | undefined => {
      try {
        return action()
      } catch (thrown) {
        if (!said) problem(`bodies can not be kept whole: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
        said = true
        return undefined
      }
    }
    const toFile = (): void => {
      const { method, url, headers } = opening
      const first = Buffer.concat(chunks.length === 0 ? [] : chunks, Math.min(bytes, FIRST))
      const how = files < MOST_FILES ? pieces(method, url, headers, first) : undefined
      writer = how && attempt(() => createPieceWriter(store.begin(), how))
      if (!writer) {
        giveUp()
        return
      }
      files += 1
      const all = chunks
      letGo()
      if (!all.every((chunk) => attempt(() => writer?.push(chunk)))) giveUp()
    }

    return {
      push(part) {
        if (given) return
        if (writer) {
          if (!attempt(() => writer?.push(Buffer.from(part)))) giveUp()
          return
        }
        chunks.push(Buffer.from(part))
        bytes += part.length
        collected += part.length
        if (bytes > EACH || collected > ALL) toFile()
      },
      finish() {
        if (given) return undefined
        if (!writer) {
          const kept = Buffer.concat(chunks)
          letGo()
          return { kept, cut: false }
        }
        const last = writer
        writer = undefined
        files -= 1
        const file = attempt(() => last.finish())
        if (!file) last.discard()
        return file && { file }
      },
      discard: giveUp,
    }
  }
  return { begin }
}

interface PieceWriter {
  /** true: it was taken; undefined: the body is not what it began as, or holds what cannot be told apart in pieces */
  push(bytes: Buffer): true | undefined
  finish(): RawBody['file']
  discard(): void
}

function createPieceWriter(
  file: BodyFile,
  { encoding, cleaner }: { readonly encoding?: 'base64'; readonly cleaner: PieceCleaner },
): PieceWriter {
  const characters = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  /** bytes that are no whole group of base64 yet */
  let rest = ''
  const write = (clean: string): void => {
    if (encoding === undefined) {
      file.write(clean)
      return
    }
    const all = rest + clean
    const whole = all.length - (all.length % 3)
    file.write(Buffer.from(all.slice(0, whole), 'latin1').toString('base64'))
    rest = all.slice(whole)
  }
  return {
    push(bytes) {
      let text: string
      try {
        text = encoding === undefined ? characters.decode(bytes, { stream: true }) : bytes.toString('latin1')
      } catch {
        return undefined
      }
      const clean = cleaner.push(text)
      if (clean === undefined) return undefined
      write(clean)
      return true
    },
    finish() {
      write(cleaner.end())
      if (encoding === undefined) characters.decode()
      else file.write(Buffer.from(rest, 'latin1').toString('base64'))
      return { name: file.finish(), ...(encoding && { encoding }) }
    },
    discard: () => file.discard(),
  }
}
