import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultOverlay } from '../../../reference/faults/index.ts'
import { startReference } from '../../../reference/server.ts'
import { ALL_CONSENT, configOf, createWorld } from '../../testing/world.ts'
import { errorLines, readReplay } from '../testing/expectations.ts'
import { atRandom, type Forecast, startWeather, TENTH } from '../testing/weather.ts'

const TIMEOUT_MS = 3_000

const { world, close } = createWorld('replay-weather')

beforeAll(async () => {
  const words = ['certify', '--embedded', '--profile', 'quick', '--seed', '5', '--record', 'rec', '--out', 'run']
  expect((await world.assay(words)).code).toBeOneOf([0, 4])
}, 240_000)

afterAll(close)

/** Replays the run against a target in bad weather. */
async function replayed(
  name: string,
  forecast: Forecast,
  { seed = 7, overlays = [] }: { seed?: number; overlays?: ReturnType<typeof faultOverlay>[] } = {},
) {
  const reference = await startReference({ overlays })
  const weather = await startWeather(reference.url, { seed, timeout: TIMEOUT_MS, forecast })
  try {
    const config = world.write(
      `${name}.json`,
      configOf(reference, { baseUrl: weather.url, timeout: TIMEOUT_MS, consent: ALL_CONSENT }),
    )
    const ended = await world.assay(['replay', 'rec', '--config', config, '--out', name], { longest: 290_000 })
    const report = readReplay(join(world.folder, name))
    return { ended, report }
  } finally {
    await weather.close()
    await reference.close()
  }
}

const KINDS: Readonly<Record<string, Forecast>> = {
  'a tenth of all failures': TENTH,
  'a twentieth of 500': atRandom({ '500': 50 }),
  'a quarter of 500': atRandom({ '500': 125, '500-done': 125 }),
  'a quarter of 502 and 503': atRandom({ '502': 125, '503': 125 }),
  'a quarter of resets': atRandom({ reset: 125, 'reset-done': 125 }),
  'a quarter of cut responses': atRandom({ cut: 250 }),
  'a quarter of slow responses, some too slow': atRandom({ slow: 245, 'too-slow': 5 }),
  'requests that are carried out late': atRandom({ late: 100 }),
  'everything at once': atRandom({
    ...{ '429': 20, '500': 40, '502': 40, '503': 40, reset: 30, '500-done': 20, '504-done': 20, 'reset-done': 10 },
    ...{ cut: 20, slow: 50, late: 5, close: 50 },
  }),
}

describe('a replay in bad weather', () => {
  test.for(Object.entries(KINDS))('of %s blames nobody', { timeout: 300_000 }, async ([, forecast]) => {
    const { ended, report } = await replayed('bad', forecast)
    expect(errorLines(ended)).toEqual([])
    expect(report.differences).toEqual([])
    expect(report.rules.findings.filter(({ fresh }) => fresh)).toEqual([])
    expect({ broke: report.broke, code: ended.code }).toEqual({ broke: '', code: 4 })
    // Most of it is compared all the same.
    expect(report.counts.compared).toBeGreaterThan(0.5 * report.counts.sent)
    expect(ended.stdout).toMatch(/\d since the target failed for a moment/)
  })

  test('hides nothing where the weather is good', async () => {
    const { ended, report } = await replayed('good', () => undefined)
    expect({ code: ended.code, differences: report.differences }).toEqual({ code: 0, differences: [] })
    expect(report.counts.weather).toBe(0)
  })
})

/** One request in 30. The things that it should have changed are uncertain, so the faults show in many. */
const MILD = atRandom({ '503': 20, reset: 5, 'reset-done': 5, '500': 5 })

/** Faults, and the operation whose responses they change. */
const FAULTS: Readonly<Record<string, string>> = {
  'list-enterprise-keys/0/created/type-number': 'list-enterprise-keys',
  'list-enterprise-keys-broken': 'list-enterprise-keys',
  'delete-exclusion-broken': 'delete-exclusion',
}

describe('mild bad weather', () => {
  test.for(Object.entries(FAULTS))('does not hide the fault %s', { timeout: 300_000 }, async ([fault, operation]) => {
    const { ended, report } = await replayed('fault', MILD, { overlays: [faultOverlay(fault)] })
    expect(report.differences.map((one) => one.operation)).toContain(operation)
    expect(ended.code).toBe(1)
  })
})
