import { basisOf } from '../../reports/basis.ts'
import { buildReport } from '../../reports/build.ts'
import { missingShards } from '../../reports/merge/runs.ts'
import { quoted } from '../../reports/shell.ts'
import { createOracle } from '../../rules/oracle.ts'
import { answerPlaces, type Binding, resolveBinding, unansweredGaps } from '../../schemas/binding.ts'
import { claimedOperations } from '../../schemas/operations.ts'
import type { Report, RunInfo } from '../../schemas/types/report.ts'
import { againFor, besideOf, type RunFacts, wholeAgain } from './facts.ts'
import { toResult, withStrength } from './findings.ts'
import { createEvidenceJudge, type EvidenceJudge, type EvidenceSource, type JudgeInput, judgeAll } from './judge.ts'

/**
 * The report of a run, from its evidence and its facts alone. It is the same whenever it is computed. `judge`: has judged each
 * exchange of the source already, in this order, so that they need not be read once more.
 */
export async function assembleReport(source: EvidenceSource, facts: RunFacts, judge?: EvidenceJudge): Promise<Report> {
  const binding = resolveBinding(facts.binding)
  const { selected } = facts
  const run = runOf(facts)
  const all = judge ?? (await judgeAll(source, judgeFor(facts)))
  const judged = await all.decide(source, inputOf(facts, binding, run), facts.expected)
  const { verdicts } = judged
  const beside = besideOf(judged.cases)
  const problems = [...facts.problems, ...judged.silent]
  return buildReport({
    specification: '2.1',
    suite: facts.suite,
    verdict: verdicts.overall,
    reason: facts.interrupted ? `interrupted; ${verdicts.reason}` : verdicts.reason,
    ...(verdicts.neverSucceeded.length > 0 ? { neverSucceeded: [...verdicts.neverSucceeded] } : {}),
    strict: facts.strict,
    target: facts.target,
    binding: shownBinding(facts, binding),
    features: [...facts.features],
    seed: facts.seed,
    profile: facts.profile,
    only: [...facts.only],
    requests: judged.requests,
    startedAt: facts.startedAt,
    durationMs: facts.durationMs,
    results: verdicts.requirements.map((verdict) => {
      const again = (caseId: string): string =>
        againFor(facts, verdict.requirement, beside(caseId, verdict.requirement.id))
      return withStrength(toResult(verdict, judged, again, facts.variables, binding.operations))
    }),
    operations: [...judged.operations],
    slowest: [...judged.slowest],
    ...(judged.serverErrors ? { serverErrors: judged.serverErrors } : {}),
    ...(facts.failOn === undefined ? {} : { failOn: [...facts.failOn] }),
    ...(Object.values(judged.failures).some((count) => count > 0) ? { failures: judged.failures } : {}),
    ...(judged.traffic ? { traffic: judged.traffic } : {}),
    configuration: { ...facts.configuration },
    command: commandOf(facts),
    environment: { ...facts.environment },
    leftovers: [...judged.leftovers],
    problems,
    basis: basisOf({
      runs: [{ ...run, requests: judged.requests, problems }],
      successes: judged.successes,
      bodies: judged.bodies,
      expected: facts.expected,
      cases: judged.cases,
      verdicts: verdicts.requirements,
      ...(selected ? { selected } : {}),
    }),
  })
}

/** The judge of what a job is about to send or to read, for its report. */
export function judgeFor({
  traffic,
  ...run
}: Pick<RunFacts, 'binding' | 'basePath' | 'settleMs' | 'traffic'>): EvidenceJudge {
  const { basePath, settleMs } = run
  const factory = createOracle({
    binding: resolveBinding(run.binding),
    basePath,
    settleMs,
    alone: traffic?.alone === true,
  })
  return createEvidenceJudge(factory, traffic && 'traffic')
}

function shownBinding({ binding: { name, chain } }: RunFacts, binding: Binding): Report['binding'] {
  return {
    name,
    chain: [...chain],
    answered: [...binding.answers.keys()].sort(),
    places: Object.fromEntries(answerPlaces(binding)),
    unanswered: unansweredGaps(binding),
  }
}

function inputOf(facts: RunFacts, binding: Binding, run: RunInfo): JudgeInput {
  const claimed = new Set(facts.features)
  const { selected } = facts
  return {
    claimed,
    operations: claimedOperations(claimed),
    unanswered: new Set(unansweredGaps(binding)),
    answered: answerPlaces(binding),
    only: selected
      ? { requirements: new Set(selected.requirements), operations: new Set(selected.operations) }
      : undefined,
    strict: facts.strict,
    missing: missingShards([run]),
    problems: facts.interrupted ? [] : facts.problems,
    interrupted: facts.interrupted,
    ...(facts.traffic ? { source: 'traffic' } : {}),
  }
}

/** Facts and report with the time that all of it took, which is known only when it is done. */
export function withDuration<T extends { readonly facts: RunFacts; readonly report: Report }>(done: T, ms: number): T {
  const durationMs = Math.round(ms)
  const { basis } = done.report
  return {
    ...done,
    facts: { ...done.facts, durationMs },
    report: {
      ...done.report,
      durationMs,
      ...(basis ? { basis: { ...basis, runs: basis.runs.map((run) => ({ ...run, durationMs })) } } : {}),
    },
  }
}

/** The command that repeats the whole run: the one that repeats a requirement, for what the run was asked for. */
function commandOf({ again, only, shard }: RunFacts): string {
  const asked = only.length === 0 ? '' : ` --only ${only.map(quoted).join(' ')}`
  return `${wholeAgain(again, asked)}${shard ? ` --shard ${shard.index}/${shard.of}` : ''}`
}

function runOf(facts: RunFacts): RunInfo {
  return {
    verb: facts.verb ?? 'certify',
    prefix: facts.prefix,
    seed: facts.seed,
    profile: facts.profile,
    startedAt: facts.startedAt,
    durationMs: Math.round(facts.durationMs),
    requests: 0,
    interrupted: facts.interrupted,
    ...(facts.shard ? { shard: facts.shard } : {}),
    problems: [...facts.problems],
    environment: { ...facts.environment },
  }
}
