import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Report } from '../../../schemas/types/report.ts'
import { createWorld, type World } from '../../testing/world.ts'

const { world, close } = createWorld('distill')
afterAll(close)

async function verdicts(at: World, recording: string): Promise<Record<string, string>> {
  await at.assay(['check', recording, '--out', `${recording}-checked`])
  const report = JSON.parse(readFileSync(join(at.folder, `${recording}-checked`, 'report.json'), 'utf8')) as Report
  return Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict]))
}

test('a full run shrinks to a tenth, and every requirement keeps its verdict', { timeout: 300_000 }, async () => {
  const args = ['certify', '--embedded', '--seed', '5', '--record', 'whole', '--out', 'certified']
  expect((await world.assay(args, { longest: 200_000 })).code).toBe(0)
  const distilled = await world.assay(['fixtures', 'distill', 'whole', '--out', 'small', '--json'])
  const { before, exchanges, dropped, mistaken } = JSON.parse(distilled.stdout) as {
    before: number
    exchanges: number
    dropped: string[]
    mistaken: string[]
  }
  expect({ dropped, mistaken }).toEqual({ dropped: [], mistaken: [] })
  expect(before / exchanges).toBeGreaterThan(10)
  expect(await verdicts(world, 'small')).toEqual(await verdicts(world, 'whole'))
})
