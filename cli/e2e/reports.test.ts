import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Report } from '../../schemas/types/report.ts'
import { test } from '../testing/world.ts'

const RUN = 'certify --embedded --profile quick --walks 0 --seed 3 --only NODE-TITLE-MAX NODE-TITLE-MIN'.split(' ')

test('two shards become one report, and a bundle shows where its verdicts come from', async ({ world }) => {
  const keys = generateKeyPairSync('ed25519')
  world.write('key.pem', keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  world.write('public.pem', keys.publicKey.export({ type: 'spki', format: 'pem' }).toString())
  const bundled = ['--bundle', 'claim.tgz', '--sign', 'key.pem', '--reporter', 'ctrf', 'markdown']
  const [first, second] = await Promise.all([
    world.assay([...RUN, '--shard', '1/2', '--out', 'one', ...bundled]),
    world.assay([...RUN, '--shard', '2/2', '--out', 'two']),
  ])
  expect([first.code, second.code], first.stderr + second.stderr).toEqual([4, 4])
  expect(first.stdout).toContain('partial: embedded reference: shard 2 of 2 is missing')
  expect(readFileSync(join(world.folder, 'one', 'summary.md'), 'utf8')).toContain('🟡 partial: embedded reference')

  const [merged, verified, compared] = await Promise.all([
    world.assay(['report', 'merge', 'two', 'one', '--out', 'both', '--allow-partial']),
    world.assay(['verify', 'claim.tgz', '--key', 'public.pem', '--json']),
    world.assay(['report', 'compare', 'one', 'two', '--format', 'json']),
  ])
  expect(merged.code, merged.stderr).toBe(0)
  expect(merged.stdout).toContain('passed: embedded reference: the 2 selected requirements')
  const read = (name: string): Report =>
    JSON.parse(readFileSync(join(world.folder, name, 'report.json'), 'utf8')) as Report
  expect(read('both').requests).toBe(read('one').requests + read('two').requests)
  expect(read('both').requirements.find(({ id }) => id === 'NODE-TITLE-MAX')?.verdict).toBe('pass')

  expect(verified.code, verified.stdout).toBe(0)
  expect(JSON.parse(verified.stdout)).toMatchObject({ verified: true, verdict: 'partial', seed: 3 })
  expect(JSON.parse(compared.stdout)).toMatchObject({ formatVersion: 1, regression: expect.any(Boolean) })
})
