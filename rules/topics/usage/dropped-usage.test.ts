import { expect, test } from 'vitest'
import { probes } from '../../../schemas/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { NOW, one, send, timed } from '../../_testing/lines.ts'
import { said } from '../../testing.ts'

const intent = { kind: 'read', probe: probes.droppedUsage, group: 'g' } as const
const report = (bytes: number, after: number): Exchange =>
  timed('GET /v2/usage/apps?limit=100', {
    got: { results: [{ name: 'a', total_bytes: bytes }] },
    intent,
    start: NOW + after,
  })
const dropped = (after: number): Exchange => send([one], { intent: { ...intent, kind: 'setup' }, start: NOW + after })

test('lines that were dropped count as usage where a report has more bytes than before', () => {
  expect(said('USAGE-V2-STORED', [report(100, 0), dropped(100), report(100, 200)])).toEqual(['held'])
  expect(said('USAGE-V2-STORED', [report(100, 0), dropped(100), report(300, 200)])).toEqual(['broken'])
})

test('a report that may be behind is none to compare with', () => {
  const late = [report(100, 0), dropped(1_000), report(300, 1_200)]
  expect(said('USAGE-V2-STORED', late, 5_000)).toEqual([])
  const settled = [report(100, 0), report(300, 5_000), dropped(5_100)]
  expect(said('USAGE-V2-STORED', [...settled, report(300, 5_200)], 5_000)).toEqual(['held'])
  expect(said('USAGE-V2-STORED', [...settled, report(400, 5_200)], 5_000)).toEqual(['broken'])
})
