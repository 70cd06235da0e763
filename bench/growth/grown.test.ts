import { expect, test } from 'vitest'
import { growthTable } from './grown.ts'

test('growth is told beside the size before, of the same part', () => {
  const rows = growthTable([
    { part: 'check', units: 'exchanges', count: 1_000, cpu: 0.6, memory: 90e6 },
    { part: 'check', units: 'exchanges', count: 10_000, cpu: 0.96, memory: 99e6 },
    { part: 'page', units: 'exchanges', count: 10_000, cpu: 0.5, memory: 50e6 },
  ])
  expect(rows.slice(1)).toEqual([
    ['check', '1,000 exchanges', '0.6 s', '600 us', '', '90 MB', ''],
    ['check', '10,000 exchanges', '1.0 s', '96 us', '40 us', '99 MB', '1.10 times'],
    ['page', '10,000 exchanges', '0.5 s', '50 us', '', '50 MB', ''],
  ])
})
