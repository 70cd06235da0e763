import { describe, expect, test } from 'vitest'
import { Fault, foreseen, problemLine, UnreachableError, UsageError } from './errors.ts'

const problem = { where: 'assay.config.json#/timeout', what: 'must be integer', hint: 'write milliseconds' }

/** The kind and the lines of an error that is foreseen. */
function told(error: unknown): readonly [kind: string, lines: string] | undefined {
  const fault = foreseen(error)
  return fault instanceof Fault ? [fault.kind, fault.message] : undefined
}

describe('errors that a user can act upon', () => {
  test('say of each problem, on a line, where it is, what it is and what to do', () => {
    expect(told(new UsageError(problem, { where: '', what: 'second', hint: '' }))).toEqual([
      'usage',
      'assay.config.json#/timeout: must be integer; write milliseconds\nsecond',
    ])
    expect(told(new UnreachableError(problem))?.[0]).toBe('unreachable')
  })

  test('an error of another room that carries where and hint is one of usage', () => {
    const error = Object.assign(new Error('cannot be written'), { where: '/out', hint: 'choose another folder' })
    const problems = [{ where: '/out', what: 'cannot be written', hint: 'choose another folder' }]
    expect(foreseen(error)).toMatchObject({ kind: 'usage', problems })
  })

  test('one that says its kind already, or that nobody foresaw, stays as it is', () => {
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
    expect(told(error)).toEqual(['usage', line])
  })

  test.each([
    ['EMFILE', 'this process'],
    ['ENFILE', 'this machine'],
  ])('a limit of open files is no fault of ours: %s', (code, whose) => {
    const met = Object.assign(new Error('too many open files'), { code, syscall: 'open', path: '/x' })
    for (const error of [met, new Error('could not be loaded', { cause: met })]) {
      expect(told(error)).toEqual([
        'usage',
        `${whose} may open no more files and connections (${code}); raise the limit, such as with \`ulimit -n 4096\`, and start again`,
      ])
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
    expect(told(error)?.[0]).toBe(isThere ? 'usage' : undefined)
  })

  test('a socket that must not be opened is not taken for a file', () => {
    expect(told(Object.assign(new Error('x'), { code: 'EACCES', syscall: 'listen' }))).toBeUndefined()
  })

  test('what a hostile target or file said cannot act on the terminal, nor break the line', () => {
    expect(problemLine({ where: 'a\nb', what: '\u001b[2J', hint: '' })).toBe('a\\nb: \\u001b[2J')
    expect(problemLine({ where: '', what: 'x'.repeat(100_000), hint: '' }).length).toBeLessThan(2100)
  })
})
