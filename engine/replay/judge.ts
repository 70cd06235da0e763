import { createOracle } from '../../rules/oracle.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import type { Report } from '../../schemas/types/report.ts'
import { basePathOf } from '../../schemas/url.ts'
import { assembleReport, machineInWords } from '../judge/assemble.ts'
import type { RunFacts } from '../judge/facts.ts'
import { packageInfo } from '../package-info.ts'
import type { ReplayPlan } from './plan.ts'

export interface JudgeReplayInput {
  readonly plan: ReplayPlan
  readonly baseUrl: string
  /** folder of the new exchanges */
  readonly evidence: string
  readonly prefix: string
  readonly startedAt: number
  readonly durationMs: number
  readonly interrupted: boolean
  readonly problems: readonly string[]
  /** the words that replay again, for reports */
  readonly again: string
}

/** Judges the new exchanges by the rules, as those of any run. */
export async function judgeReplay(input: JudgeReplayInput): Promise<Report> {
  const { plan } = input
  const { name, version } = packageInfo()
  const available = features().filter(({ id, available: has }) => has && id !== GENERAL)
  const facts: RunFacts = {
    verb: 'replay',
    suite: { name, version },
    target: {
      name: plan.config.name ?? '',
      version: plan.config.version ?? '',
      baseUrl: input.baseUrl,
      embedded: plan.embedded,
    },
    binding: plan.binding,
    basePath: basePathOf(input.baseUrl),
    settleMs: plan.config.settleTimeout ?? 0,
    features: [...(plan.config.features ?? available.map(({ id }) => id))].sort(),
    strict: plan.config.strict ?? false,
    seed: 0,
    profile: 'quick',
    only: [],
    selected: null,
    shard: plan.shard ?? null,
    prefix: input.prefix,
    expected: [],
    interrupted: input.interrupted,
    problems: input.problems,
    startedAt: new Date(input.startedAt).toISOString(),
    durationMs: input.durationMs,
    environment: machineInWords(),
    configuration: {},
    // What a replay can be narrowed down to are requests, and no requirements.
    again: input.again,
  }
  return assembleReport(input.evidence, facts)
}

/** What is broken, and whether the recording breaks it as well. */
export async function findingsOf(
  report: Report,
  plan: ReplayPlan,
  recording: () => AsyncIterable<Exchange>,
  recordedBase: string,
): Promise<ReplayReport['rules']['findings']> {
  const broken = report.requirements.filter(({ findings }) => findings.length > 0)
  if (broken.length === 0) return []
  const before = new Set<string>()
  const judge = createOracle({
    binding: resolveBinding(plan.binding),
    basePath: recordedBase,
    settleMs: plan.config.settleTimeout ?? 0,
  }).createJudge()
  const note = (judgements: readonly { readonly outcome: string; readonly requirement: string }[]): void => {
    for (const { outcome, requirement } of judgements) if (outcome === 'broken') before.add(requirement)
  }
  for await (const exchange of recording()) note(judge.judge(exchange).judgements)
  note(judge.end())
  return broken.map(({ id, level, findings, evidence }) => ({
    requirement: id,
    level,
    message: findings[0]?.message ?? '',
    count: evidence.broken,
    fresh: !before.has(id),
  }))
}
