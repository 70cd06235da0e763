import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eventually, opened, wire } from '../testing.ts'
import { type Gate, GuardWait } from './gate.ts'

const REFUSAL = { status: 400, code: 'Refused', error: 'no' }
const message = {} as IncomingMessage

/** A gate of ten bytes that refuses what says no, and what it was asked. */
function gated(): { readonly gate: Gate; readonly wait: GuardWait; readonly told: string[] } {
  const told: string[] = []
  const judge = (side: string, body: Buffer): typeof REFUSAL | undefined => {
    told.push(`${side} ${body.toString()}`)
    return body.includes('no') ? REFUSAL : undefined
  }
  const gate: Gate = {
    limit: 10,
    request: (_, body) => judge('request', body),
    answer: (_request, sent, _answer, body) => judge(`answer to ${sent.toString()}:`, body),
    unjudged: (side) => told.push(`unjudged ${side}`),
  }
  return { gate, wait: new GuardWait(gate), told }
}

describe('what waits for the guard', () => {
  test('is a request up to the limit; a longer one goes on unjudged, and so does its answer', () => {
    const { wait, told } = gated()
    expect([wait.waitsFor(10), wait.judges, wait.waitsFor(11), wait.judges]).toEqual([true, true, false, false])
    wait.beginAnswer()
    expect(wait.holdsAnswer).toBe(false)
    expect(told).toEqual(['unjudged request'])
  })

  test('is an answer up to the limit, judged whole', () => {
    const { wait, told } = gated()
    expect(wait.judgeRequest(message, Buffer.from('a'))).toBeUndefined()
    wait.beginAnswer()
    expect([wait.hold(Buffer.from('it is ')), wait.hold(Buffer.from('no'))]).toEqual([true, true])
    expect(wait.judgeAnswer(message, Buffer.from('a'), message)).toBe(REFUSAL)
    expect(told).toEqual(['request a', 'answer to a: it is no'])
  })

  test('is given back in its order where it becomes too long', () => {
    const { wait, told } = gated()
    wait.beginAnswer()
    expect([wait.hold(Buffer.from('12345')), wait.hold(Buffer.from('678901'))]).toEqual([true, false])
    expect(wait.release().join('|')).toBe('12345|678901')
    expect([wait.holdsAnswer, wait.release()]).toEqual([false, []])
    expect(told).toEqual(['unjudged answer'])
  })
})

describe('a request before a guard', () => {
  const open = opened()

  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
  const put = (length: number): string => `PUT /a HTTP/1.1\r\nHost: c\r\nContent-Length: ${length}\r\n\r\n`

  async function target(end: string): Promise<{ readonly url: string; readonly got: () => string }> {
    let got = ''
    const { url } = await open.tcp((all, socket) => {
      got = all
      if (all.endsWith(end)) socket.write(OK)
    })
    return { url, got: () => got }
  }

  test('reaches the target when all of it was judged, and not before', async () => {
    const { url, got } = await target('abcdef')
    const { gate, told } = gated()
    const { port, heard } = await open.proxy(url, { gate })
    const client = wire(port, `${put(6)}abc`)
    await eventually(() => heard[0]?.sent === 'abc')
    await sleep(20)
    expect(got()).toBe('')
    client.write('def')
    await client.until('{}')
    expect(got()).toMatch(/Content-Length: 6\r\n.*\r\n\r\nabcdef$/s)
    expect(told).toEqual(['request abcdef', 'answer to abcdef: {}'])
    expect(heard).toMatchObject([{ sent: 'abcdef', outcome: 'complete' }])
  })

  test('keeps its trailers', async () => {
    const { url, got } = await target('X-Sum: 7\r\n\r\n')
    const { port } = await open.proxy(url, { gate: gated().gate })
    const head = 'PUT /a HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n'
    await wire(port, `${head}2\r\nhi\r\n0\r\nX-Sum: 7\r\n\r\n`).until('{}')
    expect(got()).toMatch(/2\r\nhi\r\n0\r\nX-Sum: 7\r\n\r\n$/)
  })

  test('that is refused never reaches it', async () => {
    const { url, got } = await target('')
    const { port, heard } = await open.proxy(url, { gate: gated().gate })
    expect(await wire(port, `${put(2)}no`).until('}')).toMatch(/^HTTP\/1.1 400/)
    expect(got()).toBe('')
    expect(heard).toMatchObject([{ sent: 'no', outcome: 'interrupted', error: 'refused by the guard' }])
  })

  test('that is too long to wait goes on unjudged while it comes, in its order', async () => {
    const body = Array.from({ length: 40_000 }, (_, index) => String(index)).join(' ')
    const { url, got } = await target(body.slice(-20))
    const { gate, told } = gated()
    const { port, heard } = await open.proxy(url, { gate })
    const client = wire(port, `${put(body.length)}${body.slice(0, 12)}`)
    await eventually(() => got().endsWith(body.slice(0, 12)))
    client.write(body.slice(12))
    await client.until('{}')
    expect(got().endsWith(`\r\n\r\n${body}`)).toBe(true)
    expect(told).toEqual(['unjudged request'])
    expect(heard[0]?.sent).toBe(body)
  })

  test('that is too long to wait, before a target that does not read, holds the client back', async () => {
    const { url } = await open.tcp((_, socket) => socket.pause())
    const { port, heard } = await open.proxy(url, { gate: gated().gate })
    const client = wire(port, put(1 << 28))
    const piece = 'x'.repeat(1 << 20)
    for (let count = 0; count < 64; count += 1) client.write(piece)
    // More than the system holds by itself has come.
    await eventually(() => (heard[0]?.sent.length ?? 0) > 1 << 17)
    let last = -1
    while ((heard[0]?.sent.length ?? 0) !== last) {
      last = heard[0]?.sent.length ?? 0
      await sleep(200)
    }
    expect(last).toBeLessThan(1 << 25)
  })
})
