import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { constants, inflateRawSync, inflateSync } from 'node:zlib'
import { leftIn } from '../../../fixtures/testing/planted.ts'

/** The start of a header without a name of a file, and how long that header is. */
const GZIP = Buffer.from([0x1f, 0x8b, 0x08, 0])
const HEADER = 10
const AS_FAR_AS = { finishFlush: constants.Z_SYNC_FLUSH }
const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g
/** Archives in archives, and base64 in base64. */
const MOST_LEVELS = 4
/** Whatever is searched is at most about so long at once. */
const PART = 1 << 20

/** What is undone of compressed bytes, and of how many. */
interface Inflated {
  readonly buffer: Buffer
  readonly engine: { readonly bytesWritten: number }
}

/** The planted secrets that are left in each file of a folder, by name. Compression and base64 are undone. */
function leftInFiles(folder: string, isLookedAt: (name: string) => boolean): Record<string, string[]> {
  const names = readdirSync(folder, { recursive: true }).map(String)
  const files = names.filter((name) => isLookedAt(name) && statSync(join(folder, name)).isFile())
  const found = files.map((name): [string, string[]] => [
    name,
    [...leftIn(name), ...leftInBytes(readFileSync(join(folder, name)))].slice(0, 9),
  ])
  return Object.fromEntries(found.filter(([, left]) => left.length > 0))
}

/** What is left of planted secrets in texts, by what said them, and in the files of a folder. */
export function leftAnywhere(
  said: Readonly<Record<string, string>>,
  encoding: BufferEncoding,
  folder: string,
): { readonly told: Record<string, string[]>; readonly files: Record<string, string[]> } {
  const told = Object.entries(said).map(([name, text]): [string, string[]] => [
    name,
    leftInBytes(Buffer.from(text, encoding)).slice(0, 9),
  ])
  return {
    told: Object.fromEntries(told.filter(([, left]) => left.length > 0)),
    files: leftInFiles(folder, () => true),
  }
}

/** What is left of planted secrets in bytes, as they are and in what is compressed or base64 among them. */
function leftInBytes(bytes: Buffer, levels: number = MOST_LEVELS): string[] {
  const found = new Set<string>()
  for (const inner of levels > 0 ? packedIn(bytes) : []) {
    for (const one of leftInBytes(inner, levels - 1)) found.add(one)
  }
  const plain: string[] = []
  for (let start = 0; start < bytes.length; ) {
    const next = start + PART >= bytes.length ? -1 : bytes.indexOf('\n', start + PART)
    const end = next < 0 ? bytes.length : next
    const text = bytes.toString('latin1', start, end)
    for (const one of leftIn(text.replaceAll('\0', ''))) found.add(one)
    if (levels > 0) {
      for (const [run] of text.matchAll(BASE64)) {
        const said = Buffer.from(run, 'base64')
        if (said.indexOf(GZIP) === 0 || said[0] === 0x78) {
          for (const one of leftInBytes(said, levels - 1)) found.add(one)
        }
        plain.push(said.toString('latin1').replaceAll('\0', ''))
      }
      for (const one of leftIn(plain.join('\n'))) found.add(one)
      plain.length = 0
    }
    start = end + 1
  }
  return [...found]
}

function* packedIn(bytes: Buffer): Generator<Buffer> {
  if (bytes[0] === 0x78) {
    const inner = undone(() => inflateSync(bytes, AS_FAR_AS))
    if (inner) yield inner
  }
  // Each stream alone, and none twice: many may follow each other.
  for (let at = bytes.indexOf(GZIP), read = 0; at >= 0; at = bytes.indexOf(GZIP, at + read)) {
    const inner = undone(
      () => inflateRawSync(bytes.subarray(at + HEADER), { ...AS_FAR_AS, info: true }) as unknown as Inflated,
    )
    read = HEADER + (inner?.engine.bytesWritten ?? 0)
    if (inner) yield inner.buffer
  }
}

function undone<T>(undo: () => T): T | undefined {
  try {
    return undo()
  } catch {
    return undefined
  }
}
