import { describe, expect, test } from 'vitest'
import { UnreachableError, UsageError } from '../../engine/errors.ts'
import { fakeIo } from '../testing.ts'
import { linesOfWritten, printError } from './io.ts'

const problem = { where: 'assay.config.json#/timeout', what: 'must be integer', hint: 'write milliseconds' }

describe('errors that a user can act upon', () => {
  test('one line names place, fault and remedy', () => {
    const io = fakeIo()
    expect(printError(io, new UsageError(problem))).toBe(2)
    expect(io.err()).toBe('error: assay.config.json#/timeout: must be integer; write milliseconds\n')
  })

  test('several problems take a line each', () => {
    const io = fakeIo()
    printError(io, new UsageError(problem, { where: '', what: 'second', hint: '' }))
    expect(io.err()).toBe('error: assay.config.json#/timeout: must be integer; write milliseconds\nerror: second\n')
  })

  test('a target out of reach ends with 3', () => {
    expect(printError(fakeIo(), new UnreachableError(problem))).toBe(3)
  })

  test('an error of another room that carries where and hint ends with 2', () => {
    const io = fakeIo()
    const error = Object.assign(new Error('cannot be written'), { where: '/out', hint: 'choose another folder' })
    expect(printError(io, error)).toBe(2)
    expect(io.err()).toBe('error: /out: cannot be written; choose another folder\n')
  })
})

describe('errors that nobody foresaw', () => {
  test('one line without a stack, exit code 5', () => {
    const io = fakeIo()
    expect(printError(io, new TypeError('x is not a function'))).toBe(5)
    expect(io.err()).toBe(
      'error: assay itself failed: TypeError: x is not a function; set ASSAY_DEBUG=1 to see where\n',
    )
  })

  test('ASSAY_DEBUG shows the stack and the cause', () => {
    const io = fakeIo({ env: { ASSAY_DEBUG: '1' } })
    printError(io, new Error('outer', { cause: new Error('inner') }))
    expect(io.err()).toMatch(/io\.test\.ts/)
    expect(io.err()).toMatch(/caused by Error: inner/)
  })

  test('a thrown value that is no error is shown too', () => {
    const io = fakeIo()
    expect(printError(io, 'oops')).toBe(5)
    expect(io.err()).toMatch(/oops/)
  })
})

test('red only on a terminal, unless NO_COLOR or FORCE_COLOR decide otherwise', () => {
  const shown = (env: Record<string, string>, isTty: boolean): string => {
    const io = fakeIo({ env, isTty })
    printError(io, new UsageError(problem))
    return io.err()
  }
  expect(shown({}, true).startsWith('\u001b[31merror')).toBe(true)
  expect(shown({ NO_COLOR: '1' }, true)).toMatch(/^error/)
  expect(shown({}, false)).toMatch(/^error/)
  expect(shown({ FORCE_COLOR: '1' }, false).startsWith('\u001b[31merror')).toBe(true)
  expect(shown({ FORCE_COLOR: '0' }, true)).toMatch(/^error/)
  expect(shown({ FORCE_COLOR: '1', NO_COLOR: '1' }, true)).toMatch(/^error/)
})

test('the name of a file does not act on the terminal', () => {
  expect(linesOfWritten(['a\u001b[31m', 'b\u202ec'])).toBe('wrote a\\u001b[31m\nwrote b\\u202ec\n')
})
