import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { openRecording } from '../../../fixtures/recording/read.ts'
import { openRecordingWriter } from '../../../fixtures/recording/write.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import type { Report } from '../../../schemas/types/report.ts'
import { test, type World } from '../../testing/world.ts'

const SAMPLE = fileURLToPath(new URL('../../../fixtures/recorded/embedded', import.meta.url))
const BASE = 'http://127.0.0.1'

/**
 * The sample as a proxy would have recorded it: nothing in it says what a request was sent for. Each `nth` answer
 * has another status of success than the specification states.
 */
async function recordSample(world: World, name: string, nth: number): Promise<{ recording: string; count: number }> {
  const folder = join(world.folder, name)
  const about = { tool: 'test', startedAt: '2026-01-01T00:00:00.000Z', target: BASE, binding: 'reference' }
  const writer = openRecordingWriter(folder, { base: BASE, about, compress: false })
  let count = 0
  for await (const { _case: _, _intent: __, ...exchange } of (await openRecording(SAMPLE)).exchanges()) {
    count += 1
    writer.append(count % nth === 0 ? otherwise(exchange) : exchange)
  }
  await writer.close()
  return { recording: folder, count }
}

function otherwise(exchange: Exchange): Exchange {
  const { response } = exchange
  return response.status === 200 ? { ...exchange, response: { ...response, status: 201 } } : exchange
}

async function check(
  world: World,
  recording: string,
  threads: number,
): Promise<{ code: number | null; report: Report }> {
  const out = `${recording}-by-${threads}`
  const words = ['--threads', String(threads), '--format', 'json']
  const { code } = await world.assay(['check', recording, ...words, '--out', out])
  return { code, report: JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report }
}

/** Everything that does not depend on the time of the check. */
function lasting({ startedAt: _, durationMs: __, basis, ...report }: Report): object {
  const runs = basis?.runs.map(({ prefix: ___, startedAt: ____, ...run }) => run)
  return { ...report, basis: { ...basis, runs } }
}

test('several threads say what one says, of findings in all of their shares', async ({ world }) => {
  const { recording } = await recordSample(world, 'traffic', 9)
  const one = await check(world, recording, 1)
  expect(one.code).toBe(1)
  const failed = one.report.requirements.filter(({ verdict }) => verdict === 'fail')
  expect(failed.flatMap(({ findings }) => findings).length).toBeGreaterThan(5)
  const several = await check(world, recording, 3)
  expect(several.code).toBe(1)
  expect(lasting(several.report)).toEqual(lasting(one.report))
})

test('several threads stop where one stops, at a line that is amiss', async ({ world }) => {
  const { recording, count } = await recordSample(world, 'broken', 50)
  const segment = join(recording, 'exchanges-000001.ndjson')
  const whole = readFileSync(segment, 'utf8')
  // Most shares read nothing of this operation. Rules that follow from it are still not judged.
  appendFileSync(segment, '{"i":"x","s":1,"e":1,"m":"GET","u":"/v1/config/keys",}\n')
  appendFileSync(segment, whole.slice(whole.indexOf('\n') + 1))
  const one = await check(world, recording, 1)
  expect(one.report).toMatchObject({ verdict: 'invalid', problems: [expect.stringMatching(/is not JSON$/)] })
  expect(one.report.requests).toBe(count)
  const several = await check(world, recording, 3)
  expect(lasting(several.report)).toEqual(lasting(one.report))
})
