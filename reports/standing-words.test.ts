import { describe, expect, test } from 'vitest'
import { judgedInWords, unbrokenInWords } from './standing-words.ts'

const ALL = { exchanges: 24, known: 24, judged: 18, open: 0, doubted: 0, ended: false }

describe('traffic in which nothing was found', () => {
  test.each([
    ['is said to be good where something was judged', {}, 'Nothing that passed breaks the specification; 18 of 24'],
    ['says nothing before something passes', { exchanges: 0, known: 0, judged: 0 }, 'Nothing has passed yet.'],
    ['was not judged where nothing passed', { exchanges: 0, ended: true }, 'Nothing passed, so nothing was judged.'],
    [
      'was not judged where no operation is known',
      { exchanges: 70, known: 0, judged: 0 },
      'Nothing could be judged: no operation of 70 requests is known; give --binding.',
    ],
    [
      'was not judged where the one operation is not known',
      { exchanges: 1, known: 0, judged: 0 },
      'Nothing could be judged: the operation of 1 request is not known; give --binding.',
    ],
    [
      'was not judged where responses say nothing',
      { judged: 0 },
      'Nothing could be judged: no response to 24 known requests shows whether a requirement holds.',
    ],
    ['is open where a finding is not certain yet', { open: 1 }, 'No finding is certain yet.'],
    ['may be broken where something is in doubt', { doubted: 1 }, /beyond doubt/],
  ] as const)('%s', (_, given, words) => expect(unbrokenInWords({ ...ALL, ...given })).toMatch(words))
})

test('one exchange was judged, several were', () => {
  expect(judgedInWords({ exchanges: 2, known: 1, judged: 1 })).toBe('1 of 2 exchanges was judged')
  expect(judgedInWords(ALL)).toBe('18 of 24 exchanges were judged')
})
