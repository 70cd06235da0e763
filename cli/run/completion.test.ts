import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createProgram, run } from '../program.ts'
import { fakeIo } from '../testing.ts'
import { completionScript, placesOf } from './completion.ts'

const places = placesOf(createProgram(fakeIo()))

/** What bash would offer for a line whose last word is being typed. */
function offered(...words: string[]): string[] {
  const script = `${completionScript('bash', places)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_assay
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
}

describe('completion in bash', () => {
  test('offers the verbs that begin so', () => {
    expect(offered('assay', 'ce')).toEqual(['certify'])
    expect(offered('assay', '')).toEqual(expect.arrayContaining(['list', 'explain', 'gaps', '--version']))
  })

  test('offers the options of the verb', () => {
    expect(offered('assay', 'certify', 'http://127.0.0.1', '--se')).toEqual(['--seed'])
    expect(offered('assay', 'list', '--se')).toEqual([''])
  })

  test.each<[string[], string[]]>([
    [
      ['assay', 'certify', '--profile', ''],
      ['quick', 'standard', 'thorough'],
    ],
    [['assay', 'certify', '--profile', 'q'], ['quick']],
    [['assay', 'certify', '--binding', 'ref'], ['reference']],
    [
      ['assay', 'certify', '--only', 'NODE-TITLE-M'],
      ['NODE-TITLE-MAX', 'NODE-TITLE-MIN'],
    ],
    [['assay', 'certify', '--only', 'NODE-TITLE-MAX', 'pipel'], ['pipelines']],
    [['assay', 'certify', '--features', 'boards', 'vie'], ['views']],
    [['assay', 'certify', '--reporter', 'ctr'], ['ctrf']],
    [['assay', 'report', 'compare', '--format', 'mark'], ['markdown']],
    [['assay', 'explain', 'NODE-TITLE-MA'], ['NODE-TITLE-MAX']],
    [
      ['assay', 'binding', 'explain', 'export-'],
      ['export-v1', 'export-v2'],
    ],
    [['assay', 'completion', 'f'], ['fish']],
  ])('offers the values of an option or an argument: %j', (words, expected) => {
    expect(offered(...words).sort()).toEqual(expected)
  })

  test('offers options behind a value, and no value behind the last one of an option', () => {
    expect(offered('assay', 'certify', '--only', 'boards', '--se')).toEqual(['--seed'])
    expect(offered('assay', 'certify', '--profile', 'quick', 'thor')).toEqual([''])
    expect(offered('assay', 'prove', '--only', 'NODE-TITLE-M')).toEqual([''])
  })

  test('a value that is called like a verb leads nowhere', () => {
    expect(offered('assay', 'certify', '--only', 'list', '--se')).toEqual(['--seed'])
  })
})

describe('the scripts', () => {
  test('of zsh and fish know each verb with what it is for', () => {
    const [root] = places
    const verbs = (root?.words ?? []).filter(({ word }) => !word.startsWith('--'))
    expect(verbs.length).toBeGreaterThanOrEqual(9)
    for (const { word, about } of verbs) {
      expect(completionScript('zsh', places)).toContain(`${word}:${about.replaceAll("'", `'\\''`)}`)
      expect(completionScript('fish', places)).toContain(`-f -a ${word} -d '${about.replaceAll("'", `'\\''`)}'`)
    }
  })

  test('of a shell that is not known end in one line', async () => {
    const io = fakeIo()
    expect(await run(['completion', 'tcsh'], io)).toBe(2)
    expect(io.err()).toBe('error: completion: there is no script for "tcsh"; choose one of bash, zsh, fish\n')
  })
})
