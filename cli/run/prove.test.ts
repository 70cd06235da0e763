import { expect, test } from 'vitest'
import type { Job, Outcome } from '../../prove/job.ts'
import type { CaseOutcome } from '../../prove/prove-case.ts'
import type { MutantOutcome } from '../../prove/prove-mutant.ts'
import { casesIn, mutantsIn, type Proof, summarise, variantsIn } from '../../prove/summary.ts'
import { fakeIo } from '../testing.ts'
import { renderProof } from './prove.ts'

const JOB: Job = { kind: 'mutant', name: 'x', seed: 1, profile: 'quick' }

function mutant(name: string, result: MutantOutcome['result'], requirement = ''): Outcome {
  const common = {
    about: `about ${name}`,
    kills: ['NODE-TITLE-MAX'],
    case: '',
    requests: 5,
    milliseconds: 1,
    detail: '',
  }
  return { job: JOB, mutant: { ...common, name, result, requirement } }
}

function oneCase(name: string, result: CaseOutcome['result']): Outcome {
  const common = { about: '', mutant: '', requirement: '', tried: 4, requests: 1, milliseconds: 1, detail: '' }
  return { job: JOB, case: { ...common, name, result } }
}

function proofOf(outcomes: readonly Outcome[], whole = false): Proof {
  const summary = summarise(outcomes, whole)
  const lists = { mutants: mutantsIn(outcomes), variants: variantsIn(outcomes), cases: casesIn(outcomes) }
  return { ...lists, summary, equivalents: [], threads: 2, seconds: 61 }
}

function rendered(outcomes: readonly Outcome[], whole = false): string {
  return renderProof(proofOf(outcomes, whole), fakeIo({ cwd: '/', env: {} }))
}

test('survivors come first, then what is killed by something else, then cases and requirements that are worth nothing', () => {
  const text = rendered(
    [
      oneCase('idle/case', 'idle'),
      oneCase('good/case', 'kills'),
      mutant('good', 'killed', 'NODE-TITLE-MAX'),
      mutant('astray', 'unrelated', 'TAP-LIMIT'),
      mutant('alive', 'survived'),
    ],
    true,
  )
  const places = ['alive', 'astray', 'idle/case', 'NODE-TITLE-PATTERN', '3 mutants'].map((word) => text.indexOf(word))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(Math.min(...places)).toBeGreaterThan(0)
  expect(text).not.toContain('good/case')
  expect(text).toContain('3 mutants: 1 killed, 0 withheld, 2 survived (33.3 % noticed)')
  expect(text).toContain('61 s on 2 threads')
})

test('where all is well, some of what was noticed is shown', () => {
  const many = Array.from({ length: 50 }, (_, index) => mutant(`fault-${index}`, 'killed', 'NODE-TITLE-MAX'))
  const text = rendered(many)
  expect(text).toContain('fault-0')
  expect(text).toContain('and 10 more, all as they should be')
  expect(text).toContain('requests to the first kill: 5 in the median, 5 at most')
})
