import { expect } from 'vitest'
import { type Fault, overlayOf } from '../reference/faults/core/fault.ts'
import { inputSides } from '../rules/core/sides.ts'
import { decide, type Verdicts } from '../rules/core/verdict.ts'
import { answerPlaces, resolveBinding, shippedBinding, unansweredGaps } from '../schemas/binding.ts'
import { features, GENERAL } from '../schemas/features.ts'
import { ledger } from '../schemas/ledger.ts'
import { loadResourceSchemas } from '../schemas/load.ts'
import { claimedOperations } from '../schemas/operations.ts'
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

/** Runs cases against the reference: all of them, and quickly, if nothing else is said. */
export function run(options: Partial<TrialOptions>): Promise<Trial> {
  return runTrial({ seed: 1, profile: 'quick', cases: allCases(), concurrency: 8, ...options })
}

/** The cases of which the id holds. */
export function casesOf(isWanted: (id: string) => boolean): TrialOptions['cases'] {
  return allCases().filter(({ id }) => isWanted(id))
}

/** What is found broken, in words. */
export function blamedBy({ broken }: Trial): unknown[] {
  return broken.map(({ requirement, message, actual }) => [requirement, message, actual])
}

/** Runs cases against the reference with one fault, and holds the run itself to having gone well. */
export async function tried(
  fault: Fault,
  options: Partial<TrialOptions> = {},
): Promise<{ readonly trial: Trial; readonly red: string[] }> {
  const trial = await run({ overlay: overlayOf(fault), cases: casesAbout(fault), ...options })
  expect(trial.faults).toEqual([])
  expect(trial.records.filter(({ state }) => state === 'error')).toEqual([])
  return { trial, red: [...new Set(trial.broken.map(({ requirement }) => requirement))].sort() }
}

const claimed = new Set(features().flatMap(({ id, available }) => (available && id !== GENERAL ? [id] : [])))
const files = [shippedBinding('reference'), shippedBinding('default')]
const binding = resolveBinding({ name: 'reference', chain: ['reference', 'default'], files })

/** What a run with these exchanges and cases ends with. */
export function verdictsOf(trial: Trial): Verdicts {
  return decide({
    ledger: ledger(),
    tallies: trial.tallies,
    cases: trial.records,
    sides: inputSides(loadResourceSchemas()),
    claimed,
    operations: claimedOperations(claimed),
    unanswered: new Set(unansweredGaps(binding)),
    answered: answerPlaces(binding),
    only: undefined,
    strict: true,
    problems: trial.faults,
    successes: [...trial.exchanges.values()].filter(({ response: { status } }) => status < 300).length,
  })
}
