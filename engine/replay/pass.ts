import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../fixtures/http/session.ts'
import { readJournal } from '../../fixtures/journal.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../fixtures/private-folder.ts'
import type { Recording } from '../../fixtures/recording/read.ts'
import { createEvidenceCleaner, type EvidenceCleaner } from '../../fixtures/redact/evidence.ts'
import { fingerprintOf } from '../../fixtures/redact/pseudonym.ts'
import { OPEN } from '../../fixtures/redact/run.ts'
import { createDifferenceRedactor } from '../../fixtures/replay/compare/differences.ts'
import { type InOrderOptions, type SentSummary, sendInOrder } from '../../fixtures/replay/in-order.ts'
import type { Scan } from '../../fixtures/replay/plan/scan.ts'
import { isOtherServer } from '../../fixtures/replay/plan/servers.ts'
import { createAddresses, originOf, type RecordedAt } from '../../fixtures/replay/values/addresses.ts'
import { NO_SHIFT, type TimeShift, timeShift } from '../../fixtures/replay/values/times.ts'
import { openBodies, readBody, written } from '../../fixtures/segments/bodies.ts'
import { openSegment } from '../../fixtures/segments/write.ts'
import type { Binding } from '../../schemas/binding.ts'
import { setBounded } from '../../schemas/bounded.ts'
import type { TargetConfig } from '../../schemas/types/config.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { basePathOf, withoutSlash } from '../../schemas/url.ts'
import { credentialHeaders, defaultChoices } from '../../suites/request/credentials.ts'
import type { EvidenceJudge } from '../judge/judge.ts'
import { journalHeader } from '../leftovers.ts'
import { openTargetSession, redactorFor } from '../session.ts'
import { type Made, refusal, secretsByScheme } from './consent.ts'
import { ReplayJournal } from './journal.ts'
import type { Outcome } from './outcome.ts'
import { EVIDENCE, type PreparedReplay, type ReplayEvents } from './plan.ts'

/** A replay that has begun. */
export interface RunningReplay extends PreparedReplay {
  /** base URL, credentials and the like of the target */
  readonly target: TargetConfig
  readonly events: ReplayEvents
}

/** Where the new exchanges and the journal of a pass stand. */
export interface PassPlaces {
  /** stands in every name that the pass gives */
  readonly prefix: string
  /** folder for the new exchanges, emptied first */
  readonly evidence: string
  readonly journal: string
}

/** What a pass fills. */
export interface Pass {
  readonly places: PassPlaces
  /** counts what comes of each exchange */
  readonly outcome: Outcome
  /** is shown each new exchange as it is written */
  readonly judge: EvidenceJudge
}

export function placesIn(out: string): PassPlaces {
  const prefix = `assay-${randomBytes(3).toString('hex')}`
  return { prefix, evidence: join(out, EVIDENCE), journal: join(out, `journal-${prefix}.ndjson`) }
}

/** Sends a recording once, and writes down what it makes and every new exchange. */
export async function runPass(
  running: RunningReplay,
  pass: Pass,
): Promise<{ readonly summary: SentSummary; readonly shift: TimeShift }> {
  const { options, target, events, scan, binding } = running
  const shift = shiftOf(scan, options, binding)
  // What it reads may be missing: nothing is removed or opened until it is there.
  const session = openTargetSession(target, {
    idPrefix: 'replay-',
    connections: options.concurrency,
    timeoutMs: options.timeout,
    // Learned values have to be whole; the evidence is cleaned later.
    redactor: OPEN,
  })
  const stopShowing = events.progress?.(() => {
    const { sent, notSent, different } = pass.outcome.counts()
    return { phase: 'replaying', done: sent + notSent, of: scan.exchanges, different }
  })
  try {
    const key = randomBytes(32)
    const output = await openOutput(running, pass, key)
    try {
      const order = orderOptions(running, pass.places, session)
      return { summary: await sendInOrder({ ...order, shift, key, ...output.hooks }), shift }
    } finally {
      await output.close()
    }
  } finally {
    stopShowing?.()
    await session.close()
  }
}

/** How times of a recording are moved. */
function shiftOf(scan: Scan, { shift, speed }: PreparedReplay['options'], binding: Binding): TimeShift {
  if (!shift) return NO_SHIFT
  return timeShift(scan, Date.now(), speed !== 1, dayIn(binding.answers.get('GAP-USAGE-DAY-ZONE')?.value))
}

const DAY = 86_400_000
const QUARTER = 900_000
const MOST_QUARTERS = 1_024

/** The number of the day that a moment lies on, in a zone. */
function dayIn(zone: unknown): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: typeof zone === 'string' ? zone : 'UTC' })
  // Days begin at full quarters of an hour, and each line of a request asks for its own.
  const known = new Map<number, number>()
  return (moment) => {
    const quarter = Math.floor(moment / QUARTER)
    const day = known.get(quarter) ?? Math.floor(Date.parse(`${format.format(moment)}T00:00:00Z`) / DAY)
    setBounded(known, quarter, day, MOST_QUARTERS)
    return day
  }
}

/** Keeps the journal of a pass where something is left. A target that was started for the replay is gone with all it held. */
export function leaveJournal(journal: string, { options, events }: RunningReplay): void {
  const count = readJournal(journal).remaining.length
  if (count === 0 || options.embedded) rmSync(journal, { force: true })
  else events.onNotice({ kind: 'left', count, journal })
}

type Hooks = Pick<InOrderOptions, 'refuses' | 'beforeSending' | 'onTried' | 'onReplayed'>

function orderOptions(
  { options, target, binding, recording, scan, events }: RunningReplay,
  { prefix: own }: PassPlaces,
  session: Session,
): Omit<InOrderOptions, keyof Hooks | 'shift'> {
  const { basePath, guesses } = scan
  const credentials = target.credentials ?? {}
  const prefixes = new Map<string, string>()
  return {
    exchanges: sentOf(recording, scan),
    session,
    binding,
    basePath,
    addresses: createAddresses(recordedAt(recording, scan), target.baseUrl),
    secrets: secretsByScheme(credentials),
    guesses,
    defaultCredentials(id) {
      const family = binding.operations.get(id)?.family ?? 'v1'
      return credentialHeaders(defaultChoices(family, credentials, 'both'), credentials, binding.answers).headers
    },
    speed: options.speed,
    concurrency: options.concurrency,
    wholeBody: (name) => readBody(recording.folder, name),
    rename(prefix) {
      if (!scan.prefixes.has(prefix)) return undefined
      const name = prefixes.size === 0 ? own : `assay-${randomBytes(3).toString('hex')}`
      prefixes.set(prefix, name)
      return name
    },
    given: ownersIn(scan, target),
    settleMs: options.settleMs,
    now: () => performance.now(),
    sleep: (milliseconds) => sleep(milliseconds),
    stopped: events.stopped,
  }
}

async function* sentOf(recording: Recording, scan: Scan): AsyncGenerator<Exchange> {
  for await (const exchange of recording.exchanges()) if (scan.isSent(exchange)) yield exchange
}

/** The target that a recording names, the servers that its requests went to, and those that these requests named. */
function recordedAt(recording: Recording, { basePath, servers, hosts }: Scan): RecordedAt {
  const { target } = recording.about ?? {}
  return { targets: [...servers, ...(target === undefined ? [] : [target])], hosts, basePath }
}

/** The owner of the recorded account becomes the one of the target, in capitals too. */
function ownersIn({ owner }: Scan, { resources }: TargetConfig): ReadonlyMap<string, string> {
  const own = resources?.ownerEmail
  if (owner === undefined || own === undefined) return new Map()
  return new Map([
    [owner.toUpperCase(), own.toUpperCase()],
    [owner, own],
  ])
}

/** Why a request is not sent. */
function refusing({ options, target, scan }: RunningReplay, made: Made): NonNullable<InOrderOptions['refuses']> {
  const owners = new Set([scan.owner, target.resources?.ownerEmail].flatMap((one) => one?.toLowerCase() ?? []))
  const consent = options.config.consent ?? {}
  return (step, request) => {
    const { url } = step.exchange.request
    if (isOtherServer(scan, url)) return { reason: `it went to another server: ${originOf(url)}`, aside: true }
    const reason = options.embedded ? undefined : refusal(step, request, made, consent, owners)
    return reason === undefined ? undefined : { reason }
  }
}

/** Opens what a pass writes: the journal of what it makes, and the new exchanges, without secrets. */
async function openOutput(
  running: RunningReplay,
  pass: Pass,
  key: Uint8Array,
): Promise<{ readonly hooks: Hooks; close(): Promise<void> }> {
  const { options, target, binding } = running
  const { places, outcome, judge } = pass
  rmSync(places.evidence, { recursive: true, force: true })
  makePrivateFolder(places.evidence)
  writeFileSync(places.journal, `${JSON.stringify(journalHeader(target, places.prefix))}\n`, { mode: PRIVATE_FILE })
  const { clean, answers } = cleanerFor({ target, binding }, places.prefix, key)
  const redactedDifference = createDifferenceRedactor(answers)
  const segment = openSegment(places.evidence, 'exchanges', 'replay', {
    base: withoutSlash(target.baseUrl),
    key: fingerprintOf(key),
  })
  const bodies = options.fullBodies ? openBodies(places.evidence) : undefined
  const journal = await ReplayJournal.open(places.journal, binding, basePathOf(target.baseUrl))
  const write = (whole: Exchange | undefined, exchange: Exchange): Exchange => {
    const kept = written(whole, exchange, clean, bodies)
    segment.append(kept)
    judge.judge(kept)
    return kept
  }
  return {
    hooks: {
      refuses: refusing(running, (path) => journal.made(path)),
      beforeSending: (step, request) => journal.making(step, request),
      // A try whose answer was lost may have been carried out: the rules have to know of it.
      onTried: ({ exchange, whole }) => void write(whole, exchange),
      onReplayed(replayed) {
        const { step, exchange, whole, compared } = replayed
        if (!exchange) {
          journal.notSent(step)
          outcome.add(replayed)
          return
        }
        journal.answered(step, exchange)
        const kept = write(whole, exchange)
        if (!compared || compared.differences.length === 0) return outcome.add({ ...replayed, exchange: kept })
        // Differences are told in terms of the evidence.
        const { operation } = step.dependencies
        const differences = compared.differences.map((one) => redactedDifference(one, operation))
        outcome.add({ ...replayed, exchange: kept, compared: { ...compared, differences } })
      },
    },
    async close() {
      segment.close()
      await journal.close()
    },
  }
}

/** Replaces what may not be written down: secrets of the configuration by their names, all else by pseudonyms. */
export function cleanerFor(
  { target, binding }: Pick<RunningReplay, 'target' | 'binding'>,
  mark: string,
  key: Uint8Array = randomBytes(32),
): EvidenceCleaner {
  const { ownerEmail = '', memberEmails = [] } = target.resources ?? {}
  return createEvidenceCleaner({
    binding,
    key,
    given: [mark, target.baseUrl, ownerEmail, ...memberEmails],
    sentToo: true,
    redactor: redactorFor(target),
  })
}
