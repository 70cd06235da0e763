import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { readSegments } from '../../../fixtures/segments/read.ts'
import { startReference } from '../../../reference/server.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { configOf, test, type World } from '../../testing/world.ts'
import { account } from '../testing/account.ts'
import { errorLines, found, readReport } from '../testing/expectations.ts'
import { NUMBER, type Passed, startWeather, TENTH, type Weather } from '../testing/weather.ts'

const TIMEOUT_MS = 3_000
/** Milliseconds by which the clocks of both sides may differ: each rounds, and a request is under way for a moment. */
const CLOCKS_MS = 10
const consent = { modifyTarget: true, exclusions: true, suspend: true, archiving: true, allowOwnerDeletion: true }

/** Starts the reference behind something that lets a tenth of all exchanges fail, and writes a configuration for both. */
async function start(world: World, seed: number): Promise<{ weather: Weather; left: () => Promise<string[]> }> {
  const reference = await startReference()
  world.onClose(reference.close)
  const weather = await startWeather(reference.url, { seed, timeout: TIMEOUT_MS, forecast: TENTH })
  world.onClose(weather.close)
  world.write('assay.config.json', configOf(reference, { baseUrl: weather.url, timeout: TIMEOUT_MS, consent }))
  return {
    weather,
    left: async () => JSON.stringify([...(await account(reference))]).match(/assay-[0-9a-f]{6}-[a-z0-9-]+/g) ?? [],
  }
}

async function evidenceIn(folder: string): Promise<Exchange[]> {
  const all: Exchange[] = []
  for await (const exchange of readSegments<Exchange>(folder, 'exchanges')) all.push(exchange)
  return all
}

/** How often each kind of failure was made, and how often it was seen. */
function counted(all: readonly Passed[], evidence: readonly Exchange[]): Record<'made' | 'seen', object> {
  // Preflight is no evidence.
  const begun = Math.min(...evidence.map(({ _start }) => _start)) - CLOCKS_MS
  const passed = all.filter(({ receivedAt }) => receivedAt >= begun)
  const made = (...troubles: string[]): number => passed.filter(({ trouble = '' }) => troubles.includes(trouble)).length
  const seen = (...outcomes: string[]): number => evidence.filter(({ _outcome }) => outcomes.includes(_outcome)).length
  const late = lateOnes(passed, evidence)
  return {
    made: {
      errors: made('500', '502', '503', '500-done', '504-done', 'late') - late.filter(({ trouble }) => trouble).length,
      broken: made('reset', 'reset-done', 'cut'),
      late: made('too-slow') + late.length,
      others: 0,
    },
    seen: {
      errors: evidence.filter(({ _outcome, response }) => _outcome === 'complete' && response.status >= 500).length,
      broken: seen('reset', 'truncated'),
      late: seen('timeout'),
      others: seen('refused', 'too-large', 'protocol-error', 'interrupted'),
    },
  }
}

/**
 * Responses that nobody held back, and that the client gave up waiting for. On a busy machine they are sent late, or the
 * client itself stands still. Any other response has to be in the evidence.
 */
function lateOnes(passed: readonly Passed[], evidence: readonly Exchange[]): readonly Passed[] {
  const received = new Set(
    evidence.flatMap(({ _outcome, response }) =>
      _outcome === 'complete' ? response.headers.flatMap(({ name, value }) => (name === NUMBER ? [value] : [])) : [],
    ),
  )
  const lost = passed.filter(
    ({ number, trouble = '' }) => !received.has(number) && !/^(?:reset|reset-done|cut|too-slow)$/.test(trouble),
  )
  const givenUp = evidence.filter(({ _outcome }) => _outcome === 'timeout')
  for (const { number, receivedAt, sentAt = Number.POSITIVE_INFINITY } of lost) {
    const why = givenUp.filter(
      ({ _start, _stalled = 0 }) =>
        receivedAt >= _start - CLOCKS_MS && (sentAt >= _start + TIMEOUT_MS - CLOCKS_MS || _stalled > 0),
    )
    expect(why, `response ${number} was sent in time, and nobody saw it`).not.toEqual([])
  }
  return lost
}

const QUICK = Array.from({ length: 44 }, (_, index) => [index + 1, 'quick'] as const)
const STANDARD = Array.from({ length: 6 }, (_, index) => [index + 101, 'standard'] as const)

describe.concurrent('a target of which a tenth of all exchanges fails, some of them though the request was carried out', () => {
  test.for([...QUICK, ...STANDARD])(
    'is blamed for nothing, seed %i, profile %s',
    { timeout: 600_000 },
    async ([seed, profile], { world }) => {
      const { weather, left } = await start(world, seed)
      const ended = await world.assay(['certify', '--profile', profile, '--seed', String(seed)], { longest: 590_000 })
      const report = readReport(join(world.folder, 'assay-report'))
      expect(found(report, 'fail', 'warn', 'error')).toEqual([])
      expect({ lines: errorLines(ended), problems: report.problems }).toEqual({ lines: [], problems: [] })
      // Some requests that nobody may repeat fail, so that most often something is not run.
      expect(ended.code).toBeOneOf([0, 4])
      // It is no reason to look away: most is found to hold all the same.
      expect(found(report, 'pass').length).toBeGreaterThan(270)

      const evidence = await evidenceIn(join(world.folder, 'assay-report', 'evidence'))
      const { made, seen } = counted(weather.passed, evidence)
      expect(seen).toEqual(made)
      const { serverErrors = 0, unanswered = 0, repeated = 0 } = report.failures ?? {}
      expect({ serverErrors, unanswered }).toEqual({
        serverErrors: evidence.filter(({ _outcome, response }) => _outcome === 'complete' && response.status >= 500)
          .length,
        unanswered: evidence.filter(({ _outcome }) => _outcome !== 'complete').length,
      })
      expect(repeated).toBeGreaterThan(100)
      expect(ended.stdout.replaceAll(/\s+/g, ' ')).toMatch(
        / [\d,]+ server errors, \d+ requests without a whole response, [\d,]+ requests sent again /,
      )

      // Leftovers were made late, or their name was never told. The run knows the others, which can be removed on a
      // good day.
      weather.end()
      expect(report.leftovers.length).toBeLessThan(15)
      expect((await left()).length).toBeLessThan(60)
    },
  )
})
