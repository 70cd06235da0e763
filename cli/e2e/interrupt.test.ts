import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { configOf, test } from '../testing/world.ts'
import { account } from './testing/account.ts'
import { errorLines, filesIn, readReport } from './testing/expectations.ts'
import { isGroupAlive } from './testing/groups.ts'
import { journalIn, untilMade } from './testing/journals.ts'

describe('Ctrl-C in the middle of a run', () => {
  test.concurrent.for<[to: string, signal: NodeJS.Signals, target: (pid: number) => number]>([
    ['to all processes, as a terminal sends it', 'SIGINT', (pid) => -pid],
    ['to assay alone', 'SIGINT', (pid) => pid],
    ['as SIGTERM', 'SIGTERM', (pid) => pid],
  ])('%s: a report of what was done, exit code 130, and everything removed', async ([, signal, to], { world }) => {
    const served = await world.serve()
    const before = await account(served)
    world.write('assay.config.json', configOf(served))
    const running = world.start(['certify', '--profile', 'thorough'], { group: true })
    const out = join(world.folder, 'assay-report')
    await untilMade(out, 5)
    expect(await account(served)).not.toEqual(before)
    process.kill(to(Number(running.child.pid)), signal)
    const ended = await running.ended

    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 130, lines: [] })
    expect(await account(served)).toEqual(before)
    expect(ended.stderr).toContain('stopping: what was made is being removed')
    const report = readReport(out)
    expect(report).toMatchObject({ reason: expect.stringMatching(/^interrupted; /), leftovers: [], problems: [] })
    expect(report.verdict).not.toBe('conformant')
    expect(report.requests).toBeGreaterThan(20)
    expect(report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([])
    expect(journalIn(out)).toBeUndefined()
    expect(filesIn(out)).toEqual(expect.arrayContaining(['junit.xml', 'report.json']))
    expect(ended.stdout).toContain('wrote ')
    expect(isGroupAlive(running)).toBe(false)
  })

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
