import { describe, expect, test } from 'vitest'
import type { LiveRow, RowFinding } from '../../../fixtures/live/messages.ts'
import { Rows } from './rows.ts'

const given = (id: string, findings: RowFinding[] = [], status = 200): LiveRow => [
  ...([id, 0, 'GET', '/v1', status, 'complete', 1, 'op', 0, 0] as const),
  findings,
  '',
]
const some = (first: number, count: number) => ({
  first,
  rows: Array.from({ length: count }, (_, index) => given(`s-${first + index}`, [], (first + index) % 2 ? 200 : 500)),
})
const numbers = (rows: readonly { readonly number: number }[]): number[] => rows.map(({ number }) => number)

describe('rows', () => {
  test('keep their order, and none comes twice after a break', () => {
    const rows = new Rows()
    rows.add(some(1, 3))
    rows.add(some(2, 4))
    expect(numbers(rows.all)).toEqual([1, 2, 3, 4, 5])
    expect(rows.missed).toBe(0)
  })

  test('that passed too fast are counted; those before the page was opened are not', () => {
    const rows = new Rows()
    rows.add(some(100, 2))
    rows.add(some(110, 1))
    expect(rows.missed).toBe(8)
  })

  test('are shown where the filter lets them through, those that come later as well', async () => {
    const rows = new Rows()
    rows.add(some(1, 4))
    await rows.filter(({ status }) => status === 500)
    rows.add(some(5, 4))
    expect(numbers(rows.shown)).toEqual([2, 4, 6, 8])
    expect(rows.all).toHaveLength(8)
  })

  test('are filtered in parts, and lose none that come or go meanwhile', async () => {
    const rows = new Rows(30_000)
    rows.add(some(1, 30_000))
    let next = 30_001
    const pause = async (): Promise<void> => {
      if (next > 36_000) return
      rows.add(some(next, 2_000))
      next += 2_000
    }
    expect(await rows.filter(({ status }) => status === 500, pause)).toBe(true)
    expect(rows.shown).toEqual(rows.all.filter(({ status }) => status === 500))
    expect(rows.all.at(0)?.number).toBe(4_001)
    expect(rows.all.at(-1)?.number).toBe(36_000)
  })

  test('are shown by the last filter where another one was not done', async () => {
    const rows = new Rows()
    rows.add(some(1, 30_000))
    const first = rows.filter(
      () => false,
      () => new Promise((resolve) => setTimeout(resolve)),
    )
    const second = rows.filter(({ number }) => number < 3)
    expect(await Promise.all([first, second])).toEqual([false, true])
    expect(numbers(rows.shown)).toEqual([1, 2])
  })

  test('are let go from the oldest on, a tenth at a time', async () => {
    const rows = new Rows(100)
    await rows.filter(({ status }) => status === 500)
    rows.add(some(1, 110))
    expect(rows.all).toHaveLength(110)
    rows.add(some(111, 1))
    expect(numbers(rows.all).at(0)).toBe(12)
    expect(rows.all).toHaveLength(100)
    expect(rows.shown.at(0)?.number).toBe(12)
    expect(rows.gone).toBe(5)
  })
})

describe('a finding that comes after its exchange', () => {
  const late: RowFinding = ['VIEW-UPDATE', 1, 'm']

  test('marks the row once, also where the filter shows it', () => {
    const rows = new Rows()
    rows.add(some(1, 3))
    expect([rows.late('s-2', late), rows.late('s-2', late)]).toEqual([true, false])
    expect(rows.all.map(({ findings }) => findings)).toEqual([[], [late], []])
    expect(rows.shown).toEqual(rows.all)
    expect(rows.find('s-2')?.findings).toEqual([late])
  })

  test('is kept for a row that comes after it', () => {
    const rows = new Rows()
    rows.late('s-2', late)
    rows.add(some(1, 3))
    expect(rows.find('s-2')?.findings).toEqual([late])
  })
})
