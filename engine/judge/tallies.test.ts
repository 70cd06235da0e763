import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openRecording } from '../../fixtures/recording/read.ts'
import { createTallyBook, type TallyBook } from '../../rules/core/tally.ts'
import type { JudgePart } from '../../rules/dispatch.ts'
import { createOracle } from '../../rules/oracle.ts'
import { planShares } from '../../rules/shares.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { sampleOperations } from '../check/exchanges.ts'
import { judgeShare } from '../check/share.ts'
import { loadBinding } from '../config/binding.ts'
import { sum, withTallies } from './tallies.ts'

const path = fileURLToPath(new URL('../../fixtures/recorded/embedded', import.meta.url))
const data = loadBinding('reference', '.')
const binding = resolveBinding(data)
const factory = createOracle({ binding, basePath: '', settleMs: 0 })

async function judged(part?: JudgePart): Promise<TallyBook> {
  const judge = factory.createJudge(part)
  const book = createTallyBook()
  for await (const exchange of (await openRecording(path)).exchanges()) {
    for (const judgement of judge.judge(exchange).judgements) book.add(judgement)
  }
  for (const judgement of judge.end()) book.add(judgement)
  return book
}

test.each([1, 2, 3])('what %i threads judge besides the main one adds up to what one judges alone', async (of) => {
  const whole = await judged()
  const counts = await sampleOperations([await openRecording(path)], binding, '', openRecording)
  expect(counts.size).toBeGreaterThan(10)
  const [own, ...rest] = planShares(binding, counts, of + 1)
  const main = await judged(own?.part)
  const job = {
    paths: [path],
    binding: data,
    basePath: '',
    settleMs: 0,
    apartMs: 0,
    carried: false,
    alone: false,
    target: 'http://127.0.0.1',
    credentials: [],
    ownerEmail: undefined,
    key: new Uint8Array(32),
  }
  const parts = await Promise.all(rest.map((share) => judgeShare({ ...job, share })))
  const others = new Map<string, ReturnType<TallyBook['of']>>()
  for (const part of parts) {
    for (const [id, tally] of part.tallies) {
      const before = others.get(id)
      others.set(id, before ? sum(before, tally) : tally)
    }
  }
  expect(others.size).toBeGreaterThan(10)
  for (const { missing, broken } of parts) expect([missing.cut, broken]).toEqual([0, false])
  const together = withTallies(main, others)
  for (const id of factory.oracle.ledger.keys()) {
    expect({ id, ...together.of(id).evidence }).toEqual({ id, ...whole.of(id).evidence })
    expect([...together.of(id).sides.keys()].sort()).toEqual([...whole.of(id).sides.keys()].sort())
  }
})
