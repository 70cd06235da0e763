import { inputSides } from '../../rules/core/sides.ts'
import { type Tally, type TallyBook, withFailures, withoutFailures } from '../../rules/core/tally.ts'
import { decide, lostCases, type RequirementVerdict, type VerdictInput } from '../../rules/core/verdict.ts'
import { FAILS } from '../../rules/topics/general/works.ts'
import { ledger } from '../../schemas/ledger.ts'
import { loadResourceSchemas } from '../../schemas/load.ts'
import { claimedOperations } from '../../schemas/operations.ts'
import type {
  Basis,
  CaseOutcome,
  Evidence,
  Finding,
  Report,
  RunInfo,
  SelectedPart,
} from '../../schemas/types/report.ts'
import { basisOf } from '../basis.ts'
import { buildReport, type ReportPieces, resultOf, resultsById } from '../build.ts'
import type { NamedReport } from '../compare/compare.ts'
import { addServerErrors } from '../server-errors.ts'
import { addCounts, addEvidence, addFindings, sumsOf } from './evidence.ts'
import { fitting, type Mergeable } from './fit.ts'
import { addOperations, slowestOf } from './operations.ts'
import { mergeEnvironments, missingShards } from './runs.ts'

/**
 * One report of several over the same target: of the shards of a run, of certify, check and replay, of several seeds.
 * Evidence adds up, and every verdict is decided anew from the sums, never voted. The order and grouping of the reports
 * make no difference. A run that is given twice counts once. The verdict names a missing shard.
 * @throws MergeError where the reports do not go together
 */
export function mergeReports(reports: readonly NamedReport[]): Report {
  const parts = fitting(reports)
  const bases = parts.map(({ basis }) => basis)
  const runs = bases.flatMap((basis) => basis.runs).sort(inTime)
  const earliest = earliestOf(parts, runs[0])
  const input = verdictInput(parts, runs)
  const verdicts = decide(input)
  const interrupted = runs.some((run) => run.interrupted)
  const selected = selectedOf(bases)
  const pieces: ReportPieces = {
    specification: earliest.specification,
    suite: earliest.suite,
    verdict: verdicts.overall,
    reason: interrupted ? `interrupted; ${verdicts.reason}` : verdicts.reason,
    ...(verdicts.neverSucceeded.length > 0 ? { neverSucceeded: [...verdicts.neverSucceeded] } : {}),
    strict: earliest.strict,
    target: earliest.target,
    binding: {
      ...earliest.binding,
      answered: [...new Set(parts.flatMap(({ report }) => report.binding.answered))].sort(),
      ...(input.answered.size > 0 ? { places: Object.fromEntries(input.answered) } : {}),
      unanswered: [...ledger().keys()].filter((id) => input.unanswered.has(id)),
    },
    features: [...input.claimed].sort(),
    seed: earliest.seed,
    profile: PROFILES.find((profile) => runs.some((run) => run.profile === profile)) ?? earliest.profile,
    only: wordsOf(parts),
    ...sumsOf(runs, 'requests'),
    startedAt: earliest.startedAt,
    ...sumsOf(runs, 'durationMs'),
    results: verdicts.requirements.map((verdict) => resultOf(verdict, findingsOf(verdict, parts))),
    operations: addOperations(parts.map(({ report }) => report.operations)),
    ...about(parts, earliest),
    environment: mergeEnvironments(runs),
    leftovers: parts.flatMap(({ report }) => report.leftovers).sort(),
    problems: runs.flatMap(({ problems }) => problems).sort(),
    basis: basisOf({
      runs,
      successes: input.successes,
      bodies: input.bodies,
      expected: expectedOf(bases),
      cases: input.cases,
      verdicts: verdicts.requirements,
      ...(selected ? { selected } : {}),
    }),
  }
  return buildReport(pieces)
}

/** The notes of a run beside its verdicts; of several runs, those that still mean something. */
function about(parts: readonly Mergeable[], earliest: Report): Partial<Report> {
  const { command, configuration, traffic } = earliest
  const alone = parts.length === 1
  const serverErrors = addServerErrors(parts.map(({ report }) => report.serverErrors))
  const failOn = [...new Set(parts.flatMap(({ report }) => report.failOn ?? []))]
  const failures = parts.flatMap(({ report }) => report.failures ?? [])
  const slowest = slowestOf(parts.map(({ report }) => report.slowest ?? []))
  return {
    ...(command === undefined ? {} : { command: alone ? command : command.replace(/ --shard \d+\/\d+$/, '') }),
    ...(configuration === undefined ? {} : { configuration }),
    ...(slowest.length === 0 ? {} : { slowest }),
    ...(serverErrors === undefined ? {} : { serverErrors }),
    ...(failOn.length === 0 ? {} : { failOn }),
    ...(failures.length === 0 ? {} : { failures: sumsOf(failures, 'serverErrors', 'unanswered', 'repeated') }),
    // Runs at different times have no common course.
    ...(alone && traffic !== undefined ? { traffic } : {}),
  }
}

/** Read once, and not before a merge needs it. */
let sides: VerdictInput['sides'] | undefined

/** The most searching first. */
const PROFILES = ['thorough', 'standard', 'quick'] as const

function verdictInput(parts: readonly Mergeable[], runs: readonly RunInfo[]): VerdictInput {
  const bases = parts.map(({ basis }) => basis)
  const claimed = new Set(parts.flatMap(({ report }) => report.features))
  const cases = casesOf(bases)
  sides ??= inputSides(loadResourceSchemas())
  const selected = selectedOf(bases)
  return {
    ledger: ledger(),
    tallies: talliesOf(parts),
    cases,
    sides,
    claimed,
    operations: claimedOperations(claimed),
    unanswered: unansweredOf(parts),
    answered: placesOf(parts),
    only: selected && {
      requirements: new Set(selected.requirements),
      operations: new Set(selected.operations),
    },
    strict: parts.some(({ report }) => report.strict),
    missing: missingShards(runs),
    ...(runs.every(({ verb }) => verb === 'check') ? { source: 'traffic' } : {}),
    problems: [
      ...runs.flatMap((run) => (run.interrupted ? [] : run.problems)).sort(),
      ...lostCases(expectedOf(bases), cases),
    ],
    ...sumsOf(bases, 'successes'),
    ...bodiesOf(bases),
  }
}

function talliesOf(parts: readonly Mergeable[]): TallyBook {
  return {
    add() {
      throw new Error('a merged tally takes no judgements')
    },
    of(requirement): Tally {
      const tallies = parts.flatMap(({ report, basis }): Tally[] => {
        const evidence = resultsById(report).get(requirement)?.evidence
        return evidence ? [withoutFailures(tallyOf(evidence, basis, requirement))] : []
      })
      const sides = new Map<string, Set<string>>()
      for (const tally of tallies) {
        for (const [operation, seen] of tally.sides) {
          sides.set(operation, new Set([...(sides.get(operation) ?? []), ...seen]))
        }
      }
      const times = (counts: (tally: Tally) => Tally['brokenAt']): Tally['brokenAt'] =>
        new Map(Object.entries(addCounts(tallies.map((tally) => Object.fromEntries(counts(tally))))))
      return withFailures({
        evidence: addEvidence(tallies.map(({ evidence }) => evidence)),
        broken: [],
        failed: [],
        sides,
        brokenAt: times(({ brokenAt }) => brokenAt),
        failedAt: times(({ failedAt }) => failedAt),
      })
    },
  }
}

/** What a report says of one requirement, as far as sums need it. */
function tallyOf(evidence: Evidence, { sides, broken, failed = {} }: Basis, requirement: string): Tally {
  return {
    evidence,
    broken: [],
    failed: [],
    sides: new Map(Object.entries(sides[requirement] ?? {}).map(([operation, seen]) => [operation, new Set(seen)])),
    brokenAt: new Map(Object.entries(broken[requirement] ?? {})),
    failedAt: new Map(Object.entries(failed[requirement] ?? {})),
  }
}

/** The findings of all parts; but what failed in one part may have worked in another. */
function findingsOf({ requirement, tally }: RequirementVerdict, parts: readonly Mergeable[]): Finding[] {
  const counts = ({ edge, operation }: Finding): boolean => edge !== FAILS || !tally.sides.has(operation)
  return addFindings(parts.map(({ report }) => resultsById(report).get(requirement.id)?.findings.filter(counts) ?? []))
}

/** How cases ended, each different end once: of equal ones, the one that took longest. */
function casesOf(bases: readonly Basis[]): CaseOutcome[] {
  const ends = new Map<string, CaseOutcome>()
  for (const outcome of bases.flatMap(({ cases }) => cases)) {
    const { durationMs = 0, ...end } = outcome
    const key = JSON.stringify(end)
    if (durationMs >= (ends.get(key)?.durationMs ?? 0)) ends.set(key, outcome)
  }
  const key = ([end, outcome]: readonly [string, CaseOutcome]): string => `${outcome.case}\0${end}`
  return [...ends].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(([, outcome]) => outcome)
}

function expectedOf(bases: readonly Basis[]): string[] {
  return [...new Set(bases.flatMap(({ expected }) => expected))].sort()
}

/** Nothing where a report does not tell: it may be older. */
function bodiesOf(bases: readonly Basis[]): Pick<VerdictInput, 'bodies'> {
  const told = bases.flatMap(({ bodies }) => bodies ?? [])
  return told.length < bases.length ? {} : { bodies: sumsOf(told, 'sent', 'accepted') }
}

/** Undefined where one of them ran everything. */
function selectedOf(bases: readonly Basis[]): SelectedPart | undefined {
  const selected = bases.flatMap((basis) => basis.selected ?? [])
  if (selected.length < bases.length) return undefined
  return {
    requirements: [...new Set(selected.flatMap(({ requirements }) => requirements))].sort(),
    operations: [...new Set(selected.flatMap(({ operations }) => operations))].sort(),
  }
}

/** The words of --only; none where one of the reports is of everything. */
function wordsOf(parts: readonly Mergeable[]): string[] {
  const words = parts.map(({ report }) => report.only)
  const [first = []] = words
  if (words.every((other) => other.join('\n') === first.join('\n'))) return [...first]
  return words.some((only) => only.length === 0) ? [] : [...new Set(words.flat())].sort()
}

/** Where gaps are answered: of several bindings, as the one says whose place comes first by name. */
function placesOf(parts: readonly Mergeable[]): Map<string, string> {
  const all = parts.flatMap(({ report }) => Object.entries(report.binding.places ?? {}))
  return new Map(all.sort().reverse())
}

/** Gaps that none of them answers. */
function unansweredOf(parts: readonly Mergeable[]): Set<string> {
  const sets = parts.map(({ report }) => new Set(report.binding.unanswered))
  return new Set([...(sets[0] ?? [])].filter((id) => sets.every((set) => set.has(id))))
}

function inTime(a: RunInfo, b: RunInfo): number {
  const key = ({ startedAt, verb, prefix }: RunInfo): string => `${startedAt} ${verb} ${prefix}`
  return key(a) < key(b) ? -1 : 1
}

/** The report that holds the run that began first: values that cannot be added up are taken from it. */
function earliestOf(parts: readonly Mergeable[], first: RunInfo | undefined): Report {
  const found = parts.find(({ basis }) => first !== undefined && basis.runs.includes(first)) ?? parts[0]
  if (!found) throw new RangeError('nothing to merge')
  return found.report
}
