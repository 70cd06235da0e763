import { describe, expect, test } from 'vitest'
import { Refusal } from '../core/refusal.ts'
import { compileConditional } from './conditional.ts'

const event = {
  level: 'error',
  count: 7,
  ratio: '2.5',
  deep: { name: 'x', list: ['a', 'b'] },
  none: null,
  empty: '',
  yes: true,
  ip: '192.0.2.77',
  metric: { kind: 'absolute', value: 1 },
}

const holds = (field: string, str_operator: string, value?: unknown): boolean =>
  compileConditional({ expressions: [{ field, str_operator, value }], logical_operation: 'AND' }, '')(event)

/** operator -> [field, value] for which it holds, and for which it does not */
const rows: readonly [string, readonly [string, unknown][], readonly [string, unknown][]][] = [
  [
    'contains',
    [
      ['.level', 'rr'],
      ['.deep.list', 'a'],
    ],
    [
      ['.level', 'x'],
      ['.count', 7],
      ['.absent', ''],
    ],
  ],
  [
    'starts_with',
    [['.level', 'err']],
    [
      ['.level', 'rr'],
      ['.count', '7'],
    ],
  ],
  [
    'ends_with',
    [['.level', 'or']],
    [
      ['.level', 'err'],
      ['.absent', ''],
    ],
  ],
  [
    'equal',
    [
      ['.level', 'error'],
      ['.count', 7],
      ['.count', '7'],
      ['.deep.name', 'x'],
    ],
    [
      ['.level', 'Error'],
      ['.none', 'null'],
    ],
  ],
  [
    'exists',
    [
      ['.level', null],
      ['.none', null],
      ['.deep.name', null],
      ['.', null],
    ],
    [
      ['.absent', null],
      ['.deep.absent', null],
    ],
  ],
  [
    'greater',
    [
      ['.count', 6],
      ['.ratio', 2],
    ],
    [
      ['.count', 7],
      ['.level', 1],
      ['.absent', -1],
      ['.empty', -1],
    ],
  ],
  ['greater_or_equal', [['.count', 7]], [['.count', 8]]],
  [
    'less',
    [
      ['.count', 8],
      ['.count', '8'],
    ],
    [
      ['.count', 7],
      ['.none', 1],
    ],
  ],
  ['less_or_equal', [['.count', 7]], [['.count', 6]]],
  ['is_array', [['.deep.list', null]], [['.deep', null]]],
  ['is_boolean', [['.yes', null]], [['.count', null]]],
  [
    'is_empty',
    [['.empty', null]],
    [
      ['.level', null],
      ['.deep', null],
      ['.absent', null],
    ],
  ],
  [
    'is_ip_in_cidr_range',
    [
      ['.ip', '192.0.2.0/24'],
      ['.ip', '192.0.2.77'],
    ],
    [
      ['.ip', '192.0.3.0/24'],
      ['.level', '0.0.0.0/0'],
      ['.ip', '192.0.2.0/x'],
    ],
  ],
  ['is_metric', [['.metric', null]], [['.deep', null]]],
  [
    'is_null',
    [['.none', null]],
    [
      ['.absent', null],
      ['.empty', null],
    ],
  ],
  ['is_number', [['.count', null]], [['.ratio', null]]],
  [
    'is_object',
    [['.deep', null]],
    [
      ['.deep.list', null],
      ['.none', null],
    ],
  ],
  ['is_string', [['.level', null]], [['.count', null]]],
  [
    'regex_match',
    [['.level', '^e.+r$']],
    [
      ['.level', '^x'],
      ['.count', '7'],
    ],
  ],
]

describe('conditionals', () => {
  test.each(rows)('%s tells values apart', (operator, yes, no) => {
    for (const [field, value] of yes)
      expect([field, value, holds(field, operator, value)]).toEqual([field, value, true])
    for (const [field, value] of no)
      expect([field, value, holds(field, operator, value)]).toEqual([field, value, false])
  })

  test('groups are joined by AND or OR, and nest', () => {
    const is = (value: string): unknown => ({ field: '.level', str_operator: 'equal', value })
    const group = (logical_operation: string, ...expressions: unknown[]): unknown => ({
      expressions,
      logical_operation,
    })
    const check = (value: unknown): boolean => compileConditional(value, '')(event)
    expect(check(group('AND', is('error'), is('warn')))).toBe(false)
    expect(check(group('OR', is('error'), is('warn')))).toBe(true)
    expect(check(group('AND', group('OR', is('warn'), is('error')), is('error')))).toBe(true)
    expect(check(group('OR', group('AND', is('warn'), is('error')), is('info')))).toBe(false)
    expect(check(group('OR'))).toBe(true)
  })

  test('negate turns an expression round', () => {
    const expression = { field: '.level', str_operator: 'equal', value: 'error', negate: true }
    expect(compileConditional({ expressions: [expression] }, '')(event)).toBe(false)
  })

  test.each([
    [null, '/filter'],
    [[], '/filter'],
    [{ expressions: {} }, '/filter/expressions'],
    [{ expressions: [], logical_operation: 'and' }, '/filter/logical_operation'],
    [{ expressions: ['a'] }, '/filter/expressions/0'],
    [{ expressions: [{ str_operator: 'exists' }] }, '/filter/expressions/0/field'],
    [{ expressions: [{ field: '.a', str_operator: 'toString' }] }, '/filter/expressions/0/str_operator'],
    [{ expressions: [{ field: '.a', str_operator: 'regex_match', value: '(' }] }, '/filter/expressions/0/value'],
    [{ expressions: [{ expressions: [7] }] }, '/filter/expressions/0/expressions/0'],
  ])('%j is refused at %s', (group, pointer) => {
    try {
      compileConditional(group, '/filter')
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal)
      expect((error as Refusal).problems[0]?.instancePath).toBe(pointer)
    }
  })
})
