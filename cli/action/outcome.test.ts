import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { watchOutcome } from './action.ts'

const out = ownFolder()

/** As reports are written: whole, under a name that is given at the end. */
function write(name: string, text: string): void {
  writeFileSync(join(out, `${name}.tmp`), text)
  renameSync(join(out, `${name}.tmp`), join(out, name))
}
const report = (verdict: string): void => write('report.json', JSON.stringify({ verdict }))
const NONE = { verdict: '', report: '', summary: '' }

describe('what a command left', () => {
  test.each([0, 1, 4, 5, 130])('is told after exit code %i', (code) => {
    const outcomeOf = watchOutcome(out)
    report('partial')
    write('summary.md', 'new')
    expect(outcomeOf(code)).toEqual({ verdict: 'partial', report: join(out, 'report.json'), summary: 'new' })
  })
  test('is nothing where an earlier report still stands', () => {
    report('conformant')
    write('summary.md', 'old')
    const outcomeOf = watchOutcome(out)
    for (const code of [0, 1, 2, 3, 4, 5, 130]) expect(outcomeOf(code)).toEqual(NONE)
  })
  test('is what it wrote over an earlier report, though that says the same', () => {
    report('conformant')
    write('summary.md', 'same')
    const outcomeOf = watchOutcome(out)
    report('conformant')
    expect(outcomeOf(0)).toMatchObject({ verdict: 'conformant', summary: '' })
    write('summary.md', 'same')
    expect(outcomeOf(0)).toMatchObject({ summary: 'same' })
  })
  test.each([2, 3])('is nothing after exit code %i, and where there is no folder', (code) => {
    const outcomeOf = watchOutcome(out)
    report('partial')
    expect(outcomeOf(code)).toEqual(NONE)
    expect(watchOutcome(join(out, 'nowhere'))(0)).toEqual(NONE)
  })
})
