import { describe, expect, test } from 'vitest'
import type { Requirement } from '../../schemas/ledger.ts'
import { againFor, besideOf, wholeAgain } from '../judge/facts.ts'
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

describe('a finding of a case that is about other requirements', () => {
  const cases = [
    { case: 'keys/list', requirements: ['KEY-OBJECT', 'KEY-ID-TYPE'] },
    { case: 'keys/refused', requirements: ['GAP-LIST-PAGES', 'KEY-OBJECT', 'ENT-KEYS-INVALID-CODE'] },
  ]
  const beside = besideOf(cases)

  test('is found again: what selects its case alone stands beside', () => {
    expect(beside('keys/list', 'KEY-OBJECT')).toBeUndefined()
    // Two cases are about KEY-OBJECT. Nobody judges a gap.
    expect(beside('keys/refused', 'ERROR-BODY-OBJECT')).toBe('ENT-KEYS-INVALID-CODE')
    expect(beside('no case', 'ERROR-BODY-OBJECT')).toBeUndefined()
  })

  test('has both in the command', () => {
    const facts = { again: 'assay certify --only {requirement} --seed 1', strict: false }
    const command = (level: Requirement['level']): string => againFor(facts, { id: 'A', level }, 'B')
    expect(command('stated')).toBe('assay certify --only A B --seed 1')
    expect(command('implied')).toBe('assay certify --only A B --strict --seed 1')
    expect(againFor({ ...facts, verb: 'check' }, { id: 'A', level: 'stated' }, 'B')).toBe(
      'assay certify --only A --seed 1',
    )
  })
})
