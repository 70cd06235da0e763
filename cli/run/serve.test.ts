import { describe, expect, test } from 'vitest'
import { run } from '../program.ts'
import { fakeIo } from '../testing.ts'
import { faultLines, faultsNamed } from './serve.ts'

describe('faults to serve with', () => {
  test('are listed with the requirement that each breaks, and what it does', async () => {
    const io = fakeIo({ columns: 200 })
    expect(await run(['serve', '--fault', 'list'], io)).toBe(0)
    expect(io.out()).toMatch(/^update-view-not-applied +VIEW-UPDATE +update-view is answered with success/m)
    expect((await faultLines(200)).length).toBeGreaterThan(1_000)
  })

  test('are found by their names, in the order given', async () => {
    const names = ['delete-pipeline-not-applied', 'update-view-not-applied']
    expect((await faultsNamed(names)).map(({ kills }) => kills[0])).toEqual(['PIPELINE-DELETE', 'VIEW-UPDATE'])
  })

  test('that are not there end it with a line for each', async () => {
    const io = fakeIo()
    expect(await run(['serve', '--fault', 'update-view-not-aplied', 'zzzzzzzzzzzzz'], io)).toBe(2)
    expect(io.err()).toMatch(
      /--fault: there is no fault "update-view-not-aplied"; did you mean update-view-not-applied/,
    )
    expect(io.err()).toMatch(/"zzzzzzzzzzzzz"; `assay serve --fault list` prints all of them/)
  })
})
