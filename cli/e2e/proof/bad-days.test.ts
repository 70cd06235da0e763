import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { startReference } from '../../../reference/server.ts'
import { configOf, test, type World } from '../../testing/world.ts'
import { account } from '../testing/account.ts'
import { type BadDay, badDay, TENTH } from '../testing/bad-day.ts'
import { errorLines, found, readReport } from '../testing/expectations.ts'

const TIMEOUT_MS = 3_000
const consent = { modifyTarget: true, exclusions: true, suspend: true, archiving: true, allowOwnerDeletion: true }

/** Starts the reference behind something that lets a tenth of all exchanges fail, and writes a configuration for both. */
async function start(world: World, seed: number): Promise<{ day: BadDay; left: () => Promise<string[]> }> {
  const reference = await startReference()
  world.onClose(reference.close)
  const day = badDay(reference.url, { seed, timeout: TIMEOUT_MS, of1000: TENTH })
  const baseUrl = await world.http(day.listener)
  world.write('assay.config.json', configOf(reference, { baseUrl, timeout: TIMEOUT_MS, consent }))
  return {
    day,
    left: async () => JSON.stringify([...(await account(reference))]).match(/assay-[0-9a-f]{6}-[a-z0-9-]+/g) ?? [],
  }
}

const QUICK = Array.from({ length: 44 }, (_, index) => [index + 1, 'quick'] as const)
const STANDARD = Array.from({ length: 6 }, (_, index) => [index + 101, 'standard'] as const)

describe('a target of which a tenth of all exchanges fails, some of them though the request was carried out', () => {
  test.for([...QUICK, ...STANDARD])(
    'is blamed for nothing, seed %i, profile %s',
    { timeout: 600_000 },
    async ([seed, profile], { world }) => {
      const { day, left } = await start(world, seed)
      const ended = await world.assay(['certify', '--profile', profile, '--seed', String(seed)], { longest: 590_000 })
      const report = readReport(join(world.folder, 'assay-report'))
      expect(found(report, 'fail', 'warn', 'error')).toEqual([])
      expect({ lines: errorLines(ended), problems: report.problems }).toEqual({ lines: [], problems: [] })
      // Some requests that nobody may repeat fail, so that most often something is not run.
      expect(ended.code).toBeOneOf([0, 4])
      // It is no reason to look away: most is found to hold all the same.
      expect(found(report, 'pass').length).toBeGreaterThan(270)

      const made = (kind: RegExp): number =>
        [...day.counts].reduce((sum, [trouble, count]) => sum + (kind.test(trouble) ? count : 0), 0)
      const { serverErrors = 0, unanswered = 0, repeated = 0 } = report.failures ?? {}
      // Preflight has some of them, too.
      expect(made(/^5|late/) - serverErrors).toBeOneOf([0, 1, 2, 3, 4, 5, 6])
      expect(made(/reset|cut|too-slow/) - unanswered).toBeOneOf([0, 1, 2, 3])
      expect(repeated).toBeGreaterThan(100)
      expect(ended.stdout.replaceAll(/\s+/g, ' ')).toMatch(
        / [\d,]+ server errors, \d+ requests without a whole response, [\d,]+ requests sent again /,
      )

      // Leftovers were made late, or their name was never told. The run knows the others, which can be removed on a
      // good day.
      day.end()
      expect(report.leftovers.length).toBeLessThan(15)
      expect((await left()).length).toBeLessThan(60)
    },
  )
})
