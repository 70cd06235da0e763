import { expect, test } from 'vitest'
import { findingRows } from './finding-rows.ts'
import { aFinding, anExchange, anUpdateFinding } from './testing.ts'
import { apart } from './text.ts'

const words = (finding: Parameters<typeof findingRows>[0], options?: Parameters<typeof findingRows>[1]): string[] =>
  findingRows(finding, options).map(({ label, text }) => `${label}|${text}`)

test('rows tell what is broken, where, the change, the read that does not show it, and how to see it again', () => {
  expect(words(anUpdateFinding({ curl: 'curl x' }), { base: 'http://127.0.0.1:8080' })).toEqual([
    '|an update was accepted, but a later read shows nothing of it',
    'expected|refused, as the same request with 512 characters was accepted',
    'actual|200',
    'at|update-transform, /title, length 513',
    'case|transform.title',
    'change|PUT /v3/pipeline/1/transform/2 -> 200',
    '|{"title":"new"}',
    'request|GET /v3/pipeline/1/transform/2 -> 200',
    'response|{"title":"old"}',
    'again|npx assay certify http://127.0.0.1:8080 --only NODE-TITLE-MAX --seed 42',
    'by hand|curl x',
  ])
})

test('a body that is sent twice is shown once', () => {
  const exchanges = ['control', 'deciding'].map((role) => anExchange({ role, requestBody: '{"a":1}' }))
  expect(words(aFinding({ exchanges })).filter((row) => row.startsWith('|'))).toEqual([
    '|a title of 513 characters was accepted',
    '|{"a":1}',
    '|the same body',
  ])
})

test('of two long texts the place where they begin to differ is never cut away', () => {
  const long = 'the same words, again and again. '.repeat(20)
  const [left, right] = apart(`${long}ONE${long}`, `${long}TWO${long}`, 80)
  expect(left).toMatch(/^….*ONE/)
  expect(right).toMatch(/^….*TWO/)
  const rows = findingRows(aFinding({ expected: `${long}ONE`, actual: `${long}TWO` }), { most: 80 })
  expect(rows.filter(({ kind }) => kind === 'differs').map(({ text }) => text.slice(-3))).toEqual(['ONE', 'TWO'])
  expect(apart(long, '', 80)[0]).toMatch(/^the same.*… \(of 660 characters\)$/)
  expect(apart('a', 'b', 80)).toEqual(['a', 'b'])
})
