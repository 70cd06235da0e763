import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { RawExchange } from '../../fixtures/recording/raw.ts'
import { rawBody, rawExchange } from '../../fixtures/testing/recording.ts'
import { unpack } from '../fast/packing.ts'
import { Queue, type ToRecorder } from './queue.ts'

const MOST = 100_000

function exchange(number: number, answer: number): RawExchange {
  return rawExchange('GET /', { id: `s-${number}`, requestBody: rawBody(), responseBody: rawBody('x'.repeat(answer)) })
}

function cut(one: RawExchange): RawExchange {
  return { ...one, responseBody: { ...one.responseBody, cut: true } }
}

/** A queue whose recorder does nothing until the test says so. */
function slow(): { readonly queue: Queue; readonly posted: ToRecorder[]; catchUp(): void } {
  const posted: ToRecorder[] = []
  const queue = new Queue({ mostBytes: MOST, batch: 2, delayMs: 60_000, post: (message) => posted.push(message) })
  let done = 0
  return {
    queue,
    posted,
    catchUp() {
      for (; done < posted.length; done += 1) {
        const message = posted[done]
        if (message && 'weight' in message) queue.acknowledge(message.weight, message.type)
      }
    },
  }
}

describe('the queue to the recorder', () => {
  test('hands each exchange over as it was taken down, to its last byte', () => {
    const { queue, posted } = slow()
    const sent = [
      exchange(1, 0),
      rawExchange('PUT /v3/pipeline/p?x=%00', {
        stalled: 12.5,
        requestHeaders: ['Host', 'h', 'X-Latin', 'caf\u00e9', 'X-Empty', ''],
        requestBody: rawBody(Buffer.from('abcd\0f')),
        responseBody: { bytes: 9_000_000, kept: Buffer.from([0, 255, 128]), cut: true },
        responseTrailers: ['X-Sum', '1'],
        outcome: 'truncated',
        statusText: 'O\0K',
        error: 'kaputt: \u20ac \0 \u{1f4a5}',
        client: { connection: 7 },
      }),
    ]
    for (const one of sent) queue.exchange(one)
    const [message] = posted
    if (message?.type !== 'exchanges') throw new Error('exchanges were expected')
    expect(unpack(structuredClone(message).packed)).toEqual(sent)
  })

  test('hands exchanges over in lots, and the rest when it is closed', () => {
    const { queue, posted } = slow()
    for (const number of [1, 2, 3]) queue.exchange(exchange(number, 10))
    expect(posted.map(({ type }) => type)).toEqual(['exchanges'])
    queue.close()
    expect(posted.map(({ type }) => type)).toEqual(['exchanges', 'exchanges'])
    expect(queue.counts()).toMatchObject({ taken: 3, dropped: 0, cut: 0 })
  })

  test('never lets more wait than its bound: bodies are cut first, with their hash, then exchanges are dropped', () => {
    const { queue, posted, catchUp } = slow()
    for (const [number, bytes] of [40_000, 20_000, 10_000, 4_000].entries()) queue.exchange(exchange(number, bytes))
    const [first, , late] = posted.flatMap((message) => (message.type === 'exchanges' ? unpack(message.packed) : []))
    expect(first?.responseBody).toMatchObject({ cut: false, kept: { length: 40_000 } })
    expect(late?.responseBody).toMatchObject({
      cut: true,
      kept: { length: 4_096 },
      bytes: 10_000,
      sha256: createHash('sha256').update(Buffer.alloc(10_000, 'x')).digest('hex'),
    })
    for (let number = 4; number < 40; number += 1) queue.exchange(exchange(number, 4_000))
    const { taken: kept, dropped, cut, waiting } = queue.counts()
    expect({ all: kept + dropped, cut }).toEqual({ all: 40, cut: 1 })
    expect(dropped).toBeGreaterThan(20)
    expect(waiting).toBeLessThanOrEqual(MOST)
    catchUp()
    queue.exchange(exchange(40, 10))
    queue.close()
    expect(posted.filter((message) => message.type === 'lost')).toEqual([
      { type: 'lost', count: dropped, reason: 'the recorder could not keep up' },
    ])
    catchUp()
    expect(queue.counts()).toMatchObject({ taken: kept + 1, waiting: 0 })
  })

  test('hands parts of long bodies over in memory that is shared, in order, before their exchange', () => {
    const { queue, posted, catchUp } = slow()
    const one = cut(exchange(1, 10))
    queue.part(one, 'response', [Buffer.from('first '), Buffer.from('second ')], true)
    queue.part(one, 'response', [Buffer.from('third')], false)
    queue.exchange(one)
    queue.close()
    expect(posted.map(({ type }) => type)).toEqual(['parts', 'exchanges'])
    const [message] = posted
    if (message?.type !== 'parts') throw new Error('parts were expected')
    const read = message.parts.map(({ at, length }) => Buffer.from(message.memory, at, length).toString())
    expect(read).toEqual(['first ', 'second ', 'third'])
    expect(message.parts.map(({ opening }) => opening !== undefined)).toEqual([true, false, false])
    catchUp()
    expect(queue.counts()).toMatchObject({ taken: 1, unfollowed: 0, waiting: 0 })
  })

  test('gives a long body up where there is no room, and follows the next one when there is', () => {
    const { queue, posted, catchUp } = slow()
    const [one, two] = [cut(exchange(1, 10)), exchange(2, 10)]
    for (let turn = 0; turn < 10; turn += 1) queue.part(one, 'response', [Buffer.alloc(10_000)], turn === 0)
    expect(queue.counts().unfollowed).toBe(1)
    expect(queue.counts().waiting).toBeLessThanOrEqual(MOST / 2)
    queue.exchange(one)
    queue.close()
    catchUp()
    expect(queue.counts().waiting).toBe(0)
    const parts = posted.flatMap((message) => (message.type === 'parts' ? message.parts : []))
    expect(parts.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(100_000)
    const other = slow()
    for (let turn = 0; turn < 30; turn += 1) {
      other.queue.part(two, 'response', [Buffer.alloc(10_000)], turn === 0)
      other.queue.exchange(exchange(3 + turn, 10))
      other.queue.exchange(exchange(103 + turn, 10))
      other.catchUp()
    }
    expect(other.queue.counts()).toMatchObject({ unfollowed: 0, dropped: 0 })
  })

  test('whose recorder is gone drops what it had not kept, and all that comes', () => {
    const { queue, posted } = slow()
    for (const number of [1, 2, 3, 4, 5]) queue.exchange(exchange(number, 10))
    queue.abandon(2)
    const before = posted.length
    for (const number of [6, 7]) queue.exchange(exchange(number, 10))
    queue.part(exchange(8, 10), 'response', [Buffer.alloc(10)], true)
    queue.close()
    expect(queue.counts()).toMatchObject({ taken: 2, dropped: 5, waiting: 0 })
    expect(posted.length).toBe(before)
  })

  test('counts what comes after its end as dropped, and posts nothing more', () => {
    const { queue, posted } = slow()
    queue.close()
    for (const number of [1, 2, 3]) queue.exchange(exchange(number, 10))
    expect(queue.counts()).toMatchObject({ taken: 0, dropped: 3, waiting: 0 })
    expect(posted).toEqual([])
  })
})
