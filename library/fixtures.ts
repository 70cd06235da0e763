import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadBinding, NO_BINDING } from '../engine/config/binding.ts'
import { UnreachableError, UsageError } from '../engine/errors.ts'
import { cleanupCommand } from '../engine/leftovers.ts'
import { numberOption } from '../engine/options.ts'
import { carryOut } from '../engine/replay/carry-out.ts'
import { requireReplayConsent } from '../engine/replay/consent.ts'
import { requireElsewhere } from '../engine/replay/elsewhere.ts'
import { lookAt, requireSecrets } from '../engine/replay/look.ts'
import type { ReplayOptions } from '../engine/replay/options.ts'
import { type ReplayPlan, replayAgain } from '../engine/replay/plan.ts'
import { openUnchanged, type Recording } from '../fixtures/recording/read.ts'
import { findingsIn, type TrafficFinding } from '../proxy/recorder/findings.ts'
import { checkWritable } from '../reports/write.ts'
import { createOracle } from '../rules/oracle.ts'
import { resolveBinding } from '../schemas/binding.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import type { ReplayReport } from '../schemas/types/replay.ts'
import { theCaller } from './caller.ts'
import { checkReplayOptions, type ReplayLibraryOptions } from './replay-options.ts'
import { asUsage, tellingUsage } from './wrong-use.ts'

export type { Recording, RecordingProblem } from '../fixtures/recording/read.ts'
export type { Exchange } from '../schemas/types/exchange.ts'
export type { DifferenceGroup, ReplayReport } from '../schemas/types/replay.ts'
export type { ReplayLibraryOptions, ReplayTarget } from './replay-options.ts'

/**
 * Opens a recording: a folder of segments, the evidence of a certify run, or a HAR file. Nothing is kept in memory:
 * `exchanges()` reads from the disk, one exchange after the other, and begins anew with each call.
 * @throws an error with `exitCode` 2 and `problems`, whose line names the file, and the line or entry where it cannot be
 * read; so does going through `exchanges()`
 */
export async function loadRecording(path: string): Promise<Recording> {
  try {
    return tellingUsage(await openUnchanged(path))
  } catch (thrown) {
    throw asUsage(thrown)
  }
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
 * @throws an error with `exitCode` and `problems`: 2 for wrong options, an unreadable recording, missing credentials or no
 * consent; 3 where the target gave no answer, at once or on the way: what was compared until then is its `report`
 */
export async function replay(recording: string, options: ReplayLibraryOptions): Promise<ReplayReport> {
  try {
    return await replayed(recording, options)
  } catch (thrown) {
    throw asUsage(thrown)
  }
}

async function replayed(recording: string, options: ReplayLibraryOptions): Promise<ReplayReport> {
  const checked = checkReplayOptions(options)
  const { target } = options
  const folder = options.out === undefined ? undefined : resolve(options.out)
  if (folder !== undefined) requireElsewhere(resolve(recording), folder)
  const data = target.binding === undefined ? NO_BINDING : loadBinding(target.binding, process.cwd())
  const binding = resolveBinding(data)
  const looked = await lookAt(recording, binding, () => {})
  requireReplayConsent(looked.scan, target.consent?.modifyTarget === true, target.baseUrl)
  requireSecrets(looked.scan, target)
  if (folder !== undefined) await checkWritable(folder)
  const out = folder ?? mkdtempSync(join(tmpdir(), 'assay-replay-'))
  const plan: ReplayPlan = {
    recording,
    config: target,
    embedded: false,
    binding: data,
    ...checked,
    timeout: target.timeout ?? 30_000,
    baseline: options.baseline === true,
    learnTo: undefined,
    shift: options.shift !== false,
    fullBodies: options.baseline === true,
    out,
    again: replayAgain(recording, wordsOf(options), theCaller().program),
    cleanup: (journal) => cleanupCommand(theCaller().program, journal, { target: target.baseUrl }),
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
    if (done.unread !== undefined) {
      throw new UsageError({ where: '', what: done.unread, hint: 'what came before it was replayed' })
    }
    const report = done.replay
    if (report.broke === '') return report
    const unreachable = new UnreachableError({
      where: target.baseUrl,
      what: report.broke,
      hint: 'is the target running?',
    })
    throw Object.assign(unreachable, { report })
  } finally {
    if (folder === undefined) rmSync(out, { recursive: true, force: true })
  }
}

/** What the command line calls the same. */
function wordsOf({ target, shift, filter }: ReplayLibraryOptions): ReplayOptions {
  return {
    target: target.baseUrl,
    ...(target.binding === undefined ? {} : { binding: target.binding }),
    ...(shift === undefined ? {} : { shift }),
    ...(filter === undefined ? {} : { filter }),
    yesModifyTarget: target.consent?.modifyTarget === true,
  }
}
