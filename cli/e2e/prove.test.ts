import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../testing/world.ts'

describe('assay prove, compiled', () => {
  const some =
    'prove --mutants --profile quick --threads 2 --only delete-screen/deleted-false node/title/maxLength-513'.split(' ')

  test('tries faults in threads, writes what it found, and goes on where it stood', async ({ world }) => {
    const first = await world.assay(some)
    expect({ code: first.code, stderr: first.stderr.includes('known from before') }).toEqual({ code: 0, stderr: false })
    expect(first.stdout).toContain('2 mutants: 2 killed, 0 withheld, 0 survived (100.0 % noticed)')
    const proof = JSON.parse(readFileSync(join(world.folder, 'assay-prove', 'prove.json'), 'utf8')) as {
      mutants: { name: string; requirement: string }[]
    }
    expect(proof.mutants.map(({ name, requirement }) => `${name}: ${requirement}`)).toEqual([
      'delete-screen/deleted-false: SCREEN-RESULT-DELETED-TRUE',
      'node/title/maxLength-513: NODE-TITLE-MAX',
    ])
    const second = await world.assay(some)
    expect(second.code).toBe(0)
    expect(second.stderr).toContain('2 of 2 are known from before')
  })

  test('the strength of the suite is written by whole runs only', async ({ world }) => {
    const { code, stderr } = await world.assay([...some, '--write-strength', 'strength.json'])
    expect(code).toBe(2)
    expect(stderr).toContain('--write-strength: the strength of the suite is known of a whole run only')
  })
})
