import { expect, test } from 'vitest'
import { exitCodeOf } from './exit-codes.ts'

test('each verdict has its exit code', () => {
  expect(exitCodeOf('conformant')).toBe(0)
  expect(exitCodeOf('non-conformant')).toBe(1)
  expect(exitCodeOf('partial')).toBe(4)
  expect(exitCodeOf('invalid')).toBe(5)
})
