import { randomBytes } from 'node:crypto'
import { Unjudged, unjudgedInWords } from '../../rules/core/unjudged.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import type { Report } from '../../schemas/types/report.ts'
import { withoutSlash } from '../../schemas/url.ts'
import { secretsOf } from '../../suites/request/credentials.ts'
import { assembleReport, judgeFor } from '../judge/assemble.ts'
import type { RunFacts } from '../judge/facts.ts'
import { type JudgeWatch, judgeAll } from '../judge/judge.ts'
import { bindingInWords } from '../recordings/recorded-binding.ts'
import { readBy, requireTarget } from '../recordings/recordings.ts'
import { trafficSource } from './exchanges.ts'
import { apartInWords, type CheckJob, clocksApart, factsOf } from './facts.ts'
import { createMissing } from './missing.ts'

/** A report, and what there is to say of it, a line each: what could not be judged, most of all. */
export interface Noted {
  readonly report: Report
  readonly notes: readonly string[]
}

/**
 * Heap that judging much traffic may take before garbage is collected: knowledge of many things takes up to half of it.
 */
const HEAP_BYTES = 192 * 1024 * 1024

/** Judges recorded traffic. @throws UsageError */
export async function checkTraffic(job: CheckJob): Promise<Noted> {
  const { recordings, options, caller } = job
  const startedAt = Date.now()
  const { config, found, binding, target: known } = await readBy(recordings, options, caller)
  const target = withoutSlash(requireTarget(known, recordings.map(({ path }) => path).join(', ')))
  const apartMs = clocksApart(recordings, options.clockSkew)
  const missing = createMissing()
  const problems: string[] = []
  /** operations that occurred */
  const seen = new Set<string>()
  const reading = {
    binding,
    target,
    apartMs,
    carried: found.carried === true,
    key: randomBytes(32),
    credentials: secretsOf(config.credentials ?? {}),
    ownerEmail: config.resources?.ownerEmail,
  }
  const source = trafficSource(recordings, reading, {
    problem: missing.note,
    elsewhere: missing.leftOut,
    broken: (message) => problems.push(message),
  })
  const facts = factsOf(job, { config, binding: found.data, target }, startedAt)
  const unjudged = new Unjudged()
  const onJudged: JudgeWatch['onJudged'] = (judged) => {
    const { exchange } = judged.view
    unjudged.add(judged)
    missing.add(exchange)
    job.onExchange()
    if (exchange._operation !== undefined) seen.add(exchange._operation)
  }
  const judge = await judgeAll(source, judgeFor(facts), { heapBytes: HEAP_BYTES, onJudged })
  const clocks = apartMs > 0 ? { 'clocks apart by up to': `${apartMs} ms` } : {}
  const complete: RunFacts = {
    ...facts,
    features: config.features ? facts.features : featuresOf(seen),
    problems,
    environment: { ...facts.environment, ...missing.facts(), ...clocks },
  }
  // What is read once more for the report was heard of.
  const report = await assembleReport(trafficSource(recordings, reading), complete, judge)
  return {
    report: { ...report, durationMs: Date.now() - startedAt },
    notes: [
      bindingInWords(found),
      ...missing.notes(),
      ...unjudged.groups().map((group) => `not judged: ${unjudgedInWords(group)}`),
      ...(apartMs > 0 ? [apartInWords(apartMs)] : []),
    ],
  }
}

/** Features of which an operation occurs: traffic claims what it uses. */
function featuresOf(operations: ReadonlySet<string>): string[] {
  return features()
    .filter(
      ({ id, available, operations: own }) => available && id !== GENERAL && own.some((one) => operations.has(one)),
    )
    .map(({ id }) => id)
    .sort()
}
