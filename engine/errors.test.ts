import { describe, expect, test } from 'vitest'
import { fakeIo } from '../cli/testing.ts'
import { foreseen, printError, problemLine, UnreachableError, UsageError } from './errors.ts'

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
    expect(io.err().split('\n')).toEqual([`error: ${problemLine(problem)}`, 'error: second', ''])
  })

  test('a target out of reach ends with 3', () => {
    expect(printError(fakeIo(), new UnreachableError(problem))).toBe(3)
  })

  test('an error of another room that carries where and hint ends with 2', () => {
    const io = fakeIo()
    const error = Object.assign(new Error('cannot be written'), { where: '/out', hint: 'choose another folder' })
    expect(printError(io, error)).toBe(2)
    expect(io.err()).toBe('error: /out: cannot be written; choose another folder\n')
    const problems = [{ where: '/out', what: 'cannot be written', hint: 'choose another folder' }]
    expect(foreseen(error)).toMatchObject({ exitCode: 2, problems })
  })

  test('one that carries its exit code already, or that nobody foresaw, stays as it is', () => {
    for (const error of [new UnreachableError(problem), new TypeError('x')]) expect(foreseen(error)).toBe(error)
  })

  test.each<[NodeJS.ErrnoException, string]>([
    [
      Object.assign(new Error('x'), { code: 'EROFS', syscall: 'open', path: '/x/a.har' }),
      '/x/a.har: the file system is read-only',
    ],
    [Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'write' }), 'the disk is full'],
    [
      Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'copyfile', path: '/from', dest: '/to' }),
      '/to: the disk is full',
    ],
    [
      Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'mkdtemp', path: '/none/assay-XXXXXX' }),
      '/none: temporary files cannot be made there; set TMPDIR to a folder that can be written',
    ],
  ])('a disk that takes nothing more is no fault of ours: %o', (error, line) => {
    const io = fakeIo()
    expect(printError(io, error)).toBe(2)
    expect(io.err()).toBe(`error: ${line}\n`)
  })

  test.each([
    ['EMFILE', 'this process'],
    ['ENFILE', 'this machine'],
  ])('a limit of open files is no fault of ours: %s', (code, whose) => {
    const met = Object.assign(new Error('too many open files'), { code, syscall: 'open', path: '/x' })
    for (const error of [met, new Error('could not be loaded', { cause: met })]) {
      const io = fakeIo()
      expect(printError(io, error)).toBe(2)
      expect(io.err()).toBe(
        `error: ${whose} may open no more files and connections (${code}); raise the limit, such as with \`ulimit -n 4096\`, and start again\n`,
      )
    }
  })

  test.each<[string, boolean]>([
    [`module '${import.meta.filename}'`, true],
    [`module '${import.meta.filename}.none'`, false],
    [`package '${import.meta.dirname}/index.js'`, true],
    ["package '/nowhere/of/all.js'", false],
    ["package 'none'", false],
  ])('what is there and is not found could not be opened: %s', (what, isThere) => {
    const error = Object.assign(new Error(`Cannot find ${what} imported from /x.js`), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
    expect(printError(fakeIo(), error)).toBe(isThere ? 2 : 5)
  })

  test('a socket that must not be opened is not taken for a file', () => {
    expect(printError(fakeIo(), Object.assign(new Error('x'), { code: 'EACCES', syscall: 'listen' }))).toBe(5)
  })

  test('what a hostile target or file said cannot act on the terminal, nor break the line', () => {
    expect(problemLine({ where: 'a\nb', what: '\u001b[2J', hint: '' })).toBe('a\\nb: \\u001b[2J')
    expect(problemLine({ where: '', what: 'x'.repeat(100_000), hint: '' }).length).toBeLessThan(2100)
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
    expect(io.err()).toMatch(/errors\.test\.ts/)
    expect(io.err()).toMatch(/caused by Error: inner/)
  })

  test('a thrown value that is no error is shown too', () => {
    const io = fakeIo()
    expect(printError(io, 'oops')).toBe(5)
    expect(io.err()).toMatch(/oops/)
  })
})

test('red only on a terminal and without NO_COLOR', () => {
  const shown = (env: Record<string, string>, isTty: boolean): string => {
    const io = fakeIo({ env, isTty })
    printError(io, new UsageError(problem))
    return io.err()
  }
  expect(shown({}, true).startsWith('\u001b[31merror')).toBe(true)
  expect(shown({ NO_COLOR: '1' }, true)).toMatch(/^error/)
  expect(shown({}, false)).toMatch(/^error/)
})
