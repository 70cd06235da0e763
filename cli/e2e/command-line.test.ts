import { spawnSync } from 'node:child_process'
import { describe, expect } from 'vitest'
import { packageInfo } from '../../engine/package-info.ts'
import { test } from '../testing/world.ts'

describe('the command line', () => {
  test.concurrent('--help names every verb', async ({ world }) => {
    const { code, stdout, stderr } = await world.assay(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const verb of ['certify', 'init', 'serve', 'list', 'explain', 'gaps', 'cleanup']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${verb} `, 'm'))
    }
  })

  test.concurrent('--version is that of the package', async ({ world }) => {
    const { code, stdout } = await world.assay(['--version'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageInfo().version}\n` })
  })

  test.concurrent('an unknown verb is one line and exit code 2', async ({ world }) => {
    const { code, stdout, stderr } = await world.assay(['certifi'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      "error: unknown command 'certifi' (Did you mean certify?); `assay --help` shows what there is\n",
    )
  })
})

test('a current folder that is gone is one line and exit code 2', ({ world: { folder } }) => {
  const start = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" list'
  const program = new URL('../../dist/cli/main.js', import.meta.url).pathname
  const { status, stderr } = spawnSync('sh', ['-c', start, process.execPath, program], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'error: the current folder is gone; change into one that is there\n',
  })
})

test('a run without a folder for temporary files ends, in one line', async ({ world }) => {
  const args = ['certify', '--embedded', '--profile', 'quick', '--only', 'NODE-TITLE-MAX']
  const { code, stderr } = await world.assay(args, { env: { TMPDIR: '/nowhere/at/all' } })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'error: /nowhere/at/all: temporary files cannot be made there; set TMPDIR to a folder that can be written\n',
  })
})

describe('assay serve', () => {
  test.concurrent('answers under the credentials that it prints, and ends with 0 when it is told to', async ({
    world,
  }) => {
    const serving = world.start(['serve', '--json'])
    const [line] = await serving.said(/^\{.*\}$/m)
    const { url, credentials } = JSON.parse(line) as { url: string; credentials: Record<string, string> }
    const pipelines = new URL('/v3/pipeline', url)
    expect((await fetch(pipelines, { headers: { authorization: `Token ${credentials.accessToken}` } })).status).toBe(
      200,
    )
    expect((await fetch(pipelines)).ok).toBe(false)
    serving.child.kill('SIGTERM')
    expect((await serving.ended).code).toBe(0)
  })
})
