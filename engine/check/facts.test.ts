import { describe, expect, test } from 'vitest'
import type { Recording } from '../../fixtures/recording/read.ts'
import { againFor, REQUIREMENT, wholeAgain } from '../judge/facts.ts'
import { CHECK_NUMBERS, numberOption } from '../options.ts'
import { checkAgain, clocksApart } from './facts.ts'

describe('the line that checks again', () => {
  test.each([
    [['/folder/rec'], {}, 'npx assay check rec'],
    [['/folder/rec', '/elsewhere/x.har'], {}, 'npx assay check rec /elsewhere/x.har'],
    [['/folder'], {}, 'npx assay check /folder'],
    [['/folder/-x.har'], {}, 'npx assay check ./-x.har'],
    [["/folder/my rec's"], { config: 'a b.json' }, "npx assay check 'my rec'\\''s' --config 'a b.json'"],
    [
      ['/folder/x.har'],
      { target: 'https://x.test/a?b', binding: './own.json', strict: true, alone: true, out: 'o' },
      "npx assay check x.har --target 'https://x.test/a?b' --binding ./own.json --strict --alone",
    ],
    [
      ['/folder/rec'],
      { features: ['boards', 'views'] as [string, ...string[]], alone: true },
      'npx assay check rec --alone --features boards views',
    ],
  ])('of %j with %j holds what it depends on', (paths, options, line) => {
    expect(checkAgain(paths, options, { cwd: '/folder', program: 'npx assay' })).toBe(line)
  })
})

describe('the place of a requirement in a command', () => {
  test('is filled for one requirement, and goes for all of them, whatever the option is called', () => {
    const again = `npx assay replay rec --filter ${REQUIREMENT} --seed 1`
    expect(againFor({ again, strict: false, verb: 'replay' }, { id: 'KEY-NAME-MAX', level: 'implied' })).toBe(
      'npx assay replay rec --filter KEY-NAME-MAX --seed 1',
    )
    expect(wholeAgain(again, '')).toBe('npx assay replay rec --seed 1')
    expect(wholeAgain(`npx assay certify --only ${REQUIREMENT}`, ' --only $& x')).toBe('npx assay certify --only $& x')
  })
})

const recordings = (...clocks: readonly (string | undefined)[]): Recording[] =>
  clocks.map(
    (clock) => ({ about: { tool: 't', startedAt: '', ...(clock === undefined ? {} : { clock }) } }) as Recording,
  )

describe('clocks behind recordings', () => {
  test.each<[string, readonly (string | undefined)[], number]>([
    ['one that does not say which', [undefined], 0],
    ['several of one clock', ['a', 'a', 'a'], 0],
    ['two clocks', ['a', 'b'], 1_000],
    ['several that do not say which', [undefined, undefined], 1_000],
    ['one of several that does not say which', ['a', undefined], 1_000],
  ])('%s', (_, clocks, apart) => {
    expect(clocksApart(recordings(...clocks), undefined)).toBe(apart)
    expect(clocksApart(recordings(...clocks), 50)).toBe(clocks.length > 1 ? 50 : 0)
  })
  test.each(['-1', '1s', '', '99999999'])('are never %j apart', (asked) => {
    expect(numberOption('--clock-skew', asked, CHECK_NUMBERS.clockSkew)).toMatchObject({ where: '--clock-skew' })
  })
})
