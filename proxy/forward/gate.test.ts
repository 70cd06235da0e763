import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Gate } from './gate.ts'
import { GuardWait } from './gate.ts'

const REFUSAL = { status: 400, code: 'Refused', error: 'no' }
const message = {} as IncomingMessage

/** A gate of ten bytes that refuses what says no, and what it was asked. */
function gated(): { readonly wait: GuardWait; readonly told: string[] } {
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
  return { wait: new GuardWait(gate), told }
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
