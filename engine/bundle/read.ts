import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { streamPlain } from '../../fixtures/plain-file.ts'
import { EVIDENCE, FACTS, MANIFEST, REPORT, SEGMENT, SIGNATURE } from './manifest.ts'

/** More than this is no bundle of ours, but something that fills a disk. Bytes, unpacked. */
const MOST_BYTES = 8 * 1024 ** 3
/** Unpacked bytes that may come of a packed one: evidence comes to 10 or 20, and gzip can give 1,000. */
const MOST_GROWTH = 100
/** Unpacked bytes that any bundle may have, however well it is packed. */
const HARMLESS = 64 * 1024 ** 2
/** A run writes two files of evidence, and some dozens where it is very long. */
const MOST_FILES = 1_000
const NAMES = new Set([MANIFEST, SIGNATURE, REPORT, FACTS])

/**
 * Unpacks a bundle into a folder and returns the SHA-256 of each file that it holds, by its path. Writes nothing but
 * plain files of the names that a bundle has. @throws Disagreement where the archive is damaged or holds anything else
 */
export async function unpackBundle(path: string, folder: string): Promise<ReadonlyMap<string, string>> {
  mkdirSync(join(folder, EVIDENCE), { recursive: true })
  const hashes = new Map<string, string>()
  let packed = 0
  let unpacked = 0
  const archive = extract()
  const file = streamPlain(path, 'given')
  file.on('data', (chunk) => (packed += chunk.length))
  const watchAll = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      unpacked += chunk.length
      const isBomb = unpacked > HARMLESS && unpacked > MOST_GROWTH * packed
      if (isBomb || unpacked > MOST_BYTES) done(new Disagreement('the archive', 'unpacks to more than a bundle holds'))
      else done(null, chunk)
    },
  })
  const reading = pipeline(file, createGunzip(), watchAll, archive).catch((error: Error) => {
    archive.destroy(error)
    throw error
  })
  // Whoever reads the archive is told as well, and first.
  reading.catch(() => undefined)
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header
      if (type !== 'file' || !isKnown(name)) throw new Disagreement(name, 'does not belong into a bundle')
      if (hashes.has(name)) throw new Disagreement(name, 'stands in the bundle twice')
      if (hashes.size >= MOST_FILES) throw new Disagreement('the archive', 'holds more files than a bundle')
      const hash = createHash('sha256')
      const watch = new Transform({
        transform(chunk: Buffer, _encoding, done: TransformCallback) {
          hash.update(chunk)
          done(null, chunk)
        },
      })
      await pipeline(entry, watch, createWriteStream(join(folder, name)))
      hashes.set(name, hash.digest('hex'))
    }
    await reading
  } catch (error) {
    if (error instanceof Disagreement || isOfThisMachine(error)) throw error
    throw new Disagreement('the archive', `is damaged (${error instanceof Error ? error.message : String(error)})`)
  } finally {
    archive.destroy()
  }
  return hashes
}

function isKnown(name: string): boolean {
  if (NAMES.has(name)) return true
  const [folder, file = '', ...more] = name.split('/')
  return folder === EVIDENCE && more.length === 0 && SEGMENT.test(file)
}

/** A full disk and the like say nothing about the bundle: the system names a call that failed. */
function isOfThisMachine(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** The first thing in a bundle that does not agree with the rest of it. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement'
  /** the file, and the place in it */
  readonly where: string

  constructor(where: string, message: string) {
    super(message)
    this.where = where
  }
}
