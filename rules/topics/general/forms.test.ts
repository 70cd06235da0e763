import { describe, expect, test } from 'vitest'
import { probes } from '../../../schemas/records/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, failing, said } from '../../testing.ts'

const TIMES = 'USAGE-V1-TIMES'
const stated = (status: number): Exchange =>
  exchange('GET /v1/usage/apps?from=1&to=2', {
    status,
    got: [],
    intent: { kind: 'base', requirement: TIMES, group: 'g', data: { form: true } },
  })
const other = (status = 200): Exchange =>
  exchange('GET /v1/usage/apps?from=a&to=b', {
    status,
    got: [],
    intent: { kind: 'read', requirement: TIMES, group: 'g', probe: probes.otherForm },
  })

describe('the form that is stated', () => {
  const histories: [string, Exchange[], string[]][] = [
    ['is taken', [stated(200), other()], ['held']],
    ['is refused, as others are', [stated(400), other(400)], []],
    ['is refused, while another one is taken', [stated(400), other(), stated(400)], ['broken']],
    ['is refused before another one is taken, and not looked at again', [stated(400), other()], []],
    ['is refused before another one is taken, and taken after it', [stated(400), other(), stated(200)], ['held']],
    ['is said to be unknown, while another one is taken', [stated(415), other(), stated(415)], ['broken']],
    ['ends in a server error that stays', [...failing(() => stated(500)), other(), stated(500)], ['broken']],
    ['ends in a server error once', [stated(500), other(), stated(500)], []],
  ]
  test.each(histories)('%s', (_, history, expected) => {
    expect(said(TIMES, history)).toEqual(expected)
  })
})
