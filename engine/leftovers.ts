import { appendFileSync, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JournalContent, readJournal } from '../fixtures/journal.ts'
import { quoted } from '../reports/shell.ts'
import type { Binding } from '../schemas/binding.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import type { Exchange } from '../schemas/types/exchange.ts'
import type { JournalHeader, JournalLine } from '../schemas/types/journal.ts'
import { basePathOf } from '../schemas/url.ts'
import { createOutage } from '../suites/request/outage.ts'
import { createPace } from '../suites/request/pace.ts'
import { createSender } from '../suites/request/sender.ts'
import { cleanUp, type Leftover, type Staying } from '../suites/resources/cleanup.ts'
import { commandLine } from './options.ts'
import { openTargetSession } from './session.ts'

/** The first line of a journal. `prefix`: stands in every name that is given. */
export function journalHeader(
  { baseUrl, binding = '' }: Pick<TargetConfig, 'baseUrl' | 'binding'>,
  prefix: string,
  startedAt: number = Date.now(),
): JournalHeader {
  return { type: 'run', formatVersion: 1, baseUrl, binding, prefix, startedAt: new Date(startedAt).toISOString() }
}

/** Something that a journal says is, or may be, still there. */
export interface JournalEntry extends Leftover {
  /** of its lines in the journal */
  readonly key: string
}

export function entriesOf({ remaining }: JournalContent): JournalEntry[] {
  return remaining.map(({ making, id }) => ({
    key: making.entry,
    type: making.resource,
    label: making.label,
    params: making.params,
    id,
  }))
}

export interface Removing {
  /** path, which every removal is noted in at once */
  readonly journal: string
  readonly content: JournalContent
  readonly binding: Binding
  readonly target: TargetConfig
  /** stands in the ids of what is sent */
  readonly name: string
  readonly stopped?: () => boolean
  readonly onExchange?: (exchange: Exchange) => void
  readonly onRemoved?: (entry: JournalEntry) => void
}

/** Removes entries of a journal from a target; returns what is, or may be, still there. */
export async function removeEntries(
  entries: readonly JournalEntry[],
  removing: Removing,
): Promise<Staying<JournalEntry>[]> {
  const { journal, content, binding, target, name } = removing
  // A run names the command for its cleanup before its first request, long before there is anything to judge.
  const { createOracle } = await import('../rules/oracle.ts')
  const session = openTargetSession(target, { idPrefix: `${name}-`, connections: 4 })
  const sender = createSender({
    binding,
    session,
    judge: createOracle({ binding, basePath: basePathOf(target.baseUrl), settleMs: 0 }).createJudge(),
    credentials: target.credentials ?? {},
    enterprise: 'both',
    caseId: name,
    pace: createPace(target.rate, () => performance.now(), sleep),
    outage: createOutage(() => performance.now(), false),
    readOnly: false,
    sink: target.sink ?? {},
    stopped: removing.stopped ?? (() => false),
    onExchange: (exchange) => removing.onExchange?.(exchange),
  })
  const remove = async (entry: JournalEntry): Promise<void> => {
    const line: JournalLine = { type: 'removed', entry: entry.key }
    appendFileSync(journal, `${JSON.stringify(line)}\n`)
    removing.onRemoved?.(entry)
  }
  const earlier = { removed: content.removed.map(({ making, id }) => ({ type: making.resource, id })) }
  try {
    return await cleanUp(entries, { binding, send: sender.send }, remove, { earlier })
  } finally {
    await session.close()
  }
}

/** Facts that a run learned about its target, as far as they are needed again. */
export interface CleanupGiven {
  readonly config?: string | undefined
  /** base URL; undefined: the configuration names it */
  readonly target?: string | undefined
  readonly binding?: string | undefined
}

/** The command that removes what a journal names from the target that the run was given. */
export function cleanupCommand(program: string, journal: string, { config, target, binding }: CleanupGiven): string {
  return commandLine(`${program} cleanup ${quoted(journal)}`, { config, target, binding })
}

/**
 * Removes the journal where nothing is left to be removed from the target, and says whether it did. `cleared`: nothing
 * is, though the journal could not note it. A journal that was moved or removed tells nothing.
 */
export async function closeJournal(path: string, cleared: boolean): Promise<boolean> {
  if (!cleared && (!existsSync(path) || readJournal(path).remaining.length > 0)) return false
  await rm(path, { force: true }).catch(() => undefined)
  return true
}
