import type { HeldTo } from '../../reports/expectations/held.ts'
import type { BindingData } from '../../schemas/binding.ts'
import type { Profile, ReportTarget, RunInfo, SelectedPart, Shard, SuiteInfo } from '../../schemas/types/report.ts'

/**
 * All that a report of a run depends on beside its evidence, as plain data: kept in a bundle, it lets anybody work the
 * report out again.
 */
export interface RunFacts {
  /** what was done; certify, if left out */
  readonly verb?: RunInfo['verb']
  readonly suite: SuiteInfo
  readonly target: ReportTarget
  /** as it was in force: without the operations that the target turned out not to have */
  readonly binding: BindingData
  /** path of the target's base URL, without a slash at its end */
  readonly basePath: string
  /** milliseconds within which a read may still be old */
  readonly settleMs: number
  /** exchanges that nobody sent for the sake of a verdict; `alone`: whoever was recorded was alone, before and meanwhile */
  readonly traffic?: { readonly alone: boolean }
  /** features claimed, sorted */
  readonly features: readonly string[]
  readonly strict: boolean
  /** what fails the run beside broken requirements; left out: nothing */
  readonly failOn?: readonly 'server-error'[]
  readonly seed: number
  readonly profile: Profile
  /** words of --only, and what they came to */
  readonly only: readonly string[]
  readonly selected: SelectedPart | null
  readonly shard: Shard | null
  /** stands in every name that the run gave */
  readonly prefix: string
  /** ids of the cases that were to run; of an interrupted run none is missed */
  readonly expected: readonly string[]
  readonly interrupted: boolean
  /** errors of the run itself */
  readonly problems: readonly string[]
  /** ISO 8601 */
  readonly startedAt: string
  readonly durationMs: number
  readonly environment: Readonly<Record<string, string>>
  /** path in the configuration -> value as text, without secrets */
  readonly configuration: Readonly<Record<string, string>>
  /** kind of a credential -> the environment variable that holds it, where the configuration names one */
  readonly variables?: Readonly<Record<string, string>>
  /** the command that runs one requirement again; `REQUIREMENT` stands for its id, where the verb can choose one */
  readonly again: string
  /** in a bundle: what the report is held to, where it is */
  readonly heldTo?: HeldTo
}

/** What stands for the id of a requirement in `again`. */
export const REQUIREMENT = '{requirement}'

/** A word of `again` that chooses one requirement, with the option before it. */
const CHOICE = new RegExp(` --[a-z]+ ${REQUIREMENT}`)

/** The command that runs one requirement again. */
export function againFor(again: string, requirement: string): string {
  return again.replaceAll(REQUIREMENT, () => requirement)
}

/** The command that runs everything again. `chosen`: what the run was asked for, as it stood on the command line. */
export function wholeAgain(again: string, chosen: string): string {
  return again.replace(CHOICE, () => chosen)
}

/** Stands beside the evidence of a run, so that it can be judged again. */
export const FACTS_FILE = 'run.json'
