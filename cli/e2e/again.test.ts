import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { faultOverlay } from '../../reference/faults/index.ts'
import { startReference } from '../../reference/server.ts'
import { configOf, test } from '../testing/world.ts'
import { readReport } from './testing/expectations.ts'

/** What a person gets who pastes a line into a shell. */
function pasted(line: string, cwd: string): Promise<{ code: number; stdout: string }> {
  return new Promise((done) => {
    execFile('/bin/sh', ['-c', line], { cwd, env: { PATH: process.env.PATH } }, (thrown, stdout) =>
      done({ code: thrown === null ? 0 : Number(thrown.code), stdout }),
    )
  })
}

test('the command under a finding fails while the target does, passes once it is mended, and leaves the whole report', async ({
  world,
}) => {
  const faulty = await startReference({ overlays: [faultOverlay('node/title/maxLength-513')] })
  world.onClose(faulty.close)
  const { url, credentials, resources } = faulty
  world.write('my config.json', configOf({ url, credentials, resources }, { failOn: ['server-error'] }))
  const run = ['certify', '--config', 'my config.json', '--profile', 'quick', '--seed', '5', '--out', 'my report']
  const ended = await world.assay([...run, '--only', 'NODE-TITLE-MAX', 'NODE-TITLE-MIN'])
  expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 1 })
  const folder = join(world.folder, 'my report')
  const [finding] = readReport(folder).requirements.flatMap(({ findings }) => findings)
  expect(readReport(folder)).toMatchObject({ failOn: ['server-error'] })
  const whole = readFileSync(join(folder, 'report.json'), 'utf8')

  const first = await pasted(finding?.reproduce ?? '', world.folder)
  expect(first).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAIL +NODE-TITLE-MAX/m) })
  expect(first.stdout).not.toMatch(/NOT RUN|NODE-TITLE-MIN/)
  expect(readFileSync(join(folder, 'report.json'), 'utf8')).toBe(whole)
  expect(readReport(join(world.folder, 'my report-again'))).toMatchObject({ only: ['NODE-TITLE-MAX'] })

  const mended = await world.serve()
  world.write('my config.json', configOf(mended))
  const second = await pasted(finding?.reproduce ?? '', world.folder)
  expect(second).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^passed: .*the selected requirement,\s+NODE-TITLE-MAX$/m),
  })
})
