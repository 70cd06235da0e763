import { join, resolve, sep } from 'node:path'
import { openUnchanged, type Recording, RecordingError } from '../../fixtures/recording/read.ts'
import { type Scan, scanRecording } from '../../fixtures/replay/plan/scan.ts'
import { checkWritable } from '../../reports/formats/write.ts'
import { quoted } from '../../reports/shell.ts'
import { type Binding, type BindingData, resolveBinding } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { IgnoreEntry, IgnoreFile } from '../../schemas/types/ignore.ts'
import { basePathOf } from '../../schemas/url.ts'
import { realPath } from '../conclude/earlier.ts'
import type { FoundBinding } from '../config/chosen-binding.ts'
import { readJsonFile } from '../config/config-file.ts'
import { ownProblems } from '../config/record-problems.ts'
import { UsageError } from '../errors.ts'
import { commandLine } from '../options.ts'
import { bindingFor } from '../recordings/recorded-binding.ts'
import { requireReplayConsent, requireSecrets } from './consent.ts'

/** What is replayed to which target, and how. */
export interface ReplayOptions {
  /** path, as it was given */
  readonly recording: string
  readonly config: TargetConfig
  /** the target is the reference, started for this: it needs no consent, and is gone afterwards */
  readonly embedded: boolean
  /** what the user names; undefined: what the recording says */
  readonly binding: FoundBinding | undefined
  /** 0: as fast as it goes; 1: as recorded */
  readonly speed: number
  readonly concurrency: number
  /** milliseconds */
  readonly timeout: number
  /** operations, cases, statuses or paths; empty: all */
  readonly filter: readonly string[]
  /** milliseconds within which an answer may still be old */
  readonly settleMs: number
  readonly ignore: readonly IgnoreEntry[]
  /** move times by as much as lies between the recording and now */
  readonly shift: boolean
  readonly fullBodies: boolean
  /** whole path of the folder for new exchanges and journals */
  readonly out: string
  /** somebody agreed to changes of the target, beside its configuration */
  readonly consented: boolean
  /** the command that replays the same against the same again: reports show it */
  readonly again: string
}

/** Reads a file of ignored places. @throws UsageError */
export function readIgnoreFile(path: string, cwd: string): readonly IgnoreEntry[] {
  const value = readJsonFile(resolve(cwd, path), path)
  const problems = ownProblems('ignore', value, path)
  if (problems.length > 0) throw new UsageError(...problems)
  return (value as IgnoreFile).ignore
}

/** As long as a run looks how late a target is. */
const LONGEST_SETTLE_MS = 10_000

/** The milliseconds within which an answer may still be old. The reference shows all at once. */
export function settleMsOf({ settleTimeout }: TargetConfig, embedded: boolean): number {
  return settleTimeout ?? (embedded ? 0 : LONGEST_SETTLE_MS)
}

/** What happens while a recording is replayed. */
export interface ReplayEvents {
  readonly stopped: () => boolean
  /** Shows how far it is, as `read` says it, until the function that it returns is called. */
  readonly progress?: (read: () => ReplayProgress) => () => void
  readonly onNotice: (notice: ReplayNotice) => void
}

export type ReplayProgress =
  | { readonly phase: 'reading' }
  | { readonly phase: 'replaying'; readonly done: number; readonly of: number; readonly different: number }

/** Notes for the user of a replay; none ends it. */
export type ReplayNotice =
  | { readonly kind: 'binding'; readonly found: FoundBinding }
  | { readonly kind: 'unreadable part'; readonly message: string }
  | { readonly kind: 'distilled' }
  /** things that the recording made and did not remove */
  | { readonly kind: 'left'; readonly count: number; readonly journal: string }

/** A replay whose recording was looked at, and that may begin. */
export interface PreparedReplay {
  readonly options: ReplayOptions
  readonly binding: Binding
  readonly bindingData: BindingData
  readonly recording: Recording
  readonly scan: Scan
}

/** Folder of new exchanges, in the folder that a replay writes into. */
export const EVIDENCE = 'evidence'

/** Reads a whole recording, and asks for everything that its replay needs. @throws UsageError */
export async function prepareReplay(options: ReplayOptions, events: ReplayEvents): Promise<PreparedReplay> {
  const stopShowing = events.progress?.(() => ({ phase: 'reading' }))
  const { recording, scan, binding, bindingData } = await readRecording(options, events).finally(stopShowing)
  if (!options.embedded) {
    const consented = options.consented || options.config.consent?.modifyTarget === true
    requireReplayConsent(scan, consented, options.config.baseUrl)
    requireSecrets(scan, options.config)
  }
  await checkWritable(options.out)
  return { options, binding, bindingData, recording, scan }
}

async function readRecording(
  { recording: path, binding: given, filter }: ReplayOptions,
  { onNotice }: ReplayEvents,
): Promise<Omit<PreparedReplay, 'options'>> {
  try {
    const recording = await openUnchanged(path)
    const bound = bindingFor([recording], given)
    onNotice({ kind: 'binding', found: bound })
    const binding = resolveBinding(bound.data)
    const exchanges = recording.exchanges({
      onProblem: ({ message }) => onNotice({ kind: 'unreadable part', message }),
    })
    const found = await scanRecording(exchanges, binding.operations.values(), filter)
    // Where no request means anything here, only the recorder knows what stands in front of each path.
    const { target } = recording.about ?? {}
    const isStrange = found.known.size === 0 && target !== undefined
    const scan = isStrange ? { ...found, basePath: basePathOf(target) } : found
    if (recording.about?.distilled !== undefined) onNotice({ kind: 'distilled' })
    if (scan.exchanges === 0) throw new RecordingError(`${path} holds no exchange`)
    if (scan.asked?.size === 0)
      throw new UsageError({ where: '--filter', what: `nothing in the recording is ${filter.join(' or ')}`, hint: '' })
    return { recording, scan, binding, bindingData: bound.data }
  } catch (thrown) {
    if (!(thrown instanceof RecordingError)) throw thrown
    throw new UsageError({ where: '', what: thrown.message, hint: '`assay fixtures repair` says what can be saved' })
  }
}

/**
 * The new exchanges take the place of those of an earlier replay. Both are whole paths.
 * @throws UsageError where these are to be replayed
 */
export function requireOtherFolder(recording: string, out: string): void {
  const path = realPath(recording)
  const taken = join(realPath(out), EVIDENCE)
  if (path !== taken && !path.startsWith(taken + sep)) return
  const what = 'the new exchanges would overwrite the recording'
  throw new UsageError({ where: recording, what, hint: 'choose another --out' })
}

/** What a replay was given, as far as another one like it has to be given it again. */
export interface ReplayGiven {
  readonly embedded?: boolean | undefined
  /** base URL; undefined: the configuration names it */
  readonly target?: string | undefined
  readonly config?: string | undefined
  readonly binding?: string | undefined
  readonly shift?: boolean | undefined
  readonly filter?: readonly string[] | undefined
  readonly yesModifyTarget?: boolean | undefined
}

/**
 * The command that replays the same again. Values of the configuration come from there again. Speed and place of the
 * output do not matter.
 */
export function replayAgain(recording: string, given: ReplayGiven, program: string): string {
  const { embedded, target, config, binding, shift, yesModifyTarget, filter } = given
  return commandLine(`${program} replay ${quoted(recording)}`, {
    ...{ embedded, target, config, binding, noShift: shift === false, yesModifyTarget, filter },
  })
}
