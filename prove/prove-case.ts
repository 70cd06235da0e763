import { type Fault, overlayOf } from '../reference/faults/core/fault.ts'
import { allFaults } from '../reference/faults/index.ts'
import { ledger } from '../schemas/ledger.ts'
import type { MeasuredCase } from '../suites/case.ts'
import { allCases } from '../suites/cases/index.ts'
import { failureOf, isWithheld, type ProveOptions } from './prove-mutant.ts'
import { runTrial, type Tried } from './trial.ts'

/** What a case is worth. Its name is the id of the case. */
export interface CaseOutcome extends Tried {
  /** kills: it notices a mutant, all by itself. idle: none that is about its requirements. error: something broke. */
  readonly result: 'kills' | 'idle' | 'error'
  /** the mutant that it notices, and the requirement that turns red; '' where there is none */
  readonly mutant: string
  readonly requirement: string
  /** mutants that were tried */
  readonly tried: number
}

/** A case that is there to see what a target does where the text is open can kill nothing. */
export function isObserver({ requirements }: MeasuredCase): boolean {
  return requirements.every((id) => ledger().get(id)?.level === 'open')
}

/** The mutants that are about the requirements of a case, those that name its operation first. */
export function candidatesFor(one: MeasuredCase, mutants: readonly Fault[] = allFaults()): Fault[] {
  const about = mutants.filter(({ kills }) => kills.some((id) => one.requirements.includes(id)))
  const near = ({ name }: Fault): boolean => name.includes(one.operation)
  return [...about.filter(near), ...about.filter((mutant) => !near(mutant))]
}

/** Runs one case by itself against the mutants that are about its requirements, until it notices one of them. */
export async function proveCase(
  id: string,
  options: ProveOptions,
  mutants: readonly Fault[] = allFaults(),
): Promise<CaseOutcome> {
  const started = performance.now()
  const one = allCases().find((known) => known.id === id)
  if (!one) throw new Error(`there is no case ${id}`)
  let requests = 0
  let tried = 0
  const end = (result: CaseOutcome['result'], more: Partial<CaseOutcome> = {}): CaseOutcome => ({
    name: id,
    about: one.title,
    result,
    mutant: '',
    requirement: '',
    tried,
    requests,
    milliseconds: Math.round(performance.now() - started),
    detail: '',
    ...more,
  })
  for (const mutant of candidatesFor(one, mutants)) {
    tried += 1
    const phase = { cases: [one], concurrency: 1, only: mutant.kills }
    const own = mutant.binding ? { ...options, binding: mutant.binding() } : options
    const trial = await runTrial({
      overlay: overlayOf(mutant),
      ...own,
      ...phase,
      enough: ({ requirement }) => mutant.kills.includes(requirement),
    })
    requests += trial.requests
    const failure = failureOf(trial)
    if (failure !== undefined) return end('error', { mutant: mutant.name, detail: failure })
    const red = trial.broken.find(({ requirement }) => mutant.kills.includes(requirement))
    if (red) return end('kills', { mutant: mutant.name, requirement: red.requirement })
    if (mutant.withheld && trial.broken.length === 0 && (await isWithheld(mutant, trial, phase, own))) {
      return end('kills', { mutant: mutant.name, requirement: mutant.kills[0] ?? '' })
    }
  }
  return end('idle')
}
