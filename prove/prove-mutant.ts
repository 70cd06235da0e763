import { type Fault, overlayOf } from '../reference/faults/core/fault.ts'
import type { Judgement } from '../rules/core/judgement.ts'
import { inputSides } from '../rules/core/sides.ts'
import { ledger } from '../schemas/ledger.ts'
import { loadResourceSchemas } from '../schemas/load.ts'
import type { Profile } from '../schemas/types/report.ts'
import type { MeasuredCase } from '../suites/case.ts'
import { allCases } from '../suites/cases/index.ts'
import { runTrial, type Trial, type TrialOptions, type Tried } from './trial.ts'

/** How a suite is let loose on a mutant. */
export interface ProveOptions extends Pick<TrialOptions, 'reference' | 'binding'> {
  readonly seed: number
  readonly profile: Profile
}

/** What became of a mutant. Its requests are those until it was noticed; the detail may name other red requirements. */
export interface MutantOutcome extends Tried {
  readonly kills: readonly string[]
  /**
   * killed: a requirement that the fault is about turned red. withheld: it was not found to hold, as the mutant says.
   * unrelated: only other requirements turned red. survived: nothing did. error: the suite or the reference broke.
   */
  readonly result: 'killed' | 'withheld' | 'unrelated' | 'survived' | 'error'
  /** the requirement that turned red first, and the case that found it; '' where none did */
  readonly requirement: string
  readonly case: string
}

/**
 * Sends first what belongs to the requirements of the mutant, then everything else, until one of them turns red.
 * Never throws for what the mutant does.
 */
export async function proveMutant(mutant: Fault, given: ProveOptions): Promise<MutantOutcome> {
  const started = performance.now()
  const options = mutant.binding ? { ...given, binding: mutant.binding() } : given
  const wanted = new Set(mutant.kills)
  const base = { name: mutant.name, about: mutant.about, kills: mutant.kills }
  const end = (outcome: Pick<MutantOutcome, 'result' | 'requests'> & Partial<MutantOutcome>): MutantOutcome => ({
    ...base,
    requirement: '',
    case: '',
    detail: '',
    milliseconds: Math.round(performance.now() - started),
    ...outcome,
  })
  let before = 0
  let withheld = false
  const others = new Set<string>()
  for (const phase of phasesOf(mutant)) {
    let hit: { readonly judgement: Judgement; readonly requests: number } | undefined
    const trial = await runTrial({
      overlay: overlayOf(mutant),
      ...options,
      ...phase,
      enough(judgement, requests) {
        if (!wanted.has(judgement.requirement)) return false
        hit = { judgement, requests }
        return true
      },
    })
    if (hit) {
      const { judgement, requests } = hit
      const [fault] = trial.faults
      // A mutant that breaks down is noticed for that, and not for what it is about.
      if (fault !== undefined)
        return end({ result: 'error', requests: before + requests, detail: `the reference: ${fault}` })
      const { requirement, caseId } = judgement
      const requestsUntil = before + requests
      if (await failsUnchanged(requirement, caseId, options)) {
        const detail = `the unchanged reference fails ${requirement} too: mend that first`
        return end({ result: 'error', requirement, case: caseId, requests: requestsUntil, detail })
      }
      return end({ result: 'killed', requirement, case: caseId, requests: requestsUntil })
    }
    before += trial.requests
    withheld ||= mutant.withheld !== undefined && (await isWithheld(mutant, trial, phase, options))
    if (withheld && trial.broken.length === 0) break
    const failure = failureOf(trial)
    if (failure !== undefined) return end({ result: 'error', requests: before, detail: failure })
    for (const { requirement } of trial.broken) others.add(requirement)
  }
  if (withheld) return end({ result: 'withheld', requests: before, requirement: mutant.kills[0] ?? '' })
  const [first] = others
  if (first === undefined) return end({ result: 'survived', requests: before })
  return end({ result: 'unrelated', requests: before, requirement: first, detail: [...others].join(', ') })
}

const unchanged = new Map<string, Promise<boolean>>()

/** Whether the case turns the requirement red without any fault: then it shows nothing of a mutant. Tried once each. */
function failsUnchanged(requirement: string, caseId: string, options: ProveOptions): Promise<boolean> {
  const key = [requirement, caseId, options.profile, options.seed].join(' ')
  const known = unchanged.get(key)
  const isUsual = options.reference === undefined && options.binding === undefined
  if (known && isUsual) return known
  const cases = allCases().filter(({ id }) => id === caseId)
  const isIt = (judgement: Judgement): boolean => judgement.requirement === requirement
  const tried = runTrial({ ...options, cases, concurrency: 1, only: [requirement], enough: isIt })
  const fails = tried.then(({ broken }) => broken.some(isIt))
  if (isUsual) unchanged.set(key, fails)
  return fails
}

/** Whether a requirement that holds of the reference itself is not found to hold of the mutant. */
export async function isWithheld(
  { kills }: Fault,
  trial: Trial,
  phase: Phase,
  options: ProveOptions,
): Promise<boolean> {
  const isOpen = ({ tallies }: Trial): boolean => {
    const { evidence, sides } = tallies.of(kills[0] ?? '')
    const wanted = SIDES.get(kills[0] ?? '') ?? new Map<string, readonly string[]>()
    return evidence.judged === 0 || [...wanted].some(([id, all]) => all.some((side) => !sides.get(id)?.has(side)))
  }
  if (!isOpen(trial)) return false
  return !isOpen(await runTrial({ ...options, ...phase }))
}

/** What has to be seen of a requirement before it passes. */
const SIDES = inputSides(loadResourceSchemas())

/** Cases that are run together. */
export interface Phase {
  readonly cases: readonly MeasuredCase[]
  readonly concurrency: number
  readonly only?: readonly string[]
}

const PARALLEL = 8

/**
 * The cases that are about a requirement of the mutant, first those that are about few: one made for it is among them.
 * Then those of its operations, then all that share a feature with them. At last those of the beginning one by one,
 * each with a fresh target: what one does may hide the fault from the next.
 */
function phasesOf({ kills }: Fault): Phase[] {
  const cites = allCases().filter(({ requirements }) => requirements.some((id) => kills.includes(id)))
  const operations = new Set(kills.flatMap((id) => ledger().get(id)?.operations ?? []))
  const near = allCases().filter((one) => !cites.includes(one) && operations.has(one.operation))
  const features = new Set([...cites, ...near].flatMap((one) => one.features))
  const far = allCases().filter((one) => one.features.some((feature) => features.has(feature)))
  return [
    {
      cases: [...cites].sort((a, b) => a.requirements.length - b.requirements.length || a.requests[1] - b.requests[1]),
      concurrency: 1,
      only: kills,
    },
    { cases: near, concurrency: PARALLEL },
    { cases: far, concurrency: PARALLEL },
    ...cites.map((one) => ({ cases: [one], concurrency: 1, only: kills })),
  ].filter(({ cases }) => cases.length > 0)
}

/** A mutant that cannot be carried out, or a case that cannot, shows nothing. */
export function failureOf({ records, faults }: Trial): string | undefined {
  if (faults[0] !== undefined) return `the reference: ${faults[0]}`
  return records.find(({ state }) => state === 'error')?.detail
}
