import { randomBytes } from 'node:crypto'
import { Unjudged, unjudgedInWords } from '../../rules/core/unjudged.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import { claimedOperations } from '../../schemas/operations.ts'
import type { Report } from '../../schemas/types/report.ts'
import { secretsOf } from '../../suites/request/credentials.ts'
import { assembleFrom } from '../judge/assemble.ts'
import { type EvidenceSource, judgeEvidence } from '../judge/judge.ts'
import { trafficSource } from './exchanges.ts'
import { apartInWords, type CheckJob, clocksApart, factsOf, type JudgedBy, judgedBy } from './facts.ts'
import { createMissing, type Missing } from './missing.ts'

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
  const startedAt = Date.now()
  const by = await judgedBy(job)
  const { problems, missing, reading, seen, source } = openTraffic(job, by)
  const facts = factsOf(job, by, problems, startedAt)
  const unjudged = new Unjudged()
  const claimed = (): string[] => (by.config.features ? [...facts.features] : featuresOf(seen))
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
  return {
    report: inEnvironment(complete, { ...missing.facts(), ...clocks(reading.apartMs) }),
    notes: [
      by.read,
      ...missing.notes(),
      ...unjudged.groups().map((group) => `not judged: ${unjudgedInWords(group)}`),
      ...(reading.apartMs > 0 ? [apartInWords(reading.apartMs)] : []),
    ],
  }
}

/** Recorded traffic as it is about to be read, and what is noted of it while it is. */
interface Traffic {
  readonly source: EvidenceSource
  readonly reading: { readonly apartMs: number }
  readonly missing: Missing
  readonly problems: readonly string[]
  /** operations that occurred */
  readonly seen: ReadonlySet<string>
}

function openTraffic({ recordings, options, onExchange }: CheckJob, { config, target, ...by }: JudgedBy): Traffic {
  const missing = createMissing()
  const problems: string[] = []
  const seen = new Set<string>()
  const reading = {
    binding: resolveBinding(by.binding),
    target,
    credentials: secretsOf(config.credentials ?? {}),
    ownerEmail: config.resources?.ownerEmail,
    key: randomBytes(32),
    apartMs: clocksApart(recordings, options.clockSkew),
    carried: by.carried,
  }
  const source = trafficSource(recordings, reading, {
    exchange(exchange) {
      missing.add(exchange)
      onExchange()
      if (exchange._operation !== undefined) seen.add(exchange._operation)
    },
    problem: missing.note,
    elsewhere: missing.leftOut,
    broken: (message) => problems.push(message),
  })
  return { source, reading, missing, problems, seen }
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

function clocks(apartMs: number): Record<string, string> {
  return apartMs > 0 ? { 'clocks apart by up to': `${apartMs} ms` } : {}
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
