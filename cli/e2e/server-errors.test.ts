import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Report, ServerErrorKind } from '../../schemas/types/report.ts'
import { run } from '../program.ts'
import { configOf, test } from '../testing/world.ts'
import { fakeIo } from '../testing.ts'
import { readReport } from './testing/expectations.ts'
import { always, forward } from './testing/listeners.ts'

const ONLY = ['--profile', 'quick', '--seed', '3', '--only', 'AUTH-V1-REQUIRED', '--allow-partial']

test('server errors are shown everywhere, and count where they are asked to', { timeout: 240_000 }, async ({
  world,
}) => {
  const served = await world.serve()
  const onward = forward(served.url)
  const url = await world.http((request, response) => {
    const bare = request.headers.authorization === undefined && request.headers.servicekey === undefined
    const listener = bare && request.url?.startsWith('/v1/usage/tags') ? always(500, '{"error":"oops"}') : onward
    listener(request, response)
  })
  world.write('assay.config.json', configOf(served, { baseUrl: url }))
  const out = join(world.folder, 'report')
  const said = async (...args: string[]): Promise<{ code: number; text: string }> => {
    const io = fakeIo({ cwd: world.folder })
    const code = await run(args, io)
    return { code, text: io.out() + io.err() }
  }
  const bundle = join(world.folder, 'run.tar.gz')
  const plain = await world.assay(['certify', ...ONLY, '--out', 'report', '--bundle', bundle])
  expect(plain.code).toBe(0)
  expect(plain.stdout).toMatch(
    /SERVER ERRORS 5 server errors; the first came after create-\S+.*\n.*break no requirement/,
  )
  const report = readReport(out)
  expect(report.verdict).toBe('partial')
  const kind: Partial<ServerErrorKind> = {
    operation: 'list-usage-by-tag',
    kind: 'credentials: none',
    // The same request is sent again before its error counts.
    count: 5,
    statuses: [500],
  }
  expect(report.serverErrors).toMatchObject({ count: 5, retried: 0, kinds: [kind] })
  expect(report.serverErrors?.kinds[0]?.smallest).toMatchObject({
    method: 'GET',
    responseBody: expect.stringMatching(/^\{"error":"[a-z]{4}"\}$/),
  })
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('server error: list-usage-by-tag, credentials: none')
  expect((await said('report', 'render', out, '--format', 'markdown')).text).toContain('### Server errors: 5')

  expect(await world.assay(['verify', bundle])).toMatchObject({ code: 0 })
  const checked = await said(
    'check',
    join(out, 'evidence'),
    '--out',
    'checked',
    '--allow-partial',
    '--fail-on',
    'server-error',
  )
  expect(checked).toMatchObject({ code: 1, text: expect.stringContaining('failed: there are server errors') })
  expect(readReport(join(world.folder, 'checked')).serverErrors).toEqual(report.serverErrors)

  const strict: Report = { ...report, failOn: ['server-error'] }
  const { basis } = report
  if (!basis) throw new Error('the report has no basis')
  const runs = basis.runs.map((one) => ({ ...one, prefix: 'assay-other' }))
  const other: Report = { ...report, basis: { ...basis, runs } }
  const parts = [world.write('a/report.json', strict), world.write('b/report.json', other)]
  expect(await said('report', 'merge', ...parts, '--out', 'merged', '--allow-partial')).toMatchObject({ code: 1 })
  expect(readReport(join(world.folder, 'merged')).serverErrors).toMatchObject({ count: 10, kinds: [{ count: 10 }] })
  expect((await said('report', 'compare', ...parts)).text).toContain('5 server errors')

  world.write('strict.json', { ...configOf(served, { baseUrl: url }), failOn: ['server-error'] })
  const failed = await world.assay(['certify', ...ONLY, '--config', 'strict.json', '--out', 'again'])
  expect(failed.code).toBe(1)
  expect(readReport(join(world.folder, 'again'))).toMatchObject({ verdict: 'partial', failOn: ['server-error'] })
  expect(await said('certify', url, '--fail-on', 'server-errors')).toMatchObject({
    code: 2,
    text: expect.stringContaining('--fail-on: "server-errors" is unknown'),
  })
})
