import { describe, expect, test } from 'vitest'
import { run } from '../program.ts'
import { fakeIo } from '../testing.ts'

async function said(...args: string[]): Promise<string> {
  const io = fakeIo()
  expect(await run(['replay', 'nowhere', '--target', 'http://127.0.0.1:1', ...args], io)).toBe(2)
  return io.err()
}

describe('what a replay is asked for', () => {
  test.each([
    ['--concurrency', '1.5', '"1.5" is not a whole number of at least 1'],
    ['--concurrency', '0', '"0" is not a whole number of at least 1'],
    ['--timeout', 'soon', '"soon" is not a whole number of at least 1'],
    ['--speed', 'fast', '"fast" is not a number of at least 0.001; or recorded, or max'],
    ['--speed', '0', '"0" is not a number of at least 0.001; or recorded, or max'],
    ['--speed', '-2', '"-2" is not a number of at least 0.001; or recorded, or max'],
    ['--speed', '', '"" is not a number of at least 0.001; or recorded, or max'],
    ['--shard', '0/3', '"0/3" is not a part of a replay; 2/8 is the second of eight shards'],
    ['--shard', '4/3', '"4/3" is not a part of a replay; 2/8 is the second of eight shards'],
    ['--shard', '1.5/3', '"1.5/3" is not a part of a replay; 2/8 is the second of eight shards'],
  ])('%s %s', async (option, text, what) => {
    expect(await said(`${option}=${text}`)).toBe(`error: ${option}: ${what}\n`)
  })

  test('all that is wrong is told at once', async () => {
    const told = await said('--concurrency', 'x', '--speed', 'x', '--shard', 'x')
    expect(told.match(/--(concurrency|speed|shard): /g)).toHaveLength(3)
  })
})
