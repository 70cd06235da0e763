import { describe, expect, test } from 'vitest'
import { againFor, REQUIREMENT, wholeAgain } from '../judge/facts.ts'
import { checkAgain } from './again.ts'

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
    expect(againFor(again, 'KEY-NAME-MAX')).toBe('npx assay replay rec --filter KEY-NAME-MAX --seed 1')
    expect(wholeAgain(again, '')).toBe('npx assay replay rec --seed 1')
    expect(wholeAgain(`npx assay certify --only ${REQUIREMENT}`, ' --only $& x')).toBe('npx assay certify --only $& x')
  })
})
