import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'

const BENCH = fileURLToPath(new URL('../../dist/bench/proxy/main.js', import.meta.url))

interface Compared {
  readonly code: unknown
  readonly lost: readonly number[]
  readonly said: string
}

/** A recording of some thousand exchanges at full speed, beside what the target itself noted. */
function compared(...words: string[]): Promise<Compared> {
  const args = [BENCH, '--only', 'faithful', '--quick', '--exchanges', '1000', '--json', ...words]
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, said) => {
      const figures = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
      const lost = figures.filter(({ name }) => name.endsWith('lost or changed')).map(({ value }) => value)
      resolve({ code: error?.code ?? 0, lost, said })
    })
  })
}

test.concurrent('at full speed no body is lost or changed', async ({ expect }) => {
  const { code, lost, said } = await compared()
  expect(lost, said).toEqual([0, 0])
  expect(code).toBe(0)
})

test.concurrent('bodies that are changed, such as by removing private words, end the benchmark with 1', async ({
  expect,
}) => {
  const { code, lost, said } = await compared('--keep', 'nothing')
  expect(lost.every((count) => count > 500)).toBe(true)
  expect(said).toMatch(/^LOST proxy: GET: bodies lost or changed: [\d,]+$/m)
  expect(code).toBe(1)
})
