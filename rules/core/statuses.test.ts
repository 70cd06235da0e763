import { expect, test } from 'vitest'
import { isPutOff, saysLater } from './statuses.ts'

test('what speaks of the moment is neither a refusal nor a failure of the target', () => {
  const all = Array.from({ length: 500 }, (_, index) => index + 100)
  expect(all.filter(saysLater)).toEqual([408, 429, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530])
  expect(all.filter(isPutOff)).toEqual([429, 503])
})
