import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { configOf, test } from '../testing/world.ts'
import { account } from './testing/account.ts'
import { errorLines, filesIn, found, readReport } from './testing/expectations.ts'
import { isGroupAlive } from './testing/groups.ts'
import { journalIn, untilMade } from './testing/journals.ts'
import { forward } from './testing/listeners.ts'

describe('Ctrl-C in the middle of a run', () => {
  test.concurrent('as a terminal sends it, to all processes: a report, exit code 130, and everything removed', async ({
    world,
  }) => {
    const served = await world.serve()
    const before = await account(served)
    world.write('assay.config.json', configOf(served))
    const running = world.start(['certify', '--profile', 'thorough'], { group: true })
    const out = join(world.folder, 'assay-report')
    await untilMade(out, 5)
    expect(await account(served)).not.toEqual(before)
    process.kill(-Number(running.child.pid), 'SIGINT')
    const ended = await running.ended
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 130, lines: [] })
    expect(await account(served)).toEqual(before)
    expect(ended.stderr).toContain('stopping, and removing what was made')
    const report = readReport(out)
    expect(report).toMatchObject({ reason: expect.stringMatching(/^interrupted; /), leftovers: [], problems: [] })
    expect(report.verdict).not.toBe('conformant')
    expect(report.requests).toBeGreaterThan(20)
    expect(found(report, 'fail', 'error')).toEqual([])
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

  test.concurrent('while the report is written: it is written to its end', async ({ world, expect }) => {
    const served = await world.serve()
    world.write('assay.config.json', configOf(served))
    const running = world.start(['certify', '--profile', 'quick', '--only', 'NODE-TITLE-MAX'])
    const out = join(world.folder, 'assay-report')
    await untilMade(out, 0)
    // Writing waits here until somebody reads.
    const page = join(out, 'report.html')
    execFileSync('mkfifo', [page])
    await expect.poll(() => filesIn(out), { timeout: 120_000 }).toContain('junit.xml')
    running.child.kill('SIGINT')
    await running.said(/another Ctrl-C ends this at once/)
    expect(await readFile(page, 'utf8')).toMatch(/<\/html>\s*$/)
    const ended = await running.ended
    expect({ code: ended.code, lines: errorLines(ended) }).toEqual({ code: 130, lines: [] })
    expect(readReport(out)).toMatchObject({ leftovers: [], problems: [] })
    expect(journalIn(out)).toBeUndefined()
  })
})

test.concurrent('Ctrl-C of cleanup: one line says that the journal goes on, and it does', async ({ world }) => {
  const served = await world.serve()
  const before = await account(served)
  const config = world.write('assay.config.json', configOf(served))
  const killed = world.start(['certify', '--profile', 'thorough'])
  const out = join(world.folder, 'assay-report')
  await untilMade(out, 5)
  killed.child.kill('SIGKILL')
  await killed.ended
  const journal = journalIn(out) ?? ''
  let lets = false
  let asked = (): void => {}
  const first = new Promise<void>((resolve) => {
    asked = resolve
  })
  const onward = forward(served.url)
  const url = await world.http((request, response) => {
    asked()
    return lets ? onward(request, response) : undefined
  })
  writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll(served.url, url))
  const running = world.start(['cleanup', journal, '--config', config, '--target', url])
  await first
  running.child.kill('SIGTERM')
  expect(await running.ended).toMatchObject({
    code: 130,
    stdout: '',
    stderr: expect.stringMatching(/^error: interrupted; run the same command again.*\n$/m),
  })
  lets = true
  expect(await world.assay(['cleanup', journal, '--config', config, '--target', url])).toMatchObject({ code: 0 })
  expect(await account(served)).toEqual(before)
})
