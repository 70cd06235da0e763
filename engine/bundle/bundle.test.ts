import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readPlainJson } from '../../fixtures/plain-file.ts'
import { openRecording } from '../../fixtures/recording/read.ts'
import { readSegments } from '../../fixtures/segments/read.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import { factsFault } from '../judge/facts.ts'
import { EVIDENCE, FACTS, unpackBundle } from './bundle.ts'

test('a bundle that the version before this one wrote is unpacked and read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-kept-bundle-'))
  try {
    const bundle = fileURLToPath(new URL('../../fixtures/segments/samples/bundle.tgz', import.meta.url))
    const hashes = await unpackBundle(bundle, folder)
    expect([...hashes.keys()].sort()).toEqual([
      'bundle.json',
      'evidence/cases-0.ndjson',
      'evidence/exchanges-0.ndjson',
      'facts.json',
      'report.json',
    ])
    const evidence = join(folder, EVIDENCE)
    const ids: string[] = []
    for await (const { _id } of (await openRecording(evidence)).exchanges()) ids.push(_id)
    expect(ids).toHaveLength(40)
    const cases: string[] = []
    for await (const record of readSegments<CaseRecord>(evidence, 'cases')) cases.push(record.state)
    expect(cases).toEqual(['done'])
    expect(factsFault(readPlainJson(join(folder, FACTS), 'found').value)).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
