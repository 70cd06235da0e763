import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { configOf, test } from '../testing/world.ts'
import { account } from './testing/account.ts'
import { errorLines, filesIn, readReport } from './testing/expectations.ts'
import { isGroupAlive } from './testing/groups.ts'
import { endsInOrder } from './testing/interrupted.ts'
import { journalIn, untilMade } from './testing/journals.ts'

describe('Ctrl-C in the middle of a run', () => {
  test.concurrent('as a terminal sends it, to all processes: a report, exit code 130, and everything removed', ({
    world,
  }) => endsInOrder(world, 'SIGINT', (pid) => -pid))

  test.concurrent('of the embedded target: it lives until all is removed, and ends with the run', async ({ world }) => {
    const running = world.start(['certify', '--embedded', '--profile', 'thorough'], { group: true })
    const out = join(world.folder, 'assay-report')
    await untilMade(out, 5)
    process.kill(-Number(running.child.pid), 'SIGINT')
    const ended = await running.ended
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 130, lines: [] })
    expect(readReport(out)).toMatchObject({ leftovers: [], problems: [] })
    expect(journalIn(out)).toBeUndefined()
    expect(isGroupAlive(running)).toBe(false)
  })

  test.concurrent('while nothing was made yet: it ends at once, and says so', async ({ world }) => {
    let asked = (): void => {}
    const first = new Promise<void>((resolve) => {
      asked = resolve
    })
    const url = await world.http(() => asked())
    const running = world.start(['certify', url, '--binding', 'reference', '--yes-modify-target'], { group: true })
    await first
    const sent = performance.now()
    process.kill(-Number(running.child.pid), 'SIGINT')
    const ended = await running.ended
    expect(ended.code).toBe(130)
    expect(errorLines(ended)).toEqual([expect.stringMatching(/^error: interrupted before the run began/)])
    expect(performance.now() - sent).toBeLessThan(5000)
    expect(filesIn(world.folder)).toEqual([])
  })

  test.concurrent('before the first case: the run stops all the same', async ({ world }) => {
    const served = await world.serve()
    const before = await account(served)
    world.write('assay.config.json', configOf(served))
    const running = world.start(['certify', '--profile', 'thorough'], { group: true })
    const out = join(world.folder, 'assay-report')
    await untilMade(out, 0)
    process.kill(-Number(running.child.pid), 'SIGINT')
    const ended = await running.ended
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 130, lines: [] })
    expect(readReport(out)).toMatchObject({ leftovers: [], problems: [] })
    expect(await account(served)).toEqual(before)
  })
})
