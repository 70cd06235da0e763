import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { JUDGING } from './v8-tuning.ts'

test('this engine knows each setting: it says nothing against one', () => {
  const said = (flags: readonly string[]): string =>
    spawnSync(process.execPath, [...flags, '-e', '0']).stderr.toString()
  expect(said(JUDGING)).toBe('')
  expect(said(['--no-such-setting=1'])).not.toBe('')
})
