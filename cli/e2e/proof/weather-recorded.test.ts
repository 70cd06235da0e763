import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { startReference } from '../../../reference/server.ts'
import { configOf, test, type World } from '../../testing/world.ts'
import { errorLines, found, readReplay, readReport } from '../testing/expectations.ts'
import { startRecorder } from '../testing/recorder.ts'
import { atRandom, type Forecast, startWeather, TENTH } from '../testing/weather.ts'

const TIMEOUT_MS = 3_000
const SHARDS = 5
const consent = { modifyTarget: true, exclusions: true, suspend: true, archiving: true }

const KINDS: Readonly<Record<string, Forecast>> = {
  'a tenth of all failures': TENTH,
  'a third of 500': atRandom({ '500': 150, '500-done': 150 }),
  'a tenth of resets': atRandom({ reset: 50, 'reset-done': 50 }),
  'requests put off, slow and cut': atRandom({ '429': 50, slow: 100, cut: 20, close: 100 }),
}

/** Records a fifth of a run that goes through bad weather; says what the recorder found and how it ended. */
async function record(
  world: World,
  forecast: Forecast,
  shard: number,
): Promise<{ code: number | null; summary: object }> {
  const reference = await startReference()
  world.onClose(reference.close)
  const weather = await startWeather(reference.url, { seed: shard, timeout: TIMEOUT_MS, forecast })
  world.onClose(weather.close)
  const config = configOf(reference, { baseUrl: weather.url, timeout: TIMEOUT_MS, consent })
  world.write('assay.config.json', config)
  const { url, stop } = await startRecorder(world, ['--strict', '--json'])
  const through = world.write('through.json', { ...config, baseUrl: url })
  const words = ['certify', '--profile', 'quick', '--config', through, '--shard', `${shard}/${SHARDS}`, '--out', 'run']
  await world.assay(words, { longest: 290_000 })
  const { code, stdout } = await stop()
  return { code, summary: JSON.parse(stdout) as object }
}

const RECORDINGS = Object.entries(KINDS).flatMap(([name, forecast]) =>
  Array.from({ length: SHARDS }, (_, index) => [name, index + 1, forecast] as const),
)

describe.concurrent('traffic in bad weather', () => {
  test.for(RECORDINGS)(
    'with %s (%i) blames nobody: recorded, checked and replayed',
    { timeout: 600_000 },
    async ([, shard, forecast], { world }) => {
      const recorded = await record(world, forecast, shard)
      expect(recorded).toMatchObject({ code: 0, summary: { findings: [], problems: [] } })
      const checked = await world.assay(['check', 'rec', '--strict', '--out', 'checked'])
      const report = readReport(join(world.folder, 'checked'))
      expect(found(report, 'fail', 'warn', 'error')).toEqual([])
      expect(errorLines(checked)).toEqual([])
      expect(found(report, 'pass').length).toBeGreaterThan(40)
      // Other histories differ. But no rule is broken that the recording did not break.
      const replayed = await world.assay(['replay', 'rec', '--embedded', '--out', 'replayed'], { longest: 290_000 })
      expect(errorLines(replayed)).toEqual([])
      const { rules } = readReplay(join(world.folder, 'replayed'))
      expect(rules.findings.filter(({ fresh }) => fresh)).toEqual([])
    },
  )
})
