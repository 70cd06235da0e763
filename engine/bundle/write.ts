import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, readdirSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { PRIVATE_FILE } from '../../fixtures/private-folder.ts'
import type { Report } from '../../schemas/types/report.ts'
import { UsageError } from '../errors.ts'
import { suiteHash } from '../hash.ts'
import type { RunFacts } from '../judge/facts.ts'
import { signatureOf } from './keys.ts'
import { EVIDENCE, FACTS, MANIFEST, REPORT, SEGMENT, SIGNATURE, sealed, sha256 } from './manifest.ts'

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
