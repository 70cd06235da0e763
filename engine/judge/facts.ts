import { availableParallelism, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { FileFault, readPlainJson } from '../../fixtures/plain-file.ts'
import type { Recording } from '../../fixtures/recording/read.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { ledger, type Requirement } from '../../schemas/ledger.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { RunFacts } from '../../schemas/types/facts.ts'
import { basePathOf } from '../../schemas/url.ts'
import { recordValidator } from '../../schemas/validator.ts'
import { placeIn } from '../config/record-problems.ts'
import { UsageError } from '../errors.ts'
import { packageInfo } from '../package-info.ts'

export type { RunFacts } from '../../schemas/types/facts.ts'

/** What follows from a configuration, and what the facts of a job say that runs no cases. Others say more. */
export function factsAbout(
  config: TargetConfig,
  baseUrl: string,
  startedAt: number,
): Omit<RunFacts, 'binding' | 'features' | 'profile' | 'prefix' | 'problems' | 'again'> {
  const { name = '', version = '', settleTimeout = 0, strict = false } = config
  return {
    suite: packageInfo(),
    target: { name, version, baseUrl, embedded: false },
    basePath: basePathOf(baseUrl),
    settleMs: settleTimeout,
    strict,
    seed: 0,
    only: [],
    selected: null,
    shard: null,
    expected: [],
    interrupted: false,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: 0,
    environment: machineInWords(),
    configuration: {},
  }
}

/** The machine that a run is sent from, in words: what may explain its latencies. */
function machineInWords(): Record<string, string> {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    system: release(),
    processors: String(availableParallelism()),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** What stands for the id of a requirement in `again`. */
export const REQUIREMENT = '{requirement}'

/** A word of `again` that chooses one requirement, with the option before it, and the folder that it alone is written to. */
const CHOICE = new RegExp(` --[a-z]+ ${REQUIREMENT}(?: --out (?:\\\\.|\\$'(?:\\\\.|[^'])*'|'[^']*'|[^\\s'])+)?`)

/**
 * The command that runs one requirement again. A run of what the text does not state is strict: it ends with 1 where a run
 * of everything warns. `beside`: another requirement, without which the case that showed the finding is not run.
 */
export function againFor(
  { again, strict, verb = 'certify' }: Pick<RunFacts, 'again' | 'strict' | 'verb'>,
  { id, level }: Pick<Requirement, 'id' | 'level'>,
  beside?: string,
): string {
  const isWarning = verb === 'certify' && !strict && level !== 'stated'
  const ids = beside === undefined || verb !== 'certify' ? id : `${id} ${beside}`
  return again.replaceAll(REQUIREMENT, () => (isWarning ? `${ids} --strict` : ids))
}

/**
 * By case and requirement: what else has to be selected to run the case, where the case is not about the requirement.
 * It is the one that the fewest cases are about, since all of them are run.
 */
export function besideOf(
  cases: readonly Pick<CaseRecord, 'case' | 'requirements'>[],
): (caseId: string, requirement: string) => string | undefined {
  const about = new Map(cases.map(({ case: id, requirements }) => [id, requirements]))
  const counts = new Map<string, number>()
  for (const id of [...about.values()].flat()) counts.set(id, (counts.get(id) ?? 0) + 1)
  const judged = (id: string): boolean => ledger().get(id)?.level !== 'open'
  return (caseId, requirement) => {
    const own = about.get(caseId) ?? []
    if (own.includes(requirement)) return undefined
    return own.filter(judged).sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))[0]
  }
}

/** The command that runs everything again. `chosen`: what the run was asked for, as it stood on the command line. */
export function wholeAgain(again: string, chosen: string): string {
  return again.replace(CHOICE, () => chosen)
}

/** Stands beside the evidence of a run, so that it can be judged again. */
export const FACTS_FILE = 'run.json'

/**
 * Why a value is not the facts of a run, with its JSON pointer; undefined: it is such. Only assay writes and reads them,
 * but others may have changed them in between. An unknown field is ignored: another version may have written it.
 */
export function factsFault(value: unknown): { readonly pointer: string; readonly what: string } | undefined {
  const [found] = recordValidator()
    .violations('facts', value)
    .filter(({ keyword }) => keyword !== 'additionalProperties')
  if (found) return { pointer: found.pointer, what: found.message }
  try {
    resolveBinding((value as RunFacts).binding)
    return undefined
  } catch {
    return { pointer: '/binding', what: 'is no binding that could be in force' }
  }
}

/** What a run left beside its evidence; undefined where it is no evidence of a run. @throws UsageError */
export function factsIn(recording: Pick<Recording, 'folder'>): RunFacts | undefined {
  const path = join(recording.folder, FACTS_FILE)
  let value: unknown
  try {
    value = readPlainJson(path, 'found').value
  } catch (thrown) {
    if (thrown instanceof FileFault && thrown.code === 'ENOENT') return undefined
    throw thrown
  }
  if (value === undefined) return undefined
  const fault = factsFault(value)
  if (!fault) return value as RunFacts
  const hint = 'remove this file to judge the exchanges as traffic'
  throw new UsageError({ where: placeIn(path, fault.pointer), what: `not as a run wrote it: ${fault.what}`, hint })
}
