import { join } from 'node:path'
import { expect } from 'vitest'
import { configOf, type World } from '../../testing/world.ts'
import { account } from './account.ts'
import { errorLines, filesIn, readReport } from './expectations.ts'
import { isGroupAlive } from './groups.ts'
import { journalIn, untilMade } from './journals.ts'

/** Sends a signal to a run that has made things, and looks at what it leaves. `to`: whom, by the program's process id. */
export async function endsInOrder(world: World, signal: NodeJS.Signals, to: (pid: number) => number): Promise<void> {
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
  expect(ended.stderr).toContain('stopping, and removing what was made')
  const report = readReport(out)
  expect(report).toMatchObject({ reason: expect.stringMatching(/^interrupted; /), leftovers: [], problems: [] })
  expect(report.verdict).not.toBe('conformant')
  expect(report.requests).toBeGreaterThan(20)
  expect(report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([])
  expect(journalIn(out)).toBeUndefined()
  expect(filesIn(out)).toEqual(expect.arrayContaining(['junit.xml', 'report.json']))
  expect(ended.stdout).toContain('wrote ')
  expect(isGroupAlive(running)).toBe(false)
}
