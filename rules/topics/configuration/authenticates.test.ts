import { expect, test } from 'vitest'
import { probes } from '../../../schemas/intents.ts'
import type { Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { exchange, said } from '../../testing.ts'

const ask = (status: number, more: Partial<Intent> = {}): Exchange =>
  exchange('GET /v1/enterprise/keys', {
    status,
    got: [],
    intent: { kind: 'observe', probe: probes.madeKey, group: 'g', ...more },
  })
const unknown = (status = 401): Exchange => ask(status, { data: { unknown: true } })
const last = (status: number): Exchange => ask(status, { final: true })

const histories: [string, Exchange[], string[]][] = [
  ['opens what an unknown one does not', [unknown(), ask(200)], ['held']],
  ['opens something else than was tried first', [unknown(), ask(401), ask(200)], ['held']],
  ['opens what an unknown one opens too', [unknown(200), ask(200)], []],
  ['opens nothing', [unknown(), ask(401), ask(403), last(401)], ['broken']],
  ['opens nothing yet', [unknown(), ask(401)], []],
  ['meets a server that is broken', [unknown(), ask(500), last(401)], ['inconclusive']],
]
test.each(histories)('the secret of a key that was made %s', (_, history, expected) => {
  expect(said('KEY-KEY-AUTHENTICATES', history)).toEqual(expected)
})
