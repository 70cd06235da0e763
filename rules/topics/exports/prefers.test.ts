import { expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { type Dated, exportDated, sendDated } from '../../_testing/dated.ts'
import { FINAL, NOW } from '../../_testing/lines.ts'
import { said } from '../../testing.ts'

const MINUTE = 60_000
const lines: readonly Dated[] = [1, 2, 3].map((number) => ({ number, time: NOW - number * MINUTE }))
const sent = (): Exchange => sendDated(lines, {})

/** An export of two lines from the beginning of the period. */
function head(shown: readonly Dated[]): Exchange {
  const one = exportDated(1, shown, [NOW - 60 * MINUTE, NOW + 5 * MINUTE], { intent: FINAL })
  const asked = [
    { name: 'size', value: '2' },
    { name: 'prefer', value: 'head' },
  ]
  return { ...one, request: { ...one.request, queryString: [...one.request.queryString, ...asked] } }
}

test('the first lines are those of the earliest times', () => {
  expect(said('EXPORT-V1-PREFER', [sent(), head(lines.slice(1))])).toEqual(['held'])
  expect(said('EXPORT-V1-PREFER', [sent(), head(lines.slice(0, 2))])).toEqual(['broken'])
})

test('a target that keeps lines under other times than they were sent with goes by those', () => {
  const arrived = lines.map((line) => ({ ...line, time: NOW }))
  expect(said('EXPORT-V1-PREFER', [sent(), head(arrived.slice(0, 2))])).toEqual([])
})
