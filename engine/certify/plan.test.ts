import { expect, test } from 'vitest'
import { againFor, wholeAgain } from '../judge/facts.ts'
import { againLine } from './plan.ts'

test('the embedded target needs no more than seed, requirement and a folder of its own', () => {
  expect(againLine({ embedded: true, profile: 'standard' }, 42, 'npx assay')).toBe(
    'npx assay certify --embedded --only {requirement} --out assay-report-again --seed 42',
  )
})

test('whatever was given on the command line is given again, safe for a shell', () => {
  const options = {
    url: 'http://127.0.0.1:1/x?a=b&c',
    config: 'my config.json',
    binding: './b.json',
    profile: 'quick',
    runs: 7,
    strict: true,
    rate: 5,
    maxIngest: 0,
    readOnly: false,
    yesModifyTarget: true,
    out: "it's here/",
  }
  const again = againLine(options, 1, 'node dist/cli/main.js')
  const whole =
    "node dist/cli/main.js certify 'http://127.0.0.1:1/x?a=b&c' --config 'my config.json' --binding ./b.json --profile quick --runs 7 --strict --rate 5 --max-ingest 0 --yes-modify-target --seed 1"
  expect(againFor({ again, strict: true }, { id: 'KEY-NAME-MAX', level: 'implied' })).toBe(
    whole.replace(' --seed', " --only KEY-NAME-MAX --out 'it'\\''s here-again' --seed"),
  )
  expect(wholeAgain(again, '')).toBe(whole)
})

test('a command that was pasted gives itself again', () => {
  expect(againLine({ out: 'report-again' }, 1, 'assay')).toBe(
    'assay certify --only {requirement} --out report-again --seed 1',
  )
})

test.each([
  ['stated', false, 'assay certify --only X'],
  ['implied', false, 'assay certify --only X --strict'],
  ['declared', false, 'assay certify --only X --strict'],
  ['implied', true, 'assay certify --only X'],
] as const)('what only warns fails when it is run again alone: %s, strict %s', (level, strict, expected) => {
  expect(againFor({ again: 'assay certify --only {requirement}', strict }, { id: 'X', level })).toBe(expected)
})
