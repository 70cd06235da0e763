import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect } from 'vitest'
import { packageInfo } from '../../engine/package-info.ts'
import { MAIN } from '../testing/program.ts'
import { type Served, test } from '../testing/world.ts'

test.concurrent('--version is that of the package', async ({ world }) => {
  const { code, stdout } = await world.assay(['--version'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageInfo().version}\n` })
})

/** Runs a line of a shell, in which `"$0" "$1"` is the program. */
function inShell(line: string, cwd: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line, process.execPath, MAIN], { cwd, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('a current folder that is gone is one line and exit code 2', ({ world: { folder } }) => {
  expect(inShell('mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" list', folder)).toEqual({
    status: 2,
    stdout: '',
    stderr: 'error: the current folder is gone; change into one that is there\n',
  })
})

test('a reader that has seen enough is no error', ({ world: { folder } }) => {
  // The reader leaves long before there is as much as a pipe holds.
  expect(inShell('{ "$0" "$1" openapi; echo $? >code; } | true; cat code', folder)).toEqual({
    status: 0,
    stdout: '0\n',
    stderr: '',
  })
})

test.runIf(existsSync('/dev/full'))(
  'output that cannot be written is one line and exit code 2',
  ({ world: { folder } }) => {
    expect(inShell('exec "$0" "$1" openapi >/dev/full', folder)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: standard output: cannot be written (ENOSPC)\n',
    })
  },
)

test.runIf(existsSync('/dev/full'))(
  'so is output that could not be written while there was more to do',
  ({ world: { folder } }) => {
    const serve = '"$0" "$1" serve >/dev/full 2>said & until grep -q written said; do sleep 0.1; done; kill $!; wait $!'
    expect(inShell(serve, folder)).toMatchObject({ status: 2 })
  },
)

test('a fault that nobody waited for ends the program at once, in one line', async ({ world }) => {
  const fault = `
    const timer = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0) return
      clearInterval(timer)
      throw new TypeError('nobody waited')
    })`
  const { code, stderr } = await world.assay(['serve'], {
    node: ['--import', `data:text/javascript,${encodeURIComponent(fault)}`],
  })
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: 'error: assay itself failed: TypeError: nobody waited; set ASSAY_DEBUG=1 to see where\n',
  })
})

test('a run needs no folder for temporary files', async ({ world }) => {
  const args = ['certify', '--embedded', '--profile', 'quick', '--only', 'NODE-TITLE-MAX']
  expect((await world.assay(args, { env: { TMPDIR: '/nowhere/at/all' } })).code).toBe(0)
})

test.concurrent('serve answers under the credentials that it prints, and ends with 0 when it is told to', async ({
  world,
}) => {
  const serving = world.start(['serve', '--json'])
  const [line] = await serving.said(/^\{.*\}$/m)
  const { url, credentials } = JSON.parse(line) as Served
  const pipelines = new URL('/v3/pipeline', url)
  const headers = { authorization: `Token ${credentials.accessToken}` }
  expect((await fetch(pipelines, { headers })).status).toBe(200)
  expect((await fetch(pipelines)).ok).toBe(false)
  const second = await world.assay(['serve', '--port', new URL(url).port])
  expect(second).toMatchObject({ code: 2, stdout: '' })
  expect(second.stderr).toMatch(/^error: .*something listens there already; choose another --port/)
  serving.child.kill('SIGTERM')
  expect((await serving.ended).code).toBe(0)
})
