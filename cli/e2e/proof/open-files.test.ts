import { execFile } from 'node:child_process'
import { describe, expect } from 'vitest'
import { MAIN } from '../../testing/program.ts'
import { test, type World } from '../../testing/world.ts'

/** Runs `assay <args>` where a process may have so many files open. */
function limited(world: World, limit: number, args: readonly string[]): Promise<{ code: number; stderr: string }> {
  const script = `ulimit -n ${limit} && exec "$@"`
  return new Promise((resolve) => {
    const words = ['-c', script, 'sh', process.execPath, MAIN, ...args]
    execFile('sh', words, { cwd: world.folder }, (error, _stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stderr })
    })
  })
}

describe('a process that may have 64 files open', () => {
  test.concurrent.for<[string, string[]]>([
    ['certify', ['certify', '--embedded', '--profile', 'quick']],
    ['record', ['record', '--target', 'http://127.0.0.1:9', '--listen', '127.0.0.1:0']],
  ])('ends %s with one clear line', { timeout: 120_000 }, async ([verb, args], { world }) => {
    const { code, stderr } = await limited(world, 64, args)
    expect(stderr).toBe(
      'error: this process may open no more files and connections (EMFILE); raise the limit, such as with `ulimit -n 4096`, and start again\n',
    )
    expect({ verb, code }).toEqual({ verb, code: 2 })
  })
})

test('a process that may not even open what it consists of ends with one clear line', async ({ world }) => {
  for (const files of [20, 22, 24, 26, 28, 30, 32, 36]) {
    const { code, stderr } = await limited(world, files, ['check', 'recording'])
    // How far it comes depends on how many files it consists of.
    expect(stderr).toMatch(
      /^error: (there are too few files that may be open to start with|this process may open no more files and connections) \(EMFILE\); raise the limit, such as with `ulimit -n 4096`, and start again\n$/,
    )
    expect(code).toBe(2)
  }
})
