import { randomBytes, randomInt } from 'node:crypto'
import { join, resolve } from 'node:path'
import { quoted } from '../../reports/shell.ts'
import type { BindingData } from '../../schemas/binding.ts'
import { features, GENERAL } from '../../schemas/features.ts'
import type { Keep, TargetConfig } from '../../schemas/types/config.ts'
import type { Profile, Shard } from '../../schemas/types/report.ts'
import { type RunContext, WALKS } from '../../suites/run/run-context.ts'
import { parts, type Selection, select, selectable, shardOf, withWalks } from '../../suites/run/select.ts'
import type { Caller } from '../caller.ts'
import { loadBinding, NO_BINDING } from '../config/binding.ts'
import { loadConfigWithVariables } from '../config/config.ts'
import { didYouMean } from '../config/nearest.ts'
import { type Problem, UsageError } from '../errors.ts'
import { REQUIREMENT } from '../judge/facts.ts'
import { commandLine, numberProblems, RUN_NUMBERS } from '../options.ts'

/** What is certified, and how. Paths are meant from the folder of the caller. */
export interface CertifyOptions extends Pick<TargetConfig, Exclude<(typeof FIELDS)[number], 'failOn'>> {
  /** base URL; that of the configuration where it is left out */
  readonly url?: string | undefined
  /** certify the reference target, started for this run */
  readonly embedded?: boolean
  /** configuration file; where it is left out one is looked for in the folder of the caller */
  readonly config?: string
  /** the configuration itself: no file is looked for */
  readonly target?: TargetConfig
  /** fields that win over those of the file */
  readonly fields?: Partial<TargetConfig>
  readonly binding?: string
  readonly features?: readonly [string, ...string[]]
  /** requirements, categories, features or operations */
  readonly only?: readonly string[]
  readonly shard?: Shard
  readonly seed?: number
  readonly runs?: number
  readonly walks?: number
  readonly steps?: number
  readonly profile?: string
  /** what fails the run beside broken requirements */
  readonly failOn?: readonly string[]
  readonly out?: string
  readonly record?: string
  /** left out: as the configuration says */
  readonly keep?: Keep
  readonly keyFile?: string
  readonly bail?: boolean
  readonly yesModifyTarget?: boolean
}

/** The part of the plan that is handed on to the cases. */
type Settings = Pick<
  RunContext,
  | ('seed' | 'profile' | 'steps' | 'lateLook' | 'concurrency' | 'rate' | 'timeout' | 'runPrefix' | 'embedded')
  | ('maxIngest' | 'maxIngestBytes' | 'readOnly' | 'bail' | 'keep')
>

/** Everything that is known before the first request. */
export interface Plan {
  readonly settings: Settings
  readonly config: TargetConfig
  /** kind of a credential -> the environment variable that the configuration takes it from */
  readonly variables: Readonly<Record<string, string>>
  readonly binding: BindingData
  readonly claimed: ReadonlySet<string>
  readonly selection: Selection
  readonly only: readonly string[]
  /** the part of the cases that is run here; undefined: all */
  readonly shard: Shard | undefined
  readonly runs: number | undefined
  readonly strict: boolean
  readonly out: string
  /** folder for the evidence with every body whole, to be replayed; undefined: evidence stands beside the report */
  readonly record: string | undefined
  /** of the pseudonyms; left out: one that nobody keeps */
  readonly key?: Buffer | undefined
  /** the command that runs one requirement again as in this run; `REQUIREMENT` stands for it */
  readonly again: string
}

/** The default limit of log lines that a run sends; the standard profile sends about 32,000. */
const MOST_LINES = 100_000
/** The default limit of bytes of these lines; the standard profile sends about 5,000,000. */
const PROFILES: readonly Profile[] = ['quick', 'standard', 'thorough']
const MOST_BYTES = 100_000_000
/** Milliseconds from the last change of a walk to its last look. */
const LATE_LOOK_MS = 10_000
/** Folder of what a run writes. */
const OUT = 'assay-report'
const EMBEDDED_URL = 'http://127.0.0.1:0'

/** How much a run tries. */
export function profileNamed(text: string): Profile | Problem {
  const known = PROFILES.find((name) => name === text)
  const hint = didYouMean(text, PROFILES, `choose ${PROFILES.join(', ')}`)
  return known ?? { where: '--profile', what: `there is no profile ${JSON.stringify(text)}`, hint }
}

/**
 * `before`: problems of options so far; they are reported together with those found here.
 * @throws UsageError with every problem found, before any request is sent
 */
export async function planRun(options: CertifyOptions, caller: Caller, before: readonly Problem[] = []): Promise<Plan> {
  const { url, seed, runs, shard } = options
  const embedded = options.embedded === true
  if (embedded && url !== undefined) {
    throw new UsageError({ where: url, what: 'a URL and --embedded exclude each other', hint: 'leave one of them out' })
  }
  const problems = [...before, ...numberProblems(options, RUN_NUMBERS)]
  const profile = profileNamed(options.profile ?? 'standard')
  if (typeof profile !== 'string') problems.push(profile)
  if (problems.length > 0 || typeof profile !== 'string') throw new UsageError(...problems)
  const { config: file, variables } = await configured(options, embedded, caller)
  const agreed = options.yesModifyTarget === true ? { consent: { ...file.consent, modifyTarget: true } } : {}
  const config = { ...file, ...agreed }
  const binding = config.binding === undefined ? NO_BINDING : loadBinding(config.binding, caller.cwd)
  const claimed = claimedFeatures(config)
  const chosen = seed ?? randomInt(0x7fffffff)
  return {
    settings: {
      embedded,
      seed: chosen,
      profile,
      steps: options.steps ?? WALKS[profile].steps,
      lateLook: config.lateLook ?? LATE_LOOK_MS,
      concurrency: config.concurrency ?? 16,
      rate: config.rate,
      timeout: config.timeout ?? 30_000,
      maxIngest: config.maxIngest ?? MOST_LINES,
      maxIngestBytes: config.maxIngestBytes ?? MOST_BYTES,
      readOnly: config.readOnly ?? false,
      keep: options.keep ?? config.keep ?? 'named',
      bail: options.bail === true,
      runPrefix: `assay-${randomBytes(3).toString('hex')}`,
    },
    config,
    variables,
    binding,
    claimed,
    selection: partOf(selection(claimed, options.only ?? [], options.walks ?? WALKS[profile].walks), shard),
    only: options.only ?? [],
    shard,
    runs,
    strict: config.strict ?? false,
    out: resolve(caller.cwd, options.out ?? OUT),
    record: options.record === undefined ? undefined : resolve(caller.cwd, options.record),
    again: againLine(options.target ? asOptions(config, options) : options, chosen, caller.program),
  }
}

/** Options that are fields of a configuration as well, and are given again by a command that repeats a part of a run. */
const FIELDS = [
  'lateLook',
  'strict',
  'failOn',
  'concurrency',
  'rate',
  'timeout',
  'maxIngest',
  'maxIngestBytes',
  'readOnly',
] as const

/** The chosen fields of an object. */
function picked<T extends object, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>
}

/** The configuration in force: of a file or an object, and what options say instead. */
function configured(
  options: CertifyOptions,
  embedded: boolean,
  { env, cwd }: Caller,
): ReturnType<typeof loadConfigWithVariables> {
  const given = {
    ...picked(options, FIELDS),
    baseUrl: embedded ? EMBEDDED_URL : options.url,
    name: embedded ? 'embedded reference' : undefined,
    binding: options.binding ?? (embedded ? 'reference' : undefined),
    features: options.features,
  }
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const file = embedded || options.target ? null : options.config
  return loadConfigWithVariables(file, env, cwd, { ...options.target, ...options.fields, ...said })
}

/** What a target that is described by an object says, in the words of the command line. */
function asOptions({ baseUrl, binding, features, consent }: TargetConfig, options: CertifyOptions): CertifyOptions {
  return {
    ...options,
    url: baseUrl,
    ...(binding === undefined ? {} : { binding }),
    ...(features === undefined ? {} : { features }),
    ...(consent?.modifyTarget === true ? { yesModifyTarget: true } : {}),
  }
}

/** @throws UsageError where nothing would be run */
export function requireCases({ selection }: Plan): void {
  if (selection.cases.length > 0) return
  throw new UsageError({ where: '--only', what: 'no case provokes this', hint: '`assay explain` says why' })
}

/** The file that tells what a run makes on its target. */
export function journalOf({ out, settings }: Plan): string {
  return join(out, `journal-${settings.runPrefix}.ndjson`)
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
    const what = `there are too few cases for ${shard.of} shards`
    throw new UsageError({ where: '--shard', what, hint: `use at most ${most}` })
  }
  return { ...whole, cases: shardOf(whole.cases, shard) }
}

function selection(claimed: ReadonlySet<string>, only: readonly string[], walks: number): Selection {
  try {
    const all = select(claimed, only)
    return { ...all, cases: withWalks(all.cases, walks) }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    throw new UsageError({
      where: '--only',
      what: `there is no requirement, category, feature or operation ${JSON.stringify(thrown.message)}`,
      hint: didYouMean(thrown.message, selectable(), '`assay list` shows them'),
    })
  }
}

/** What is given again, beside what says which target it is. */
const REPEATED = ['profile', 'runs', 'walks', 'steps', ...FIELDS, 'keep', 'yesModifyTarget'] as const

/**
 * The command that runs one requirement again exactly as in a run: the same target, binding, seed and profile. Values
 * of the configuration come from the configuration again. It writes into a folder of its own, so that the whole report
 * stays. `program`: how to start it.
 */
export function againLine(options: CertifyOptions, seed: number, program: string): string {
  const { url, embedded, config, binding, features, out = OUT } = options
  const whole = commandLine(`${program} certify${url === undefined ? '' : ` ${quoted(url)}`}`, {
    ...{ embedded, config, binding, features, ...picked(options, REPEATED) },
    // What the command line says where nothing is given.
    profile: options.profile === 'standard' ? undefined : options.profile,
  })
  const folder = `${out.replace(/\/+$/, '').replace(/-again$/, '')}-again`
  return commandLine(`${whole} --only ${REQUIREMENT}`, { out: folder, seed })
}
