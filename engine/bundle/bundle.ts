import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Pack, pack } from 'tar-stream'
import { streamPlain } from '../../fixtures/plain-file.ts'
import { PRIVATE_FILE } from '../../fixtures/private-folder.ts'
import type { BundleManifest } from '../../schemas/types/bundle.ts'
import type { Report } from '../../schemas/types/report.ts'
import { UsageError } from '../errors.ts'
import { suiteHash } from '../hash.ts'
import type { RunFacts } from '../judge/facts.ts'
import { signatureOf } from './keys.ts'

/** What goes into a bundle. `evidence`: the folder of its segments. */
export interface BundleParts {
  readonly report: Report
  readonly facts: RunFacts
  readonly evidence: string
}

/**
 * Writes a bundle: a gzipped tar archive with the report, what it follows from, and the hash of each file. It is there
 * whole or not at all. `key`: signs it (Ed25519). @throws UsageError where it cannot be written
 */
export async function writeBundle(path: string, parts: BundleParts, key: KeyObject | undefined): Promise<void> {
  const { report, facts, evidence } = parts
  const texts: Readonly<Record<string, string>> = {
    [REPORT]: `${JSON.stringify(report, null, 2)}\n`,
    [FACTS]: `${JSON.stringify(facts, null, 2)}\n`,
  }
  const segments = readdirSync(evidence)
    .filter((name) => SEGMENT.test(name))
    .sort()
  const files: Record<string, string> = {}
  for (const [name, text] of Object.entries(texts)) files[name] = sha256(text)
  for (const name of segments) files[`${EVIDENCE}/${name}`] = await hashOf(join(evidence, name))
  const manifest = sealed({
    format: 'assay-bundle',
    formatVersion: 1,
    suite: `${facts.suite.name} ${facts.suite.version}`,
    suiteHash: suiteHash(),
    node: process.version,
    seed: facts.seed,
    files,
  })
  const bytes = `${JSON.stringify(manifest, null, 2)}\n`
  const entries = { [MANIFEST]: bytes, ...(key ? { [SIGNATURE]: signatureOf(Buffer.from(bytes), key) } : {}), ...texts }

  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    const archive = pack()
    const written = pipeline(archive, createGzip(), createWriteStream(temporary, { mode: PRIVATE_FILE }))
    const filled = fill(archive, entries, segments, evidence, new Date(facts.startedAt))
    await Promise.all([written, filled])
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError({ where: path, what: `cannot be written (${reason})`, hint: 'choose another --bundle' })
  }
}

async function fill(
  archive: Pack,
  texts: Readonly<Record<string, string>>,
  segments: readonly string[],
  folder: string,
  mtime: Date,
): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await new Promise<void>((resolve, reject) => {
      archive.entry({ name, mtime }, text, (error) => (error ? reject(error) : resolve()))
    })
  }
  for (const name of segments) {
    const path = join(folder, name)
    const { size } = statSync(path)
    const entry = archive.entry({ name: `${EVIDENCE}/${name}`, size, mtime })
    await pipeline(createReadStream(path), entry)
  }
  archive.finalize()
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Names of the files in a bundle. The manifest comes first, then its signature, where there is one. */
export const MANIFEST = 'bundle.json'
export const SIGNATURE = 'bundle.sig'
export const REPORT = 'report.json'
export const FACTS = 'facts.json'
export const EVIDENCE = 'evidence'

/** Files of evidence, in its folder. */
const SEGMENT: RegExp = /^(exchanges|cases)-[\w-][\w.-]*$/

/** The manifest with the hash over all of it. */
export function sealed(manifest: Omit<BundleManifest, 'root'>): BundleManifest {
  return { ...manifest, root: rootOf(manifest) }
}

/** SHA-256, hexadecimal, of everything in a manifest but this hash itself. */
export function rootOf(manifest: Omit<BundleManifest, 'root'>): string {
  const { format, formatVersion, suite, suiteHash, node, seed, files } = manifest
  const sorted = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify([format, formatVersion, suite, suiteHash, node, seed, sorted]))
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

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
      if (isBomb || unpacked > MOST_BYTES)
        done(new Disagreement('the archive', 'is larger than a bundle can be when unpacked'))
      else done(null, chunk)
    },
  })
  const reading = pipeline(file, createGunzip(), watchAll, archive).catch((error: Error) => {
    archive.destroy(error)
    throw error
  })
  // The reader of the archive hears of it too, and first.
  reading.catch(() => undefined)
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header
      if (type !== 'file' || !isKnown(name)) throw new Disagreement(name, 'does not belong in a bundle')
      if (hashes.has(name)) throw new Disagreement(name, 'is in the bundle twice')
      if (hashes.size >= MOST_FILES) throw new Disagreement('the archive', 'holds more files than a bundle may')
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
