import { expect, test } from 'vitest'
import type { Judgement } from '../../rules/core/judgement.ts'
import { exchange, referenceBinding } from '../../rules/testing.ts'
import type { CaseContext, Sent } from '../case.ts'
import { readBack } from './read-back.ts'

/** Reads back until no read is old any more; returns which reads were known to be the last. */
async function finals(settleTimeout: number, old: readonly boolean[]): Promise<(boolean | undefined)[]> {
  const sent: (boolean | undefined)[] = []
  const send: CaseContext['send'] = ({ intent }) => {
    const outcome = old[sent.length] === true ? 'inconclusive' : 'held'
    sent.push(intent?.final)
    const judgements = [{ outcome } as Judgement]
    return Promise.resolve({ view: { accepted: true, exchange: exchange('GET /x') }, judgements } as unknown as Sent)
  }
  const context = { binding: referenceBinding(), settleTimeout, send } as unknown as CaseContext
  await readBack(context, 'get-transform', {})
  return sent
}

test('without a settle time the first read is the last', async () => {
  expect(await finals(0, [true])).toEqual([true])
})

test('a read in which nothing is old is the last', async () => {
  expect(await finals(5_000, [])).toEqual([false])
  expect(await finals(5_000, [true, true])).toEqual([false, false, false])
})

test('the last read comes when the settle time is over, whatever the others showed', async () => {
  const sent = await finals(120, Array(1_000).fill(true))
  expect(sent.slice(0, -1)).not.toContain(true)
  expect(sent.at(-1)).toBe(true)
})
