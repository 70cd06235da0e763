import { dirname } from 'node:path'
import { type JournalContent, mendJournal, readJournal } from '../../fixtures/journal.ts'
import { FileFault } from '../../fixtures/plain-file.ts'
import { quoted } from '../../reports/shell.ts'
import { resolveBinding, shippedBindings } from '../../schemas/binding.ts'
import { plainBaseOf } from '../../schemas/url.ts'
import type { Staying } from '../../suites/resources/cleanup.ts'
import type { Caller } from '../caller.ts'
import { claimFolder } from '../claim.ts'
import { loadBinding } from '../config/binding.ts'
import { loadConfig, NoTargetError } from '../config/config.ts'
import { UnreachableError, UsageError } from '../errors.ts'
import { entriesOf, type JournalEntry, removeEntries } from '../leftovers.ts'
import { requireWritableFile } from '../writable.ts'

/** Which target is cleaned, and how it is asked. */
export interface CleanupOptions {
  readonly config?: string
  readonly target?: string
  readonly binding?: string
}

export interface Cleaned {
  /** base URL */
  readonly target: string
  readonly removed: readonly JournalEntry[]
  /** what is, or may be, still there, and why */
  readonly left: readonly Staying<JournalEntry>[]
}

/**
 * Removes from a target what a journal says is, or may be, still there. A journal may come from anywhere: where requests
 * and credentials go, and what requests look like, is for the user to say. `onBegin`: gets the number of things, and
 * their target. @throws UsageError, UnreachableError
 */
export async function cleanUp(
  path: string,
  options: CleanupOptions,
  { env, cwd }: Caller,
  onBegin: (things: number, target: string) => void = () => {},
): Promise<Cleaned> {
  const journal = read(path)
  const given = { baseUrl: options.target, binding: options.binding }
  const config = await loadConfig(options.config, env, cwd, given).catch((thrown: unknown) => {
    throw noTarget(thrown, journal, path)
  })
  requireSameTarget(journal, config.baseUrl, path)
  const name = config.binding ?? journal.header.binding
  if (name === '') {
    const what = 'the run had no binding, so no operation can remove anything'
    throw new UsageError({ where: path, what, hint: 'name one in the configuration, or with --binding' })
  }
  if (config.binding === undefined && !shippedBindings().includes(name)) {
    const what = `names the binding ${JSON.stringify(name)}, which does not ship with assay`
    throw new UsageError({ where: path, what, hint: 'name its file in the configuration, or with --binding' })
  }
  const binding = resolveBinding(loadBinding(name, cwd))
  const entries = entriesOf(journal)
  const removed: JournalEntry[] = []
  await requireWritableFile(path, 'choose another folder')
  const leave = claimFolder(dirname(path), 'wait until it ends: it removes what it made')
  mendJournal(path)
  onBegin(entries.length, config.baseUrl)
  const seen: Seen = { refused: 0, answered: 0, error: undefined }
  const left = await removeEntries(entries, {
    journal: path,
    content: journal,
    binding,
    target: config,
    name: 'cleanup',
    onExchange: ({ _outcome, _error, response: { status } }) => {
      if (_outcome !== 'complete') seen.error = _error ?? _outcome
      else if (status === 401 || status === 403) seen.refused += 1
      else seen.answered += 1
    },
    onRemoved: (entry) => removed.push(entry),
  }).finally(leave)
  if (left.length > 0 && removed.length === 0) requireAnswers(seen, config.baseUrl)
  return { target: config.baseUrl, removed, left }
}

/** What became of the requests. */
interface Seen {
  /** answered with 401 or 403 */
  refused: number
  /** answered otherwise */
  answered: number
  /** why the last one was not answered */
  error: string | undefined
}

/** Where the target lets nobody in, or does not answer, nothing is known of what is left. @throws UnreachableError */
function requireAnswers({ refused, answered, error }: Seen, where: string): void {
  if (answered > 0) return
  if (refused > 0) {
    const hint = 'name the configuration of the run with --config'
    throw new UnreachableError({ where, what: 'credentials are refused, and nothing was removed', hint })
  }
  if (error !== undefined) {
    throw new UnreachableError({
      where,
      what: `no response (${error}), and nothing was removed`,
      hint: 'is it still there?',
    })
  }
}

/** Without a configuration nothing says where the target is but the journal, and a journal is not asked. */
function noTarget(thrown: unknown, { header }: JournalContent, path: string): unknown {
  if (!(thrown instanceof NoTargetError)) return thrown
  const what = `names the target ${header.baseUrl}, but no configuration or option confirms it`
  const hint = `if that is right, add --target ${quoted(header.baseUrl)}`
  return new UsageError({ where: path, what, hint })
}

/** @throws UsageError where the journal is of another target than the one that the user names */
function requireSameTarget({ header }: JournalContent, target: string, path: string): void {
  if (placeOf(header.baseUrl) === placeOf(target)) return
  const what = `is of a run against ${header.baseUrl}, not against ${target}`
  const hint = 'name the configuration of the run with --config, or its target with --target'
  throw new UsageError({ where: path, what, hint })
}

/** What two spellings of one base URL have in common. */
function placeOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? plainBaseOf(baseUrl) : baseUrl
}

function read(path: string): JournalContent {
  try {
    return readJournal(path, 'given')
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown
    throw new UsageError({
      where: thrown.where,
      what: thrown.message,
      hint: 'a journal stands in the folder of the report',
    })
  }
}
