import { describe, expect, test } from 'vitest'
import { probes } from '../../../schemas/records/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { NOW, one, send, timed } from '../../_testing/lines.ts'
import { judgeAll, said } from '../../testing.ts'

describe('bytes', () => {
  const group = { probe: probes.longLines, group: 'g' } as const
  let number = 0

  /** `length`: characters of each line in the body. */
  const sent = (app: string, count: number, length = 600, text?: string): Exchange =>
    send(
      Array.from({ length: count }, () => {
        number += 1
        return { number, app, text: text ?? `text${number}` }
      }),
      { sent: 'x'.repeat(length * count), intent: { kind: 'base', ...group } },
    )

  const report = (bytes: Readonly<Record<string, unknown>>, final = true): Exchange =>
    timed('GET /v2/usage/apps?limit=10000', {
      got: { results: Object.entries(bytes).map(([name, total_bytes]) => ({ name, total_bytes })) },
      intent: { kind: 'read', final, ...group },
    })

  function told(...exchanges: readonly Exchange[]): string[] {
    return judgeAll(exchanges).flatMap(({ requirement, edge, outcome }) =>
      requirement === 'USAGE-V2-BYTES' && edge === 'long lines' ? [outcome] : [],
    )
  }

  test('long lines take more bytes than there are lines', () => {
    expect(told(sent('a', 3), sent('b', 7), report({ a: 1_800, b: 4_200, other: 1 }))).toEqual(['held'])
  })
  test('as many bytes as lines, under several names, are lines', () => {
    expect(told(sent('a', 3), sent('b', 7), report({ a: 3, b: '7' }))).toEqual(['broken'])
  })
  test('one number may be chance, or not be all yet', () => {
    expect(told(sent('a', 3), report({ a: 3 }))).toEqual([])
    expect(told(sent('a', 3), sent('b', 3), report({ a: 3, b: 3 }))).toEqual([])
    expect(told(sent('a', 3), sent('b', 7), report({ a: 3, b: 0 }))).toEqual([])
    expect(told(sent('a', 3), sent('b', 7), report({ a: 3, b: 7 }, false))).toEqual([])
  })
  test('lines that are short, or all the same, may take little', () => {
    expect(told(sent('a', 3, 100), sent('b', 7, 100), report({ a: 3, b: 7 }))).toEqual([])
    expect(told(sent('a', 3, 600, 'same'), sent('b', 7, 600, 'same'), report({ a: 3, b: 7 }))).toEqual([])
  })
})

describe('lines that are dropped', () => {
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
})
