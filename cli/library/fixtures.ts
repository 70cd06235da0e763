import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecording, type Recording } from '../../fixtures/recording/read.ts'
import { findingsIn, type TrafficFinding } from '../../proxy/recorder/findings.ts'
import { quoted } from '../../reports/shell.ts'
import { createOracle } from '../../rules/oracle.ts'
import { resolveBinding } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { IgnoreEntry } from '../../schemas/types/ignore.ts'
import type { ReplayReport } from '../../schemas/types/replay.ts'
import { loadBinding, NO_BINDING } from '../binding.ts'
import { configFacts } from '../config.ts'
import { configProblems } from '../config-problems.ts'
import { UsageError } from '../errors.ts'
import { carryOut } from '../replay/carry-out.ts'
import { lookAt, requireSecrets } from '../replay/look.ts'
import type { ReplayPlan } from '../replay/plan.ts'
import { SILENT } from './silent.ts'

export type { Recording, RecordingProblem } from '../../fixtures/recording/read.ts'
export type { Exchange } from '../../schemas/types/exchange.ts'
export type { DifferenceGroup, ReplayReport } from '../../schemas/types/replay.ts'

/**
 * Opens a recording: a folder of segments, the evidence of a certify run, or a HAR file. Nothing is kept in memory:
 * `exchanges()` reads from the disk, one exchange after the other, and begins anew with each call.
 * @throws RecordingError with a line that names the file, and the line or entry where it cannot be read
 */
export function loadRecording(path: string): Promise<Recording> {
  return openRecording(path)
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
 * of level `open` are never judged.
 */
export async function checkExchanges(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  options: CheckOptions = {},
): Promise<CheckResult> {
  const binding = options.binding === undefined ? NO_BINDING : loadBinding(options.binding, process.cwd())
  const factory = createOracle({
    binding: resolveBinding(binding),
    basePath: options.basePath ?? '',
    settleMs: options.settleTimeout ?? 0,
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

export interface ReplayTarget extends TargetConfig {
  /** says that the replay may create, change and delete on the target what was recorded */
  readonly consent: NonNullable<TargetConfig['consent']>
}

export interface ReplayLibraryOptions {
  /** base URL, credentials, binding and consent, as in a configuration file */
  readonly target: ReplayTarget
  /** 0: as fast as it goes (default); 1: as recorded; 10: ten times as fast */
  readonly speed?: number
  /** requests under way at once; default 16 */
  readonly concurrency?: number
  /** only these operations, cases, statuses or paths with `*`, and what they need */
  readonly filter?: readonly string[]
  /** only the `index`-th of `of` parts, counted from 1 */
  readonly shard?: { readonly index: number; readonly of: number }
  /** replay twice, and ignore what differs by itself */
  readonly baseline?: boolean
  readonly ignore?: readonly IgnoreEntry[]
  /** false: times are sent as they were recorded */
  readonly shift?: boolean
  /** where new exchanges and a journal of leftovers stay; without it nothing stays */
  readonly out?: string
}

/**
 * Sends a recording to a target again and compares the answers. Ids, times and credentials are those of the target.
 * `recording`: path, as for `loadRecording`.
 * @throws an error with one line for each problem: an unreadable recording, missing credentials, no consent
 */
export async function replay(recording: string, options: ReplayLibraryOptions): Promise<ReplayReport> {
  const { target } = options
  const wrong = configProblems(target, 'target', configFacts())
  if (wrong.length > 0) throw new UsageError(...wrong)
  const data = target.binding === undefined ? NO_BINDING : loadBinding(target.binding, process.cwd())
  const binding = resolveBinding(data)
  const looked = await lookAt(recording, binding, () => {})
  if (looked.scan.changing.size > 0 && target.consent.modifyTarget !== true) {
    throw new Error(`the recording changes its target, and consent.modifyTarget is not given for ${target.baseUrl}`)
  }
  requireSecrets(looked.scan, target)
  const out = options.out ?? mkdtempSync(join(tmpdir(), 'assay-replay-'))
  const plan: ReplayPlan = {
    recording,
    config: target,
    embedded: false,
    binding: data,
    speed: options.speed ?? 0,
    concurrency: options.concurrency ?? 16,
    timeout: target.timeout ?? 30_000,
    filter: options.filter ?? [],
    shard: options.shard,
    baseline: options.baseline === true,
    ignore: options.ignore ?? [],
    learnTo: undefined,
    shift: options.shift !== false,
    fullBodies: options.baseline === true,
    out,
    again: `${SILENT.program} replay ${quoted(recording)} --target ${quoted(target.baseUrl)}`,
  }
  try {
    const done = await carryOut({
      ...looked,
      plan,
      binding,
      target,
      stopped: () => false,
      watch: () => () => {},
      note: () => {},
    })
    if (done.unread !== undefined) throw new Error(done.unread)
    return done.replay
  } finally {
    if (options.out === undefined) rmSync(out, { recursive: true, force: true })
  }
}
