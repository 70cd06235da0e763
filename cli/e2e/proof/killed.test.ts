import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { configOf, test } from '../../testing/world.ts'
import { account } from '../testing/account.ts'
import { errorLines } from '../testing/expectations.ts'
import { contentOf, journalIn, untilMade } from '../testing/journals.ts'

describe('assay cleanup', () => {
  test('removes what a killed run left, once, whatever became of the last line of its journal', async ({ world }) => {
    const served = await world.serve()
    const before = await account(served)
    const config = world.write('assay.config.json', configOf(served))
    const running = world.start(['certify', '--profile', 'thorough'])
    const out = join(world.folder, 'assay-report')
    await untilMade(out, 10)
    running.child.kill('SIGKILL')
    expect((await running.ended).code).toBeNull()

    // The exchanges that it had sent by then can be judged, and are reported as cut.
    const checked = await world.assay(['check', join(out, 'evidence'), '--config', config, '--out', 'checked'])
    expect(checked.stderr).toMatch(/exchanges-0\.ndjson was not closed: whatever wrote it was killed/)
    expect(checked.stdout).toMatch(/segments that were not closed: 1/)

    const journal = journalIn(out) ?? ''
    const { remaining, header } = contentOf(journal)
    expect(remaining.length).toBeGreaterThanOrEqual(10)
    expect(header).toMatchObject({ baseUrl: served.url, binding: 'reference' })
    const left = await account(served)
    expect(left).not.toEqual(before)
    // every thing of the run that the target has is in the journal
    const names = new Set(JSON.stringify([...left]).match(new RegExp(`${header.prefix}-[a-z0-9-]+`, 'g')))
    expect(names.size).toBeGreaterThan(0)
    const text = readFileSync(journal, 'utf8')
    for (const name of names) expect(text).toContain(name)

    // a write that a crash cut off
    writeFileSync(journal, `${text}{"type":"making","entry":"x#1","resou`)
    const kept = join(world.folder, 'kept.ndjson')
    copyFileSync(journal, kept)
    const first = await world.assay(['cleanup', journal, '--config', config])
    expect({ code: first.code, lines: errorLines(first), left: first.stdout.match(/^left: .*/m) }).toEqual({
      code: 0,
      lines: [],
      left: null,
    })
    expect(first.stdout).toMatch(/^removed (\d+) of \1 from http/)
    expect(await account(served)).toEqual(before)

    const second = await world.assay(['cleanup', journal, '--config', config])
    expect({ code: second.code, lines: errorLines(second) }).toEqual({ code: 0, lines: [] })
    expect(second.stdout).toMatch(/^removed 0 of 0 from http/)

    // a journal that does not know yet that all is gone: nothing is found, nothing is left
    const third = await world.assay(['cleanup', kept, '--config', config, '--json'])
    expect(third.code).toBe(0)
    expect(JSON.parse(third.stdout)).toMatchObject({ left: [] })
    expect(await account(served)).toEqual(before)
  })
})
