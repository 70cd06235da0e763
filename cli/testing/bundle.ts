import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import type { BundleParts } from '../../engine/bundle/bundle.ts'
import { MANIFEST, sealed, sha256 } from '../../engine/bundle/bundle.ts'
import { assembleReport } from '../../engine/judge/assemble.ts'
import type { RunFacts } from '../../engine/judge/facts.ts'
import { evidenceIn } from '../../engine/judge/judge.ts'
import { openSegment } from '../../fixtures/segments/write.ts'
import { exchange } from '../../rules/testing.ts'
import { shippedBinding } from '../../schemas/binding.ts'
import type { BundleManifest } from '../../schemas/types/bundle.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'

const MEMBER = 'DELETE /v1/config/members/a@example.com'

/** A small run: members removed, some answers good and one that breaks a requirement. */
export async function aRun(): Promise<BundleParts> {
  const evidence = join(mkdtempSync(join(tmpdir(), 'assay-bundle-')), 'evidence')
  mkdirSync(evidence)
  const file = openSegment(evidence, 'exchanges', '1')
  for (let index = 0; index < 20; index += 1) file.append(removal(String(index), index === 7 ? 202 : 200))
  file.close()
  const cases = openSegment(evidence, 'cases', '1')
  const ended: CaseRecord = { case: 'c', requirements: [], state: 'done', requests: 20, durationMs: 1 }
  cases.append(ended)
  cases.close()
  const files = [shippedBinding('reference'), shippedBinding('default')]
  const facts: RunFacts = {
    suite: { name: 'assay', version: '0.1.0' },
    target: { name: 'made up', version: '1', baseUrl: 'http://127.0.0.1:1', embedded: false },
    binding: { name: 'reference', chain: files.map(({ name }) => name), files },
    basePath: '',
    settleMs: 0,
    features: ['member-removal'],
    strict: false,
    seed: 7,
    profile: 'quick',
    only: [],
    selected: null,
    shard: null,
    prefix: 'assay-000000',
    expected: ['c'],
    interrupted: false,
    problems: [],
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 10,
    environment: { node: 'v20' },
    configuration: {},
    again: 'assay certify --only {requirement} --seed 7',
  }
  return { report: await assembleReport(evidenceIn(evidence), facts), facts, evidence }
}

function removal(id: string, status: number): Exchange {
  return {
    ...exchange(MEMBER, { id, status, got: { message: `removed ${id}`, deleted: true } }),
    _operation: 'delete-member',
    _case: 'c',
  }
}

/** The files of a bundle, by their path. */
export async function unpacked(path: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const archive = extract()
  Readable.from([gunzipSync(readFileSync(path))]).pipe(archive)
  for await (const entry of archive) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    files.set(entry.header.name, Buffer.concat(chunks))
  }
  return files
}

/** Writes files as a bundle, whatever they are. */
export async function repack(path: string, files: Iterable<readonly [string, Buffer]>): Promise<void> {
  const archive = pack()
  for (const [name, content] of files) archive.entry({ name }, content)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  writeFileSync(path, gzipSync(Buffer.concat(chunks), { level: 0 }))
}

/** What a forger would do: all hashes made to fit again. */
export function resealed(files: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const manifest = JSON.parse(String(files.get(MANIFEST))) as BundleManifest
  const { root: _root, ...rest } = manifest
  const hashes = Object.keys(rest.files).map((name) => [name, sha256(files.get(name) ?? '')] as const)
  const fitting = sealed({ ...rest, files: Object.fromEntries(hashes) })
  return new Map([...files, [MANIFEST, Buffer.from(`${JSON.stringify(fitting, null, 2)}\n`)]])
}
