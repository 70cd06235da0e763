import type { Capture } from '../../fixtures/recording/capture.ts'
import type { RawBody } from '../../fixtures/recording/raw.ts'
import type { JsonText } from '../../fixtures/redact/json.ts'
import type { BodyFile, BodyFolder } from '../../fixtures/segments/bodies.ts'
import type { Opening } from '../tee/queue.ts'

/** Bytes up to which a body is collected and dealt with like a short one, and bytes of all that are. */
const EACH = 8 * 1024 * 1024
const ALL = 16 * 1024 * 1024
/** Bytes that show the kind of a body. */
const FIRST = 65_536
/** Bodies that are written at once. */
const MOST_FILES = 256

/**
 * Bodies up to 8 MiB are collected, so that they are judged and redacted as a whole. Longer ones go into their file
 * piece by piece, if their secrets can be found so: lines, texts, and other bytes, but not JSON.
 */
export class WholeBodies {
  readonly #store: BodyFolder
  readonly #capture: Pick<Capture, 'pieces'>
  readonly #problem: (message: string) => void
  #said = false
  /** bytes of all bodies that are collected */
  collected = 0
  /** bodies that are being written */
  files = 0

  /** `problem`: told once that the disk takes no more */
  constructor(store: BodyFolder, capture: Pick<Capture, 'pieces'>, problem: (message: string) => void) {
    this.#store = store
    this.#capture = capture
    this.#problem = problem
  }

  begin(opening: Opening): WholeBody {
    return new WholeBody(this, opening)
  }

  /** Where a body goes that begins so; undefined: it cannot be cleaned piece by piece, or there is no room. */
  writer({ method, url, headers }: Opening, first: Buffer): PieceWriter | undefined {
    const how = this.files < MOST_FILES ? this.#capture.pieces(method, url, headers, first) : undefined
    return how && this.attempt(() => createPieceWriter(this.#store.begin(), how))
  }

  /** A full disk costs the body, and nothing else. */
  attempt<T>(action: () => T | undefined): T | undefined {
    try {
      return action()
    } catch (thrown) {
      const said = `bodies can not be kept whole: ${thrown instanceof Error ? thrown.message : String(thrown)}`
      if (!this.#said) this.#problem(said)
      this.#said = true
      return undefined
    }
  }
}

/** Keeps a long body whole while it passes. */
export class WholeBody {
  readonly #all: WholeBodies
  readonly #opening: Opening
  #chunks: Buffer[] = []
  #bytes = 0
  #writer: PieceWriter | undefined
  #isGivenUp = false

  constructor(all: WholeBodies, opening: Opening) {
    this.#all = all
    this.#opening = opening
  }

  push(part: Uint8Array): void {
    if (this.#isGivenUp) return
    const chunk = Buffer.from(part)
    if (this.#writer) {
      this.#write(chunk)
      return
    }
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    this.#all.collected += chunk.length
    if (this.#bytes > EACH || this.#all.collected > ALL) this.#toFile()
  }

  /** The body itself, or the file that holds it; undefined: it could not be kept. */
  finish(): Pick<RawBody, 'kept' | 'cut'> | Pick<RawBody, 'file'> | undefined {
    if (this.#isGivenUp) return undefined
    const writer = this.#writer
    if (!writer) return { kept: Buffer.concat(this.#taken()), cut: false }
    this.#writer = undefined
    this.#all.files -= 1
    const file = this.#all.attempt(() => writer.finish())
    if (!file) writer.discard()
    return file && { file }
  }

  /** Nothing of it is wanted. */
  discard(): void {
    this.#isGivenUp = true
    this.#taken()
    if (!this.#writer) return
    this.#all.files -= 1
    this.#writer.discard()
    this.#writer = undefined
  }

  #toFile(): void {
    const first = Buffer.concat(this.#chunks, Math.min(this.#bytes, FIRST))
    this.#writer = this.#all.writer(this.#opening, first)
    if (!this.#writer) {
      this.discard()
      return
    }
    this.#all.files += 1
    for (const chunk of this.#taken()) if (!this.#isGivenUp) this.#write(chunk)
  }

  #write(chunk: Buffer): void {
    if (!this.#all.attempt(() => this.#writer?.push(chunk))) this.discard()
  }

  /** What was collected, which is held here no longer. */
  #taken(): Buffer[] {
    const chunks = this.#chunks
    this.#all.collected -= this.#bytes
    this.#chunks = []
    this.#bytes = 0
    return chunks
  }
}

interface PieceWriter {
  /** true: it was taken; undefined: the body is not what it began as, or holds what cannot be told apart in pieces */
  push(bytes: Buffer): true | undefined
  finish(): RawBody['file']
  discard(): void
}

function createPieceWriter(file: BodyFile, { cleaner }: { readonly cleaner: JsonText }): PieceWriter {
  const characters = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return {
    push(bytes) {
      let text: string
      try {
        text = characters.decode(bytes, { stream: true })
      } catch {
        return undefined
      }
      const clean = cleaner.push(text)
      if (clean === undefined) return undefined
      file.write(clean)
      return true
    },
    finish() {
      file.write(cleaner.end())
      characters.decode()
      return { name: file.finish() }
    },
    discard: () => file.discard(),
  }
}
