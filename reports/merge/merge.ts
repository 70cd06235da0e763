import { inputSides } from '../../rules/sides.ts'
import type { Tally, TallyBook } from '../../rules/tally.ts'
import { decide, lostCases, type RequirementVerdict, type VerdictInput } from '../../rules/verdict.ts'
import type { Requirement } from '../../schemas/ledger.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { claimedOperations } from '../../schemas/operations.ts'
import type {
  Basis,
  CaseOutcome,
  Evidence,
  Report,
  RequirementResult,
  RunInfo,
  SelectedPart,
} from '../../schemas/types/report.ts'
import { basisOf } from '../basis.ts'
import { buildReport, type ReportPieces } from '../build.ts'
import type { NamedReport } from '../compare/compare.ts'
import { createTraffic } from '../traffic.ts'
import { mergeEnvironments } from './environment.ts'
import { addCounts, addEvidence, addFindings } from './evidence.ts'
import { fitting, type Mergeable } from './fit.ts'
import { addFailures, addOperations, slowestOf } from './operations.ts'
import { missingShards } from './shards.ts'

/** What verdicts are decided by. */
export interface Law {
  readonly ledger: ReadonlyMap<string, Requirement>
  readonly schemas: ReadonlyMap<string, JsonSchema>
}

/**
 * One report of several over the same target: of the shards of a run, of certify, check and replay, of several seeds.
 * Evidence adds up, and every verdict is decided anew from the sums, never voted. The order of the reports and the way
 * they are put in brackets make no difference; a run that is given twice counts once; a shard that is not there is said
 * in the verdict. Pure. @throws MergeError where the reports do not go together
 */
export function mergeReports(reports: readonly NamedReport[], law: Law): Report {
  const parts = fitting(reports, new Set(law.ledger.keys()))
  const bases = parts.map(({ basis }) => basis)
  const runs = bases.flatMap((basis) => basis.runs).sort(inTime)
  const earliest = earliestOf(parts, runs[0])
  const input = verdictInput(parts, runs, law)
  const verdicts = decide(input)
  const results = new Map(parts.map((part) => [part, byId(part.report)]))
  const interrupted = runs.some((run) => run.interrupted)
  const selected = selectedOf(bases)
  const pieces: ReportPieces = {
    specification: earliest.specification,
    suite: earliest.suite,
    verdict: verdicts.overall,
    reason: interrupted ? `interrupted; ${verdicts.reason}` : verdicts.reason,
    strict: earliest.strict,
    target: earliest.target,
    binding: {
      ...earliest.binding,
      answered: [...new Set(parts.flatMap(({ report }) => report.binding.answered))].sort(),
      unanswered: [...law.ledger.keys()].filter((id) => input.unanswered.has(id)),
    },
    features: [...input.claimed].sort(),
    seed: earliest.seed,
    profile: PROFILES.find((profile) => runs.some((run) => run.profile === profile)) ?? earliest.profile,
    only: wordsOf(parts),
    requests: runs.reduce((sum, { requests }) => sum + requests, 0),
    startedAt: earliest.startedAt,
    durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
    results: verdicts.requirements.map((verdict) => resultOf(verdict, [...results.values()])),
    operations: addOperations(parts.map(({ report }) => report.operations)),
    ...about(parts, earliest),
    environment: mergeEnvironments(runs),
    leftovers: parts.flatMap(({ report }) => report.leftovers).sort(),
    problems: runs.flatMap(({ problems }) => problems).sort(),
    basis: basisOf({
      runs,
      successes: input.successes,
      expected: expectedOf(bases),
      cases: input.cases,
      verdicts: verdicts.requirements,
      ...(selected ? { selected } : {}),
    }),
  }
  return buildReport(pieces)
}

/** What is said about a run beside its verdicts; of several runs what still means something. */
function about(parts: readonly Mergeable[], earliest: Report): Partial<Report> {
  const { command, configuration, traffic } = earliest
  const alone = parts.length === 1
  const failures = parts.flatMap(({ report }) => report.failures ?? [])
  const slowest = slowestOf(parts.map(({ report }) => report.slowest ?? []))
  return {
    ...(command === undefined ? {} : { command: alone ? command : command.replace(/ --shard \d+\/\d+$/, '') }),
    ...(configuration === undefined ? {} : { configuration }),
    ...(slowest.length === 0 ? {} : { slowest }),
    ...(failures.length === 0 ? {} : { failures: addFailures(failures) }),
    ...(alone && traffic !== undefined ? { traffic } : {}),
    ...(alone ? {} : courseOf(parts)),
  }
}

/** Shards of one recording have a common course; runs at different times have none. */
function courseOf(parts: readonly Mergeable[]): Partial<Report> {
  const shards = parts.every(({ basis }) => basis.runs.every(({ verb, shard }) => verb === 'check' && shard))
  if (!shards) return {}
  const log = createTraffic()
  for (const { report } of parts) if (report.traffic) log.include(report.traffic)
  const traffic = log.traffic()
  return traffic ? { traffic } : {}
}

/** The most searching first. */
const PROFILES = ['thorough', 'standard', 'quick'] as const

function verdictInput(parts: readonly Mergeable[], runs: readonly RunInfo[], law: Law): VerdictInput {
  const bases = parts.map(({ basis }) => basis)
  const claimed = new Set(parts.flatMap(({ report }) => report.features))
  const cases = casesOf(bases)
  const selected = selectedOf(bases)
  return {
    ledger: law.ledger,
    tallies: talliesOf(parts),
    cases,
    sides: inputSides(law.schemas),
    claimed,
    operations: claimedOperations(claimed),
    unanswered: unansweredOf(parts),
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
    successes: bases.reduce((sum, { successes }) => sum + successes, 0),
  }
}

function talliesOf(parts: readonly Mergeable[]): TallyBook {
  const indices = parts.map((part) => ({ results: byId(part.report), basis: part.basis }))
  return {
    add() {
      throw new Error('a merged tally takes no judgements')
    },
    of(requirement): Tally {
      const sides = new Map<string, Set<string>>()
      for (const { basis } of indices) {
        for (const [operation, seen] of Object.entries(basis.sides[requirement] ?? {})) {
          sides.set(operation, new Set([...(sides.get(operation) ?? []), ...seen]))
        }
      }
      return {
        evidence: addEvidence(indices.flatMap(({ results }): Evidence[] => evidenceIn(results, requirement))),
        broken: [],
        sides,
        brokenAt: new Map(Object.entries(addCounts(indices.map(({ basis }) => basis.broken[requirement] ?? {})))),
      }
    },
  }
}

function evidenceIn(results: ReadonlyMap<string, RequirementResult>, requirement: string): Evidence[] {
  const result = results.get(requirement)
  return result ? [result.evidence] : []
}

function resultOf(
  { requirement, verdict, reason, tally }: RequirementVerdict,
  results: readonly ReadonlyMap<string, RequirementResult>[],
): RequirementResult {
  const { id, level, category, feature, section, text } = requirement
  const findings = addFindings(results.map((index) => index.get(id)?.findings ?? []))
  return { id, level, category, feature, section, text, verdict, reason, evidence: tally.evidence, findings }
}

function byId(report: Report): ReadonlyMap<string, RequirementResult> {
  return new Map(report.requirements.map((result) => [result.id, result]))
}

/** How cases ended, each different end once. */
function casesOf(bases: readonly Basis[]): CaseOutcome[] {
  const ends = new Map(bases.flatMap(({ cases }) => cases).map((outcome) => [JSON.stringify(outcome), outcome]))
  return [...ends]
    .sort(([first, a], [second, b]) => {
      if (a.case !== b.case) return a.case < b.case ? -1 : 1
      return first < second ? -1 : 1
    })
    .map(([, outcome]) => outcome)
}

function expectedOf(bases: readonly Basis[]): string[] {
  return [...new Set(bases.flatMap(({ expected }) => expected))].sort()
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

/** Gaps that none of them answers. */
function unansweredOf(parts: readonly Mergeable[]): Set<string> {
  const sets = parts.map(({ report }) => new Set(report.binding.unanswered))
  return new Set([...(sets[0] ?? [])].filter((id) => sets.every((set) => set.has(id))))
}

function inTime(a: RunInfo, b: RunInfo): number {
  return timeKey(a) < timeKey(b) ? -1 : 1
}

function timeKey({ startedAt, verb, prefix }: RunInfo): string {
  return `${startedAt} ${verb} ${prefix}`
}

/** The report that holds the run that began first: what cannot be added up is taken from it. */
function earliestOf(parts: readonly Mergeable[], first: RunInfo | undefined): Report {
  const found = parts.find(({ basis }) => first !== undefined && basis.runs.includes(first)) ?? parts[0]
  if (!found) throw new RangeError('nothing to merge')
  return found.report
}
