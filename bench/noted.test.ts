import { describe, expect, test } from 'vitest'
import type { Figure } from './figures.ts'
import { note, worse } from './noted.ts'

const figure = (name: string, ratio?: number): Figure => ({
  part: 'check',
  name,
  value: 1,
  unit: '/s',
  ...(ratio === undefined ? {} : { ratio }),
})

describe('noted ratios', () => {
  const noted = note({ page: { drawing: 2 } }, [figure('reading', 0.5), figure('writing', 1), figure('size')])

  test('hold what has a ratio, and keep the parts that were not measured', () => {
    expect(noted).toEqual({ page: { drawing: 2 }, check: { reading: 0.5, writing: 1 } })
  })

  test('of a part that is measured again give way to the new ones', () => {
    expect(note(noted, [figure('reading', 0.7)])).toEqual({ page: { drawing: 2 }, check: { reading: 0.7 } })
  })

  test('may drop by a tenth, and rise', () => {
    expect(worse(noted, [figure('reading', 0.4501), figure('writing', 3)], 0.1)).toEqual([])
  })

  test('that drop by more are told, one line each', () => {
    expect(worse(noted, [figure('reading', 0.44), figure('writing', 0.2)], 0.1)).toEqual([
      'check: reading: 0.44, 12 % less than the noted 0.50',
      'check: writing: 0.20, 80 % less than the noted 1.00',
    ])
  })

  test('that are not measured any more are told', () => {
    expect(worse(noted, [figure('reading', 0.5)], 0.1)).toEqual(['check: writing: was not measured, 1.00 is noted'])
  })
})
