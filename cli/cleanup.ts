import { appendFileSync } from 'node:fs'
import { type JournalContent, mendJournal, readJournal } from '../fixtures/journal.ts'
import { bounded, visible } from '../reports/text.ts'
import { createOracle } from '../rules/oracle.ts'
import { type Binding, resolveBinding } from '../schemas/binding.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import type { JournalLine } from '../schemas/types/journal.ts'
import { basePath } from '../suites/kit/base-path.ts'
import { cleanUp, type Earlier, type Leftover } from '../suites/kit/cleanup.ts'
import { createPace } from '../suites/kit/pace.ts'
import { createSender } from '../suites/kit/sender.ts'
import { loadBinding } from './binding.ts'
import { loadConfig } from './config.ts'
import { UnreachableError, UsageError } from './errors.ts'
import { EXIT } from './exit-codes.ts'
import { exitWith, type Io } from './io.ts'
import { whileDoing } from './progress-line.ts'
import { openTargetSession } from './session.ts'
import { requireWritableFile } from './writable.ts'

/** What the command line gives. */
export interface CleanupOptions {
  readonly config?: string
  readonly json?: boolean
}

const LONGEST_LEFT = 300

interface Entry extends Leftover {
  readonly key: string
}

/** Removes from a target what a journal says is, or may be, still there; ends with 1 where something is left. */
export async function runCleanup(path: string, options: CleanupOptions, io: Io): Promise<void> {
  const journal = read(path)
  const config = await loadConfig(options.config, io.env, io.cwd, { baseUrl: journal.header.baseUrl })
  const name = config.binding ?? journal.header.binding
  if (name === '') {
    const what = 'the run had no binding, so no operation is known that removes anything'
    throw new UsageError({ where: path, what, hint: 'name one in the configuration' })
  }
  const binding = resolveBinding(loadBinding(name, io.cwd))
  const entries = journal.remaining.map(
    ({ making, id }): Entry => ({
      key: making.entry,
      type: making.resource,
      label: making.label,
      params: making.params,
      id,
    }),
  )
  const earlier = { removed: journal.removed.map(({ making, id }) => ({ type: making.resource, id })) }
  const removed: Entry[] = []
  await requireWritableFile(path, 'place for the journal')
  mendJournal(path)
  const doing = `removing ${entries.length} things from ${config.baseUrl}`
  const remove = (entry: Entry): void => {
    const line: JournalLine = { type: 'removed', entry: entry.key }
    appendFileSync(path, `${JSON.stringify(line)}\n`)
    removed.push(entry)
  }
  const seen: Seen = { refused: 0, answered: 0, error: undefined }
  const left = await whileDoing(io, doing, () => removeAll(entries, earlier, binding, config, remove, seen))
  if (left.length > 0 && removed.length === 0) requireAnswers(seen, config.baseUrl)
  if (options.json === true) io.stdout.write(`${JSON.stringify({ removed, left })}\n`)
  else {
    io.stdout.write(`removed ${removed.length} of ${entries.length} from ${config.baseUrl}\n`)
    for (const { type, id, label } of left) {
      // Ids and labels may be the target's words.
      const what = visible(bounded(`${type} ${id ?? '(id unknown)'} ${label}`, LONGEST_LEFT))
      io.stdout.write(`left: ${what}\n`)
    }
  }
  exitWith(io, left.length === 0 ? EXIT.ok : EXIT.nonConformant)
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
      what: `no answer (${error}), and nothing was removed`,
      hint: 'is it still there?',
    })
  }
}

const READ_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder',
  EACCES: 'no permission to read it',
}

function read(path: string): JournalContent {
  try {
    return readJournal(path)
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    const what = READ_FAULTS[code] ?? (thrown instanceof Error ? thrown.message : String(thrown))
    // a malformed line is named with its file
    throw new UsageError({
      where: what.startsWith(`${path}:`) ? '' : path,
      what,
      hint: 'a journal stands in the folder of the report',
    })
  }
}

async function removeAll(
  entries: readonly Entry[],
  earlier: Earlier,
  binding: Binding,
  config: TargetConfig,
  onRemoved: (entry: Entry) => void,
  seen: Seen,
): Promise<Entry[]> {
  const credentials = config.credentials ?? {}
  const session = openTargetSession(config, { idPrefix: 'cleanup-', connections: 4 })
  const judge = createOracle({ binding, basePath: basePath(config.baseUrl), settleMs: 0 }).createJudge()
  const sender = createSender({
    binding,
    session,
    judge,
    credentials,
    enterprise: 'both',
    caseId: 'cleanup',
    pace: createPace(
      config.rate,
      () => performance.now(),
      (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ),
    readOnly: false,
    sink: config.sink ?? {},
    stopped: () => false,
    onExchange({ _outcome, _error, response: { status } }) {
      if (_outcome !== 'complete') seen.error = _error ?? _outcome
      else if (status === 401 || status === 403) seen.refused += 1
      else seen.answered += 1
    },
  })
  try {
    return await cleanUp(entries, binding, sender.send, async (entry) => onRemoved(entry), earlier)
  } finally {
    await session.close()
  }
}
