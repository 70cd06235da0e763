import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../fixtures/http/session.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../fixtures/private-folder.ts'
import { createForeignCleaner } from '../../fixtures/redact/foreign.ts'
import { createPseudonyms } from '../../fixtures/redact/pseudonym.ts'
import { createAddresses, type RecordedAt } from '../../fixtures/replay/addresses.ts'
import type { Compared } from '../../fixtures/replay/compare/exchange.ts'
import { createCleaner, OPEN, written } from '../../fixtures/replay/redacted.ts'
import { ReplayBroken, type Replayed, type ReplaySummary, replay } from '../../fixtures/replay/replay.ts'
import { createTeller } from '../../fixtures/replay/telling.ts'
import type { TimeShift } from '../../fixtures/replay/times.ts'
import { openBodies, readBody } from '../../fixtures/segments/bodies.ts'
import { openCompactSegment } from '../../fixtures/segments/write.ts'
import type { Binding } from '../../schemas/binding.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import type { JournalHeader } from '../../schemas/types/journal.ts'
import { withoutSlash } from '../../schemas/url.ts'
import { credentialHeaders, defaultChoices } from '../../suites/request/credentials.ts'
import { openTargetSession, redactorFor } from '../session.ts'
import { openReplayJournal } from './journal.ts'
import { secretsByScheme } from './look.ts'

/** One pass over a recording. */
export interface Pass {
  readonly exchanges: AsyncIterable<Exchange>
  /** folder that the whole bodies of the recording stand in */
  readonly bodies: string
  readonly basePath: string
  /** servers that were recorded */
  readonly recordedAt: RecordedAt
  /** base URL, credentials and the like of the target */
  readonly target: TargetConfig
  readonly binding: Binding
  readonly shift: TimeShift
  readonly speed: number
  readonly concurrency: number
  readonly timeout: number
  readonly fullBodies: boolean
  /** folder for the new exchanges, emptied first */
  readonly evidence: string
  readonly journal: string
  readonly prefix: string
  /** what the ids of the new exchanges begin with */
  readonly idPrefix: string
  readonly given: ReadonlyMap<string, string>
  /** nobody told the recorder which credentials were right */
  readonly guesses: boolean
  readonly refuses: Parameters<typeof replay>[0]['refuses'] | undefined
  readonly stopped: () => boolean
  readonly onReplayed: (replayed: Replayed) => void
}

export interface Passed {
  readonly summary: ReplaySummary
  /** why the recording could not be read to its end */
  readonly unread: string | undefined
}

/** Sends a recording once, and writes down what it makes and every new exchange. */
export async function passOnce(pass: Pass): Promise<Passed> {
  // What it reads may be missing: nothing is removed or opened until it is there.
  const session = openTargetSession(pass.target, {
    idPrefix: pass.idPrefix,
    connections: pass.concurrency,
    timeoutMs: pass.timeout,
    // What is learned from answers has to be whole; what is written is cleaned later.
    redactor: OPEN,
  })
  try {
    return await passThrough(session, pass)
  } finally {
    await session.close()
  }
}

async function passThrough(session: Session, pass: Pass): Promise<Passed> {
  const { target } = pass
  const credentials = target.credentials ?? {}
  rmSync(pass.evidence, { recursive: true, force: true })
  makePrivateFolder(pass.evidence)
  const header: JournalHeader = {
    type: 'run',
    formatVersion: 1,
    baseUrl: target.baseUrl,
    binding: target.binding ?? '',
    prefix: pass.prefix,
    startedAt: new Date().toISOString(),
  }
  writeFileSync(pass.journal, `${JSON.stringify(header)}\n`, { mode: PRIVATE_FILE })
  const { ownerEmail, memberEmails = [] } = target.resources ?? {}
  const redactor = redactorFor(target)
  const configured = createCleaner(redactor)
  const foreign = createForeignCleaner({
    binding: pass.binding,
    key: randomBytes(32),
    mark: pass.prefix,
    given: [...memberEmails, ...(ownerEmail === undefined ? [] : [ownerEmail])],
    sentToo: true,
    known: redactor.text,
  })
  const clean = (exchange: Exchange): Exchange => foreign(configured(exchange))
  const tell = createTeller({
    binding: pass.binding,
    configured: redactorFor(target),
    hide: createPseudonyms(randomBytes(32)),
    mark: pass.prefix,
  })
  const segment = openCompactSegment(pass.evidence, 'replay', withoutSlash(target.baseUrl))
  const bodies = pass.fullBodies ? openBodies(pass.evidence) : undefined
  const prefixes = new Map<string, string>()
  const journal = await openReplayJournal(pass.journal, pass.binding)
  try {
    const summary = await replay({
      exchanges: pass.exchanges,
      session,
      binding: pass.binding,
      basePath: pass.basePath,
      addresses: createAddresses(pass.recordedAt, target.baseUrl),
      secrets: secretsByScheme(credentials),
      guesses: pass.guesses,
      defaultCredentials(id) {
        const family = pass.binding.operations.get(id)?.family ?? 'v1'
        return credentialHeaders(defaultChoices(family, credentials, 'both'), credentials, pass.binding.answers).headers
      },
      shift: pass.shift,
      speed: pass.speed,
      concurrency: pass.concurrency,
      wholeBody: (name) => readBody(pass.bodies, name),
      rename(prefix) {
        const name = prefixes.size === 0 ? pass.prefix : `assay-${randomBytes(3).toString('hex')}`
        prefixes.set(prefix, name)
        return name
      },
      given: pass.given,
      settleMs: target.settleTimeout ?? 0,
      now: () => performance.now(),
      sleep: (milliseconds) => sleep(milliseconds),
      stopped: pass.stopped,
      ...(pass.refuses ? { refuses: pass.refuses } : {}),
      beforeSending: (step, request) => journal.making(step, request),
      onReplayed(replayed) {
        const { step, exchange, whole } = replayed
        if (!exchange) {
          journal.notSent(step)
          pass.onReplayed(replayed)
          return
        }
        journal.answered(step, exchange)
        const kept = written(whole, exchange, clean, bodies)
        segment.append(kept)
        // What is told of it is told of what stands in the evidence.
        pass.onReplayed({ ...replayed, exchange: kept, compared: toldOf(replayed, tell) })
      },
    })
    return { summary, unread: undefined }
  } catch (thrown) {
    if (!(thrown instanceof ReplayBroken)) throw thrown
    return { summary: thrown.summary, unread: thrown.message }
  } finally {
    segment.close()
    await journal.close()
  }
}

/** Folders of new exchanges, and of those of the second pass, in the folder that a replay writes into. */
export const EVIDENCE = 'evidence'
export const BASELINE = 'baseline'

/** Where the new exchanges and the journal of a pass stand. */
export function placesIn(out: string, prefix: string, name: string): Pick<Pass, 'evidence' | 'journal'> {
  return { evidence: join(out, name), journal: join(out, `journal-${prefix}.ndjson`) }
}

/** What came of a comparison, without secrets. */
function toldOf({ compared, step }: Replayed, tell: ReturnType<typeof createTeller>): Compared | undefined {
  return compared && compared.differences.length > 0
    ? { ...compared, differences: compared.differences.map((one) => tell(one, step.touches.operation)) }
    : compared
}
