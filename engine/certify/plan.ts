import { randomBytes, randomInt } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Io } from '../../cli/io.ts'
import type { BindingData } from '../../schemas/binding.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Profile, Shard } from '../../schemas/types/report.ts'
import { parseShard, parts, type Selection, select, selectable, shardOf } from '../../suites/run/select.ts'
import { loadBinding, NO_BINDING } from '../config/binding.ts'
import { loadConfigWithVariables } from '../config/config.ts'
import { didYouMean } from '../config/nearest.ts'
import { type Problem, UsageError } from '../errors.ts'
import { createNumbers, LONGEST_TIMER_MS } from '../number-option.ts'
import type { CertifyOptions } from './options.ts'
import { reproduceLine } from './reproduce.ts'

/** Everything that is known before the first request. */
export interface Plan {
  readonly config: TargetConfig
  /** kind of a credential -> the environment variable that the configuration takes it from */
  readonly variables: Readonly<Record<string, string>>
  readonly embedded: boolean
  readonly binding: BindingData
  readonly claimed: ReadonlySet<string>
  readonly selection: Selection
  readonly only: readonly string[]
  /** the part of the cases that is run here; undefined: all */
  readonly shard: Shard | undefined
  readonly seed: number
  readonly runs: number | undefined
  readonly profile: Profile
  readonly strict: boolean
  readonly concurrency: number
  readonly rate: number | undefined
  readonly timeout: number
  readonly maxIngest: number
  readonly maxIngestBytes: number
  readonly readOnly: boolean
  readonly out: string
  /** folder for the evidence with every body whole, to be replayed; undefined: evidence stands beside the report */
  readonly record: string | undefined
  /** the texts of log lines are replaced, but for those that the run makes */
  readonly hideLines: boolean
  /** of the pseudonyms; left out: one that nobody keeps */
  readonly key?: Buffer | undefined
  readonly bail: boolean
  readonly runPrefix: string
  /** the command that runs one requirement again as in this run */
  readonly reproduce: (requirement: string) => string
}

const PROFILES: readonly Profile[] = ['quick', 'standard', 'thorough']
/** Log lines that a run sends at most, unless it is told otherwise; the standard profile sends about 32,000. */
const MOST_LINES = 100_000
/** Bytes of these lines at most, unless it is told otherwise; the standard profile sends about 5,000,000. */
const MOST_BYTES = 100_000_000
const EMBEDDED_URL = 'http://127.0.0.1:0'

/** @throws UsageError with every problem found, before any request is sent */
export async function planRun(url: string | undefined, options: CertifyOptions, io: Io): Promise<Plan> {
  const embedded = options.embedded === true
  if (embedded && url !== undefined) {
    throw new UsageError({ where: url, what: 'a URL and --embedded exclude each other', hint: 'leave one of them out' })
  }
  const problems: Problem[] = []
  const number = createNumbers(problems)
  const seed = number('seed', options.seed, { least: 0 })
  const runs = number('runs', options.runs, { least: 0 })
  const concurrency = number('concurrency', options.concurrency, { least: 1 })
  const rate = number('rate', options.rate, { least: 0.001, whole: false })
  const timeout = number('timeout', options.timeout, { least: 1, most: LONGEST_TIMER_MS })
  const maxIngest = number('max-ingest', options.maxIngest, { least: 0 })
  const maxIngestBytes = number('max-ingest-bytes', options.maxIngestBytes, { least: 0 })
  const profile = PROFILES.find((name) => name === (options.profile ?? 'standard'))
  if (profile === undefined) {
    const hint = didYouMean(options.profile ?? '', PROFILES, `choose ${PROFILES.join(', ')}`)
    problems.push({ where: '--profile', what: `there is no profile ${JSON.stringify(options.profile)}`, hint })
  }
  const shard = options.shard === undefined ? undefined : parseShard(options.shard)
  if (options.shard !== undefined && shard === undefined) {
    const hint = '2/8 is the second of eight shards'
    problems.push({ where: '--shard', what: `${JSON.stringify(options.shard)} is not a part of a run`, hint })
  }
  if (problems.length > 0 || profile === undefined) throw new UsageError(...problems)

  const given = {
    ...(url === undefined ? {} : { baseUrl: url }),
    ...(embedded ? { baseUrl: EMBEDDED_URL, binding: 'reference', name: 'embedded reference' } : {}),
    binding: options.binding ?? (embedded ? 'reference' : undefined),
    features: options.features,
    concurrency,
    rate,
    timeout,
    strict: options.strict,
    failOn: options.failOn,
    maxIngest,
    maxIngestBytes,
    readOnly: options.readOnly,
  }
  const file = embedded || options.target ? null : options.config
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const wanted = { ...options.target, ...options.fields, ...said }
  const { config, variables } = await loadConfigWithVariables(file, io.env, io.cwd, wanted)
  const binding = config.binding === undefined ? NO_BINDING : loadBinding(config.binding, io.cwd)
  const claimed = claimedFeatures(config)
  const chosen = seed ?? randomInt(0x7fffffff)
  return {
    config,
    variables,
    embedded,
    binding,
    claimed,
    selection: partOf(selection(claimed, options.only ?? []), shard),
    only: options.only ?? [],
    shard,
    seed: chosen,
    runs,
    profile,
    strict: config.strict ?? false,
    concurrency: config.concurrency ?? 16,
    rate: config.rate,
    timeout: config.timeout ?? 30_000,
    maxIngest: config.maxIngest ?? MOST_LINES,
    maxIngestBytes: config.maxIngestBytes ?? MOST_BYTES,
    readOnly: config.readOnly ?? false,
    out: resolve(io.cwd, options.out ?? 'assay-report'),
    record: options.record === undefined ? undefined : resolve(io.cwd, options.record),
    hideLines: options.hideLines === true,
    bail: options.bail === true,
    runPrefix: `assay-${randomBytes(3).toString('hex')}`,
    reproduce: options.target
      ? reproduceLine(config.baseUrl, asOptions(config, options), chosen, io.program)
      : reproduceLine(url, options, chosen, io.program),
  }
}

/** What a target that is described by an object says, in the words of the command line. */
function asOptions({ binding, features, consent }: TargetConfig, options: CertifyOptions): CertifyOptions {
  return {
    ...options,
    ...(binding === undefined ? {} : { binding }),
    ...(features === undefined ? {} : { features }),
    ...(consent?.modifyTarget === true ? { yesModifyTarget: true } : {}),
  }
}

/** @throws UsageError where nothing would be run */
export function requireCases({ selection }: Plan): void {
  if (selection.cases.length > 0) return
  throw new UsageError({ where: '--only', what: 'no case brings this about', hint: '`assay explain` says why' })
}

/** The file that tells what a run makes on its target. */
export function journalOf({ out, runPrefix }: Plan): string {
  return join(out, `journal-${runPrefix}.ndjson`)
}

function claimedFeatures(config: TargetConfig): Set<string> {
  const available = features().filter(({ id, available: has }) => has && id !== GENERAL)
  return new Set(config.features ?? available.map(({ id }) => id))
}

/** @throws UsageError where there are more shards than can have something to do */
function partOf(whole: Selection, shard: Shard | undefined): Selection {
  if (!shard || whole.cases.length === 0) return whole
  const most = parts(whole.cases)
  if (shard.of > most) {
    const what = `there are not cases enough for ${shard.of} shards`
    throw new UsageError({ where: '--shard', what, hint: `${most} are the most that have something to do` })
  }
  return { ...whole, cases: shardOf(whole.cases, shard) }
}

function selection(claimed: ReadonlySet<string>, only: readonly string[]): Selection {
  try {
    return select(claimed, only)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    throw new UsageError({
      where: '--only',
      what: `there is no requirement, category, feature or operation ${JSON.stringify(thrown.message)}`,
      hint: didYouMean(thrown.message, selectable(), '`assay list` shows them'),
    })
  }
}
