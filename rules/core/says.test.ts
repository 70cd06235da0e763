import { expect, test } from 'vitest'
import { isBreakdown, isPutOff, type Subject, says } from './says.ts'

const all = Array.from({ length: 500 }, (_, index) => ({ status: index + 100 }))
const speakingOf = (...subjects: Subject[]): number[] =>
  all.filter((one) => says(one, ...subjects)).map(({ status }) => status)

test('what speaks of the moment is neither a refusal nor a failure of the target', () => {
  expect(speakingOf('moment')).toEqual([408, 429, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530])
  expect(all.filter(({ status }) => isPutOff(status))).toEqual([{ status: 429 }, { status: 503 }])
})

test('no status speaks of two subjects, and success and redirects of none', () => {
  expect([speakingOf('value'), speakingOf('caller'), speakingOf('thing'), speakingOf('operation')]).toEqual([
    [400, 422],
    [401, 403, 407],
    [404, 410],
    [405, 501],
  ])
  expect(
    speakingOf('value', 'form', 'caller', 'thing', 'operation', 'state', 'moment').filter((one) => one < 400),
  ).toEqual([])
  expect([500, 501, 503, 404].map((status) => isBreakdown({ status }))).toEqual([true, false, false, false])
})
