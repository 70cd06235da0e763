import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadBinding, NO_BINDING } from '../engine/config/binding.ts'
import type { FoundBinding } from '../engine/config/chosen-binding.ts'
import { missingFiles } from '../engine/config/config.ts'
import { configProblems } from '../engine/config/config-problems.ts'
import { ownProblems } from '../engine/config/record-problems.ts'
import { type Problem, UnreachableError, UsageError } from '../engine/errors.ts'
import { type NumberBounds, numberOption, RUN_NUMBERS, SPEED } from '../engine/options.ts'
import {
  prepareReplay,
  type ReplayOptions,
  replayAgain,
  requireOtherFolder,
  settleMsOf,
} from '../engine/replay/plan.ts'
import { replayRecording } from '../engine/replay/replay.ts'
import { openUnchanged, type Recording } from '../fixtures/recording/read.ts'
import { findingsIn, type TrafficFinding } from '../proxy/recorder/findings.ts'
import { createOracle } from '../rules/oracle.ts'
import { resolveBinding } from '../schemas/binding.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import type { IgnoreEntry } from '../schemas/types/ignore.ts'
import type { ReplayReport } from '../schemas/types/replay.ts'
import { theCaller } from './caller.ts'
import { asUsage, usable, withUsageErrors } from './wrong-use.ts'

export type { Recording, RecordingProblem } from '../fixtures/recording/read.ts'
export type { Exchange } from '../schemas/types/exchange.ts'
export type { DifferenceGroup, ReplayReport } from '../schemas/types/replay.ts'

/**
 * Opens a recording: a folder of segments, the evidence of a certify run, or a HAR file. Nothing is kept in memory:
 * `exchanges()` reads from the disk, one exchange after the other, and begins anew with each call.
 * @throws an error with `exitCode` 2 and `problems`, whose line names the file, and the unreadable line or entry; going
 * through `exchanges()` does so too
 */
export async function loadRecording(path: string): Promise<Recording> {
  return await usable(async () => withUsageErrors(await openUnchanged(path)))
}

export interface CheckOptions {
  /** name of a shipped binding, or path of a binding file; without one the gaps of the specification stay open */
  readonly binding?: string
  /** path of the target's base URL, without a slash at its end; default '' */
  readonly basePath?: string
  /** milliseconds within which a read may still be old; default 0 */
  readonly settleTimeout?: number
}

/** A requirement of the specification that exchanges break; `assay explain <id>` tells about it. */
export type CheckFinding = TrafficFinding

export interface CheckResult {
  readonly exchanges: number
  /** how often requirements were found to hold */
  readonly held: number
  readonly findings: readonly CheckFinding[]
}

/** Findings that are kept; further ones are only counted by those who count. */
const MOST_FINDINGS = 10_000

/**
 * Judges exchanges by the rules of the specification, in the order in which they are given (that of completion). Requirements
 * of level `open` are never judged. @throws an error with `exitCode` 2 and `problems` for wrong options
 */
export async function checkExchanges(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  options: CheckOptions = {},
): Promise<CheckResult> {
  const settleMs = numberOption('settleTimeout', String(options.settleTimeout ?? 0), { least: 0, whole: false })
  if (typeof settleMs !== 'number') throw asUsage(new UsageError(settleMs))
  const binding = options.binding === undefined ? NO_BINDING : loadBinding(options.binding, process.cwd())
  const factory = createOracle({
    binding: resolveBinding(binding),
    basePath: options.basePath ?? '',
    settleMs,
  })
  const judge = factory.createJudge()
  const findings: CheckFinding[] = []
  let count = 0
  let held = 0
  const take = (judgements: ReturnType<typeof judge.end>): void => {
    for (const { outcome } of judgements) if (outcome === 'held') held += 1
    const room = MOST_FINDINGS - findings.length
    if (room > 0) findings.push(...findingsIn(judgements, factory.oracle.ledger, false).slice(0, room))
  }
  for await (const exchange of exchanges) {
    count += 1
    take(judge.judge(exchange).judgements)
  }
  take(judge.end())
  return { exchanges: count, held, findings }
}

/**
 * Sends a recording to a target again and compares the answers. Ids, times and credentials are those of the target.
 * `recording`: path, as for `loadRecording`.
 * @throws an error with `exitCode` and `problems`. For wrong options, an unreadable recording, missing credentials or
 * no consent it is 2. Without an answer of the target it is 3, and `report` holds the comparison until then
 */
export async function replay(recording: string, options: ReplayLibraryOptions): Promise<ReplayReport> {
  return await usable(() => replayed(recording, options))
}

async function replayed(recording: string, options: ReplayLibraryOptions): Promise<ReplayReport> {
  const folder = options.out === undefined ? undefined : resolve(options.out)
  const checked = checkReplayOptions(recording, options)
  if (folder !== undefined) requireOtherFolder(resolve(recording), folder)
  const out = folder ?? mkdtempSync(join(tmpdir(), 'assay-replay-'))
  try {
    const events = { stopped: () => false, onNotice: () => {} }
    const prepared = await prepareReplay({ ...checked, out }, events)
    const { replay: report, unread } = await replayRecording(prepared, events)
    if (unread !== undefined)
      throw new UsageError({ where: '', what: unread, hint: 'what came before it was replayed' })
    if (report.broke === '') return report
    const where = options.target.baseUrl
    const unreachable = new UnreachableError({ where, what: report.broke, hint: 'is the target running?' })
    throw Object.assign(unreachable, { report })
  } finally {
    if (folder === undefined) rmSync(out, { recursive: true, force: true })
  }
}

export interface ReplayTarget extends TargetConfig {
  /** says that the replay may create, change and delete on the target what was recorded */
  readonly consent: NonNullable<TargetConfig['consent']>
}

export interface ReplayLibraryOptions {
  /** base URL, credentials, binding and consent, as in a configuration file */
  readonly target: ReplayTarget
  /** 0: as fast as it goes (default); 1: as recorded; 10: ten times as fast */
  readonly speed?: number
  /** requests under way at once; default: that of the target, else 16 */
  readonly concurrency?: number
  /** only these operations, cases, statuses or paths with `*`, and what they need */
  readonly filter?: readonly string[]
  readonly ignore?: readonly IgnoreEntry[]
  /** false: times are sent as they were recorded */
  readonly shift?: boolean
  /** where new exchanges and a journal of leftovers stay; without it nothing stays */
  readonly out?: string
}

const CONCURRENCY = 16

/** What the command line refuses is refused here as well, all at once. @throws UsageError */
function checkReplayOptions(recording: string, options: ReplayLibraryOptions): Omit<ReplayOptions, 'out'> {
  const { target, speed = 0, ignore = [], filter = [] } = options
  const problems: Problem[] = configProblems(target, 'target')
  if (problems.length === 0) problems.push(...missingFiles(target, 'target', 'current folder'))
  const number = (where: string, value: unknown, bounds: NumberBounds): number => {
    const found = numberOption(where, String(value), bounds)
    if (typeof found === 'number') return found
    problems.push(found)
    return 0
  }
  const concurrency = options.concurrency ?? target?.concurrency ?? CONCURRENCY
  const checked = {
    speed: speed === 0 ? 0 : number('speed', speed, SPEED),
    concurrency: number('concurrency', concurrency, RUN_NUMBERS.concurrency),
  }
  if (!Array.isArray(filter) || filter.some((one) => typeof one !== 'string')) {
    problems.push({ where: 'filter', what: 'is not a list of texts', hint: '' })
  }
  problems.push(...ownProblems('ignore', { formatVersion: 1, ignore }, 'options'))
  if (problems.length > 0) throw new UsageError(...problems)
  return {
    recording,
    config: target,
    embedded: false,
    binding: named(target.binding),
    ...checked,
    timeout: target.timeout ?? 30_000,
    filter,
    ignore,
    settleMs: settleMsOf(target, false),
    shift: options.shift !== false,
    fullBodies: false,
    consented: false,
    again: againOf(recording, options),
  }
}

function named(binding: string | undefined): FoundBinding | undefined {
  return binding === undefined ? undefined : { data: loadBinding(binding, process.cwd()), from: 'target.binding' }
}

/** The command that does the same. */
function againOf(recording: string, { target, shift, filter }: ReplayLibraryOptions): string {
  const { program } = theCaller()
  const { baseUrl, binding, consent } = target
  const yesModifyTarget = consent?.modifyTarget === true
  return replayAgain(recording, { target: baseUrl, binding, shift, filter, yesModifyTarget }, program)
}
