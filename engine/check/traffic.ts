import { randomBytes } from 'node:crypto'
import { operationFinder } from '../../rules/core/viewer.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import { claimedOperations } from '../../schemas/operations.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Report } from '../../schemas/types/report.ts'
import { secretsOf } from '../../suites/request/credentials.ts'
import { assembleFrom } from '../judge/assemble.ts'
import { type EvidenceSource, judgeEvidence } from '../judge/judge.ts'
import type { Reading } from '../recordings/recordings.ts'
import { isCountedIn, trafficSource, wantedBy } from './exchanges.ts'
import { apartInWords, type CheckJob, clocksApart, factsOf, type JudgedBy, judgedBy } from './facts.ts'
import { createMissing, type Missing } from './missing.ts'
import { HEAP_BYTES, type ShareFound } from './share.ts'
import { alsoSeen, alsoTold, judgedElsewhere, planWork, type Work } from './work.ts'

/** A report, and what there is to say of it, a line each: what could not be judged, most of all. */
export interface Noted {
  readonly report: Report
  readonly notes: readonly string[]
}

/** Judges recorded traffic: a shard of it, or all of it in one or several threads. @throws UsageError */
export async function checkTraffic(job: CheckJob): Promise<Noted> {
  const startedAt = Date.now()
  const by = await judgedBy(job)
  const traffic = await openTraffic(job, by)
  const { own, problems, missing, reading, counts, source } = traffic
  const facts = factsOf(job, by, problems, startedAt)
  const found = judgedBeside(job, by, traffic, facts.settleMs)
  const claimed = (): string[] => (by.config.features ? [...facts.features] : featuresOf(traffic.seen))
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
      { part: own?.part, elsewhere: found, counts, heapBytes: HEAP_BYTES },
    ),
  )
  // Each thread reads as far as it can, and skips what it does not need: one alone stops at the first line that is amiss.
  if (found && (problems.length > 0 || (await found).broken)) {
    return checkTraffic({ ...job, options: { ...job.options, threads: 1 } })
  }
  const complete: Report = {
    ...report,
    features: claimed(),
    durationMs: Date.now() - startedAt,
    problems: [...problems],
  }
  return {
    report: inEnvironment(complete, { ...missing.facts(), ...clocks(reading.apartMs) }),
    notes: [by.read, ...missing.notes(), ...(reading.apartMs > 0 ? [apartInWords(reading.apartMs)] : [])],
  }
}

/** Recorded traffic as it is about to be read, and what is noted of it while it is. */
interface Traffic extends Pick<Work, 'own' | 'others'> {
  readonly source: EvidenceSource
  readonly reading: Omit<Reading, 'onProblem' | 'onElsewhere'> & {
    readonly apartMs: number
    readonly carried: boolean
  }
  /** which exchanges the main thread counts; undefined: all */
  readonly counts: ((exchange: Exchange) => boolean) | undefined
  readonly missing: Missing
  readonly problems: readonly string[]
  /** operations that occurred */
  readonly seen: Set<string>
}

async function openTraffic({ recordings, options, onExchange }: CheckJob, by: JudgedBy): Promise<Traffic> {
  const { config, basePath, target } = by
  const { shard } = options
  const binding = resolveBinding(by.binding)
  const { own, others } = await planWork(recordings, binding, basePath, shard, options.threads)
  const find = operationFinder(binding, basePath)
  const counts = own && isCountedIn(own, find)
  const wanted = own && wantedBy(own, find)
  const missing = createMissing()
  const problems: string[] = []
  const seen = new Set<string>()
  const reading = {
    binding,
    target,
    credentials: secretsOf(config.credentials ?? {}),
    ownerEmail: config.resources?.ownerEmail,
    key: randomBytes(32),
    apartMs: clocksApart(recordings, options.clockSkew),
    carried: by.carried,
  }
  const wants = {
    first: wanted && (shard ? alsoSeen(wanted, find, seen) : alsoTold(wanted, onExchange)),
    // The exchanges behind a finding may be of any thread; of a shard, they are its own.
    again: shard && wanted,
  }
  const source = trafficSource(recordings, reading, wants, {
    exchange(exchange) {
      if (!counts || counts(exchange)) missing.add(exchange)
      onExchange()
      if (exchange._operation !== undefined) seen.add(exchange._operation)
    },
    problem: missing.note,
    elsewhere: missing.leftOut,
    broken: (message) => problems.push(message),
  })
  return { own, others, source, reading, counts, missing, problems, seen }
}

/** What other threads find; undefined: there are none. It is waited for when all was read. */
function judgedBeside(
  { recordings, options }: CheckJob,
  by: JudgedBy,
  { others, reading, missing, seen }: Traffic,
  settleMs: number,
): Promise<ShareFound> | undefined {
  if (others.length === 0) return undefined
  const share = {
    ...reading,
    credentials: [...reading.credentials],
    paths: recordings.map(({ path }) => path),
    binding: by.binding,
    basePath: by.basePath,
    settleMs,
    alone: options.alone === true,
  }
  const found = judgedElsewhere(share, others).then((elsewhere) => {
    missing.include(elsewhere.missing)
    for (const operation of elsewhere.seen) seen.add(operation)
    return elsewhere
  })
  // Until it is waited for nobody would hear that it broke.
  found.catch(() => undefined)
  return found
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
