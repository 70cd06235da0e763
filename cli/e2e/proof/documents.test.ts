import { describe, expect } from 'vitest'
import { DAILY, documentsToRun, follow } from '../../testing/follow.ts'
import { test } from '../../testing/world.ts'

describe('commands that are marked with `run`', { timeout: 240_000 }, () => {
  const paths = documentsToRun().filter((path) => !DAILY.has(path))

  test('stand in more documents than those that are tried every day', () => {
    expect(paths).toEqual(expect.arrayContaining(['docs/certify.md', 'docs/ci.md', 'docs/replay.md']))
  })

  test.for(paths)('do in their order what %s says', async (path, { world }) => {
    expect(await follow(path, world)).toEqual([])
  })
})
