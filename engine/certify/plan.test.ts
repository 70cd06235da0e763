import { expect, test } from 'vitest'
import { reproduceLine } from './plan.ts'

test('the embedded target needs no more than seed and requirement', () => {
  const line = reproduceLine({ embedded: true, profile: 'standard' }, 42, 'npx assay')
  expect(line('NODE-TITLE-MAX')).toBe('npx assay certify --embedded --only NODE-TITLE-MAX --seed 42')
})

test('whatever was given on the command line is given again, safe for a shell', () => {
  const options = {
    url: 'http://127.0.0.1:1/x?a=b&c',
    config: 'my config.json',
    binding: './b.json',
    profile: 'quick',
    runs: 7,
    strict: true,
    yesModifyTarget: true,
  }
  expect(reproduceLine(options, 1, 'node dist/cli/main.js')('KEY-NAME-MAX')).toBe(
    "node dist/cli/main.js certify 'http://127.0.0.1:1/x?a=b&c' --config 'my config.json' --binding ./b.json --profile quick --runs 7 --strict --yes-modify-target --only KEY-NAME-MAX --seed 1",
  )
})
