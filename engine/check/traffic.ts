import { randomBytes } from 'node:crypto'
import { Unjudged, unjudgedInWords } from '../../rules/core/unjudged.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import { claimedOperations } from '../../schemas/operations.ts'
import type { Report } from '../../schemas/types/report.ts'
import { withoutSlash } from '../../schemas/url.ts'
import { secretsOf } from '../../suites/request/credentials.ts'
import { assembleFrom } from '../judge/assemble.ts'
import { judgeEvidence } from '../judge/judge.ts'
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
    exchange(exchange) {
      missing.add(exchange)
      job.onExchange()
      if (exchange._operation !== undefined) seen.add(exchange._operation)
    },
    problem: missing.note,
    elsewhere: missing.leftOut,
    broken: (message) => problems.push(message),
  })
  const facts = factsOf(job, { config, binding: found.data, target }, problems, startedAt)
  const unjudged = new Unjudged()
  const claimed = (): string[] => (config.features ? [...facts.features] : featuresOf(seen))
  const report = await assembleFrom(facts, (factory, input) =>
    // The claimed features are known when all was read, and are asked for then.
    judgeEvidence(
      source,
      factory,
      {
        ...input,
        problems,
        get claimed() {
          return new Set(claimed())
        },
        get operations() {
          return claimedOperations(new Set(claimed()))
        },
      },
      [],
      { heapBytes: HEAP_BYTES, onJudged: (judged) => unjudged.add(judged) },
    ),
  )
  const complete: Report = {
    ...report,
    features: claimed(),
    durationMs: Date.now() - startedAt,
    problems: [...problems],
  }
  const clocks = apartMs > 0 ? { 'clocks apart by up to': `${apartMs} ms` } : {}
  return {
    report: inEnvironment(complete, { ...missing.facts(), ...clocks }),
    notes: [
      bindingInWords(found),
      ...missing.notes(),
      ...unjudged.groups().map((group) => `not judged: ${unjudgedInWords(group)}`),
      ...(apartMs > 0 ? [apartInWords(apartMs)] : []),
    ],
  }
}

/** Also in the basis: a merged report then says which of its parts lacked something. */
function inEnvironment(report: Report, noted: Readonly<Record<string, string>>): Report {
  const { basis } = report
  return {
    ...report,
    environment: { ...report.environment, ...noted },
    ...(basis && {
      basis: { ...basis, runs: basis.runs.map((run) => ({ ...run, environment: { ...run.environment, ...noted } })) },
    }),
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
