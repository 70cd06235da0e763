import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Recording, RecordingError } from '../../fixtures/recording/read.ts'
import { readSegments } from '../../fixtures/segment.ts'
import { checkWritable, writeReports } from '../../reports/write.ts'
import { operationFinder } from '../../rules/viewer.ts'
import { type BindingData, resolveBinding } from '../../schemas/binding.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import { claimedOperations } from '../../schemas/operations.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { Report, Shard } from '../../schemas/types/report.ts'
import { secretsOf } from '../../suites/kit/credentials.ts'
import { loadBinding, NO_BINDING } from '../binding.ts'
import { assembleFrom } from '../certify/assemble.ts'
import { REQUIREMENT, type RunFacts } from '../certify/facts.ts'
import { type EvidenceSource, judgeEvidence } from '../certify/judge.ts'
import { machineInWords } from '../certify/machine.ts'
import { loadConfig } from '../config.ts'
import { UsageError } from '../errors.ts'
import { exitWith, type Io } from '../io.ts'
import { packageInfo } from '../package-info.ts'
import { planConclusion } from '../report/conclude.ts'
import { blocksOf, isCountedIn, wantedBy } from './blocks.ts'
import { factsIn, likelyTarget, openAll } from './material.ts'
import { createMissing, type Missing } from './missing.ts'
import type { CheckOptions } from './options.ts'
import { watchProgress } from './progress.ts'
import { judgedElsewhere } from './threads.ts'
import { alsoSeen, alsoTold, planWork, shardIn, threadsIn } from './work.ts'

/** Judges what was recorded, writes and prints the report, and sets the exit code. */
export async function runCheck(paths: readonly string[], options: CheckOptions, io: Io): Promise<void> {
  const conclusion = planConclusion(options, io)
  const recordings = await openAll(paths.map((path) => resolve(io.cwd, path)))
  const out = resolve(io.cwd, options.out ?? 'assay-report')
  await checkWritable(out)
  const facts = recordings.length === 1 && recordings[0] ? factsIn(recordings[0]) : undefined
  const progress = await watchProgress(recordings, io)
  conclusion.begin()
  try {
    const shard = shardIn(options, facts !== undefined && !redirected(options))
    const { report, missing } =
      facts && recordings[0] && !redirected(options)
        ? await checkRun(recordings[0], facts, progress.add)
        : await checkTraffic(recordings, options, io, progress.add, shard, threadsIn(options))
    progress.end()
    for (const note of missing.notes()) io.stderr.write(`${note}\n`)
    const judged = conclusion.judge(report)
    const written = await writeReports(judged, out, conclusion.formats)
    conclusion.print(judged, written)
    exitWith(io, conclusion.exitCode(judged))
  } finally {
    progress.end()
    conclusion.end()
  }
}

interface Checked {
  readonly report: Report
  readonly missing: Missing
}

/** Whether the evidence of a run is to be judged by something else than what it was made with. */
function redirected({ config, target, binding, features, strict, alone }: CheckOptions): boolean {
  return [config, target, binding, features, strict, alone].some((option) => option !== undefined)
}

/** The evidence of a run says by itself what it is to be judged by: the same verdicts come of it. */
async function checkRun(recording: Recording, facts: RunFacts, onExchange: () => void): Promise<Checked> {
  const missing = createMissing()
  let first = true
  const source: EvidenceSource = {
    async *exchanges() {
      const counted = first
      first = false
      for await (const exchange of recording.exchanges(counted ? { onProblem: missing.note } : {})) {
        if (counted) onExchange()
        yield exchange
      }
    },
    cases: () => readSegments<CaseRecord>(recording.folder, 'cases'),
  }
  const report = await assembleFrom(facts, (factory, input) => judgeEvidence(source, factory, input, facts.expected))
  return { report, missing }
}

async function checkTraffic(
  recordings: readonly Recording[],
  options: CheckOptions,
  io: Io,
  onExchange: () => void,
  shard: Shard | undefined,
  threads: number | undefined,
): Promise<Checked> {
  const startedAt = Date.now()
  const missing = createMissing()
  const config = await configOf(recordings, options, io)
  const binding = bindingOf(config, io)
  const target = (await targetOf(recordings, config, binding)).replace(/\/$/, '')
  const resolved = resolveBinding(binding)
  const key = randomBytes(32)
  const reading = {
    binding: resolved,
    target,
    credentials: secretsOf(config.credentials ?? {}),
    ownerEmail: config.resources?.ownerEmail,
    key,
    onProblem: () => undefined,
  }
  const problems: string[] = []
  const seen = new Set<string>()
  let first = true
  const basePath = new URL(target).pathname.replace(/\/$/, '')
  const { own, others } = await planWork(recordings, resolved, basePath, shard, threads)
  const find = operationFinder(resolved, basePath)
  const counts = own && isCountedIn(own, find)
  const wanted = own && wantedBy(own, find)
  const firstWants = shard ? wanted && alsoSeen(wanted, find, seen) : wanted && alsoTold(wanted, onExchange)
  const source: EvidenceSource = {
    async *blocks() {
      const counted = first
      first = false
      let broken = false
      // What was read before is judged and reported all the same.
      const stop = (thrown: unknown): void => {
        if (!(thrown instanceof RecordingError)) throw thrown
        if (counted) problems.push(thrown.message)
        broken = true
      }
      function* noted(block: Iterable<Exchange>): Generator<Exchange> {
        try {
          for (const exchange of block) {
            if (counted) {
              if (!counts || counts(exchange)) missing.add(exchange)
              onExchange()
              if (exchange._operation !== undefined) seen.add(exchange._operation)
            }
            yield exchange
          }
        } catch (thrown) {
          stop(thrown)
        }
      }
      try {
        const onProblem = counted ? missing.note : (): undefined => undefined
        // The exchanges behind a finding may be of any share; of a shard, they are its own.
        const wants = counted ? firstWants : shard && wanted
        for await (const block of blocksOf(recordings, { ...reading, onProblem }, wants)) {
          yield noted(block)
          if (broken) return
        }
      } catch (thrown) {
        stop(thrown)
      }
    },
    async *exchanges() {
      for await (const block of this.blocks?.() ?? none<Iterable<Exchange>>()) yield* block
    },
    cases: () => none<CaseRecord>(),
  }
  const { name, version } = packageInfo()
  const facts: RunFacts = {
    verb: 'check',
    suite: { name, version },
    target: { name: config.name ?? '', version: config.version ?? '', baseUrl: target, embedded: false },
    binding,
    basePath,
    settleMs: config.settleTimeout ?? 0,
    traffic: { alone: options.alone === true },
    features: [...(config.features ?? [])].sort(),
    strict: config.strict ?? false,
    seed: 0,
    profile: 'standard',
    only: [],
    selected: null,
    shard: shard ?? null,
    prefix: `assay-${randomBytes(3).toString('hex')}`,
    expected: [],
    interrupted: false,
    problems,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: 0,
    environment: machineInWords(),
    configuration: { recordings: recordings.map(({ path }) => path).join(', '), alone: String(options.alone === true) },
    again: `assay check ${recordings.map(({ path }) => path).join(' ')} # ${REQUIREMENT}`,
  }
  const elsewhere =
    others.length === 0
      ? undefined
      : judgedElsewhere(
          {
            paths: recordings.map(({ path }) => path),
            binding,
            basePath,
            settleMs: facts.settleMs,
            alone: options.alone === true,
            target,
            credentials: [...reading.credentials],
            ownerEmail: reading.ownerEmail,
            key,
          },
          others,
        )
  const found = elsewhere?.then((others) => {
    missing.include(others.missing)
    for (const operation of others.seen) seen.add(operation)
    return others
  })
  // It is waited for when all was read; until then nobody would hear that it broke.
  found?.catch(() => undefined)
  const claimed = (): string[] => (config.features ? [...facts.features] : featuresOf(seen))
  const report = await assembleFrom(facts, (factory, input) =>
    // What is claimed is known when all was read, and asked for then.
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
      { part: own?.part, elsewhere: found, counts },
    ),
  )
  // Each thread reads as far as it can, and skips what it does not need: one alone stops at the first line that is amiss.
  if (found && (problems.length > 0 || (await found).broken)) {
    return checkTraffic(recordings, options, io, onExchange, shard, 1)
  }
  return {
    report: {
      ...report,
      features: claimed(),
      durationMs: Date.now() - startedAt,
      environment: { ...report.environment, ...missing.facts() },
      problems: [...problems],
    },
    missing,
  }
}

/** The configuration, or what the recording itself says where there is none. */
async function configOf(recordings: readonly Recording[], options: CheckOptions, io: Io): Promise<TargetConfig> {
  const about = recordings.find((one) => one.about)?.about
  const given = { binding: options.binding ?? undefined, features: options.features, strict: options.strict }
  const baseUrl = options.target ?? about?.target
  if (options.config !== undefined) return loadConfig(options.config, io.env, io.cwd, { ...given, baseUrl })
  return loadConfig(null, io.env, io.cwd, {
    baseUrl: baseUrl ?? 'http://unknown.invalid',
    ...given,
    binding: options.binding ?? (about?.binding === '' ? undefined : about?.binding),
  })
}

function bindingOf(config: TargetConfig, io: Io): BindingData {
  return config.binding === undefined ? NO_BINDING : loadBinding(config.binding, io.cwd)
}

async function targetOf(recordings: readonly Recording[], config: TargetConfig, binding: BindingData): Promise<string> {
  if (config.baseUrl !== 'http://unknown.invalid') return config.baseUrl
  for (const recording of recordings) {
    const found = await likelyTarget(recording, resolveBinding(binding))
    if (found !== undefined) return found
  }
  throw new UsageError({
    where: recordings.map(({ path }) => path).join(', '),
    what: 'no request in it looks like one of the service',
    hint: 'name the address of the service with --target',
  })
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

async function* none<T>(): AsyncGenerator<T> {
  // Nothing belongs to a case.
}
