import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { TargetConfig } from '../../../schemas/types/config.ts'
import { configOf, test } from '../../testing/world.ts'
import { errorLines, filesIn, found, readReport } from '../testing/expectations.ts'
import { always, breaksOff, forward, hangsUp, silent } from '../testing/listeners.ts'

// A target that hangs is given its time.
describe('a target that answers reads well, and every write', { timeout: 120_000 }, () => {
  const features: TargetConfig['features'] = ['preset-alerts', 'usage-by-tag']
  // what hangs is waited for once, by all cases at the same time
  const patience = ['--timeout', '3000', '--concurrency', '128']

  test.concurrent.for<[name: string, listener: RequestListener, said: string]>([
    ['400', always(400, '{"error":"no","code":"BadRequest","status":"error"}'), '400'],
    ['not at all', silent, 'timeout'],
    ['half', breaksOff, ''],
    ['with a closed connection', hangsUp, 'reset'],
  ])('%s: invalid, without a finding, and says what was answered', async ([, listener, said], { world }) => {
    const served = await world.serve()
    const onward = forward(served.url)
    const url = await world.http((request, response) =>
      (request.method === 'GET' ? onward : listener)(request, response),
    )
    world.write('assay.config.json', configOf(served, { baseUrl: url, features }))
    const ended = await world.assay(['certify', '--profile', 'quick', ...(listener === silent ? patience : [])])
    expect(errorLines(ended)).toEqual([])
    // Where no good request with a body is taken, hardly anything was looked at.
    const invalid = /^invalid: served: none of \d+ good requests with a body succeeded/m
    expect({ code: ended.code, last: ended.stdout }).toEqual({ code: 5, last: expect.stringMatching(invalid) })
    const report = readReport(join(world.folder, 'assay-report'))
    expect(found(report, 'fail', 'warn', 'error')).toEqual([])
    expect(report).toMatchObject({ verdict: 'invalid', leftovers: [], problems: [] })
    const made = report.requirements.find(({ id }) => id === 'PRESET-CREATE-MAKES')
    expect(made?.verdict).toBe('not-run')
    // The request and what it got follow.
    const why = `no-resource: create-preset-alert is answered with ${said === '' ? 'truncated' : said}`
    expect(report.requirements.some(({ reason }) => reason.startsWith(why))).toBe(true)
    expect(filesIn(world.folder).filter((path) => path.includes('journal'))).toEqual([])
  })
})
