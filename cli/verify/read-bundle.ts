import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { Disagreement } from './disagreement.ts'
import { EVIDENCE, FACTS, MANIFEST, REPORT, SEGMENT, SIGNATURE } from './manifest.ts'

/** More than this is no bundle of ours, but something that fills a disk. Bytes, unpacked. */
const MOST_BYTES = 8 * 1024 ** 3
const NAMES = new Set([MANIFEST, SIGNATURE, REPORT, FACTS])

/**
 * Unpacks a bundle into a folder and returns the SHA-256 of each file that it holds, by its path. Writes nothing but
 * plain files of the names that a bundle has. @throws Disagreement where the archive is damaged or holds anything else
 */
export async function unpackBundle(path: string, folder: string): Promise<ReadonlyMap<string, string>> {
  mkdirSync(join(folder, EVIDENCE), { recursive: true })
  const hashes = new Map<string, string>()
  let bytes = 0
  const archive = extract()
  const reading = pipeline(createReadStream(path), createGunzip(), archive).catch((error: Error) => {
    archive.destroy(error)
  })
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header
      if (type !== 'file' || !isKnown(name)) throw new Disagreement(name, 'does not belong into a bundle')
      if (hashes.has(name)) throw new Disagreement(name, 'stands in the bundle twice')
      const hash = createHash('sha256')
      const watch = new Transform({
        transform(chunk: Buffer, _encoding, done: TransformCallback) {
          bytes += chunk.length
          hash.update(chunk)
          done(bytes > MOST_BYTES ? new Disagreement(name, 'is too large for a bundle') : null, chunk)
        },
      })
      await pipeline(entry, watch, createWriteStream(join(folder, name)))
      hashes.set(name, hash.digest('hex'))
    }
    await reading
  } catch (error) {
    if (error instanceof Disagreement) throw error
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
