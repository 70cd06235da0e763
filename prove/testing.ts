import { expect } from 'vitest'
import { type Fault, overlayOf } from '../reference/faults/core/fault.ts'
import { allCases } from '../suites/cases/index.ts'
import type { Selection } from './job.ts'
import { runTrial, type Trial, type TrialOptions } from './trial.ts'

/** All mutants and all variants, quickly. */
export const EVERYTHING: Selection = {
  mutants: true,
  variants: true,
  only: [],
  sample: undefined,
  seed: 1,
  seeds: 1,
  mutantProfile: 'quick',
  variantProfile: 'quick',
}

/** The cases that cite something that a fault breaks. */
function casesAbout({ kills }: Fault): TrialOptions['cases'] {
  return allCases().filter(({ requirements }) => requirements.some((id) => kills.includes(id)))
}

/** Runs cases against the reference with one fault, and holds the run itself to having gone well. */
export async function tried(
  fault: Fault,
  options: Partial<TrialOptions> = {},
): Promise<{ readonly trial: Trial; readonly red: string[] }> {
  const trial = await runTrial({
    overlay: overlayOf(fault),
    seed: 1,
    profile: 'quick',
    cases: options.cases ?? casesAbout(fault),
    concurrency: 8,
    enough: () => false,
    ...options,
  })
  expect(trial.faults).toEqual([])
  expect(trial.records.filter(({ state }) => state === 'error')).toEqual([])
  return { trial, red: [...new Set(trial.broken.map(({ requirement }) => requirement))].sort() }
}
