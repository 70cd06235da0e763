import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectChunks } from '../../fixtures/heap.ts'
import { watchStalls } from '../../fixtures/http/clock.ts'
import { now } from '../../fixtures/http/wire.ts'
import { PRIVATE_FOLDER } from '../../fixtures/private-folder.ts'
import { openRecording } from '../../fixtures/recording/read.ts'
import { fingerprintOf } from '../../fixtures/redact/pseudonym.ts'
import { readBlocks } from '../../fixtures/segments/read.ts'
import { createForwarder } from '../../proxy/forward/forwarder.ts'
import { BACKLOG, createListener } from '../../proxy/forward/listener.ts'
import { createAnnotator, Guard, type GuardCounts, PathJudge } from '../../proxy/guard/guard.ts'
import type { TrafficFinding } from '../../proxy/recorder/findings.ts'
import type { RecorderSummary } from '../../proxy/recorder/recorder.ts'
import { type RecorderThread, startRecorder } from '../../proxy/recorder/start.ts'
import type { QueueCounts } from '../../proxy/tee/queue.ts'
import { createTee } from '../../proxy/tee/tee.ts'
import { checkWritable } from '../../reports/formats/write.ts'
import { bounded, visible } from '../../reports/text.ts'
import type { Keep } from '../../schemas/types/config.ts'
import type { RecordingAbout, SegmentHeader } from '../../schemas/types/recording.ts'
import { basePathOf } from '../../schemas/url.ts'
import { secretsOf } from '../../suites/request/credentials.ts'
import { claimFolder } from '../claim.ts'
import { type Address, closeServer, limitConnections, listen, openFilesLimit } from '../listening.ts'
import { type LivePage, openLivePage } from '../live/live-page.ts'
import { packageInfo } from '../package-info.ts'
import { pseudonymKey } from '../pseudonym-key.ts'
import { carryBinding } from '../recordings/recorded-binding.ts'
import type { RecordPlan } from './plan.ts'

/** What there is to say when a recording ends. */
export interface RecordSummary {
  readonly target: string
  /** name of the binding that it was judged by */
  readonly binding: string
  readonly folder: string
  readonly keep: Keep
  readonly startedAt: string
  readonly endedAt: string
  readonly recorded: RecorderSummary
  readonly queue: QueueCounts
  /** requests that were not forwarded, by the reason that their clients were told */
  readonly refused: Readonly<Record<string, number>>
  /** what this machine had no room for: requests that were not sent on, and connections that were not taken */
  readonly local: { readonly unsent: number; readonly turnedAway: number }
  readonly guard: GuardCounts | undefined
  /** what went wrong with assay itself */
  readonly problems: readonly string[]
}

export interface RecordCounts {
  readonly exchanges: number
  readonly failures: number
  readonly warnings: number
  /** things that are broken as far as is known, and may still turn out otherwise */
  readonly open: number
  readonly dropped: number
  /** bodies of which only the beginning was kept, since the recorder was behind */
  readonly cut: number
}

/** `problem`: of assay itself; `notice`: of a client; `finding`: the first of its requirement */
export type RecordEvent =
  | { readonly kind: 'problem' | 'notice'; readonly text: string }
  | { readonly kind: 'finding'; readonly finding: TrafficFinding }

/** A proxy that listens. */
export interface RunningRecord {
  readonly address: Address
  /** URL of the live page; undefined: there is none */
  readonly page: string | undefined
  counts(): RecordCounts
  /** Takes no more requests, waits for those under way unless `hurry` says otherwise, and ends the recording. */
  end(hurry: () => boolean): Promise<RecordSummary>
  /** Cuts what is under way. */
  cut(): void
}

/** Milliseconds after which connections that were cut have told of their exchanges. */
const SETTLE_MS = 50

/** Starts the recorder's thread and the proxy before it. @throws UsageError where nothing can be written, or listen */
export async function startRecording(plan: RecordPlan, onEvent: (event: RecordEvent) => void): Promise<RunningRecord> {
  await checkWritable(plan.out, PRIVATE_FOLDER)
  const leave = claimFolder(plan.out, 'choose another --out')
  const key = pseudonymKey(plan.keyFile)
  const started = Date.now()
  /** all that went wrong with assay itself so far */
  const problems: string[] = []
  const problem = (text: string): void => {
    problems.push(text)
    onEvent({ kind: 'problem', text })
  }
  const notice = (text: string): void => onEvent({ kind: 'notice', text })
  if (await isOfAnotherKey(plan.out, key)) notice(OTHER_KEY)
  let page: LivePage | undefined
  let standing = ''
  const recorder = await startRecorder(threadOptions(plan, key, started), {
    onRows: (rows) => page?.add(rows),
    onStanding(text) {
      standing = text
      page?.stand(text)
    },
    onProblem: problem,
    onFound: (finding) => onEvent({ kind: 'finding', finding }),
  })
  const proxy = createProxy(plan, key, sessionOf(started), recorder, { problem, notice })
  const close = async (hurry: () => boolean): Promise<void> => {
    await closeServer(proxy.server, hurry)
    proxy.close()
  }
  let address: Address
  try {
    carryBinding(plan.out, plan.binding)
    address = await listen(proxy.server, { ...plan.listen, backlog: BACKLOG }, '--listen')
    if (plan.ui !== undefined) page = await openPage(plan.ui, plan, recorder, started)
    // What was said before the page was there is said once.
    page?.stand(standing)
  } catch (thrown) {
    await recorder.end()
    await close(() => true)
    await page?.close()
    leave()
    throw thrown
  }
  return {
    address,
    page: page?.url,
    counts: () => countsOf(recorder),
    cut: () => proxy.server.closeAllConnections(),
    async end(hurry) {
      await close(hurry)
      await sleep(SETTLE_MS)
      proxy.stalls.stop()
      const recorded = await recorder.end()
      // What is known only at the end reaches the page as well.
      await page?.close()
      leave()
      return {
        target: plan.config.baseUrl,
        binding: plan.binding.name,
        folder: plan.out,
        keep: plan.keep,
        startedAt: new Date(started).toISOString(),
        endedAt: new Date().toISOString(),
        recorded,
        queue: recorder.queue.counts(),
        ...proxy.counts(),
        problems,
      }
    },
  }
}

const OTHER_KEY =
  'the recording goes on under another key: `check` does not compare what was recorded before with what is now; name the key file of its beginning with --key-file'

/** Whether a folder holds a recording whose last segment was written with another key. */
async function isOfAnotherKey(folder: string, key: Buffer): Promise<boolean> {
  try {
    const last = (await openRecording(folder)).files.at(-1) ?? ''
    let before: string | undefined
    const onHeader = (header: SegmentHeader): void => {
      before = header.key
    }
    // The header is read with the first line behind it.
    for await (const block of readBlocks(last, { named: 'found', onHeader })) if (block[Symbol.iterator]().next()) break
    return before !== undefined && before !== fingerprintOf(key)
  } catch {
    return false
  }
}

/** What is counted of a recorder while it runs. */
function countsOf(recorder: RecorderThread): RecordCounts {
  const { exchanges, failures, warnings, open } = recorder.counts()
  const { dropped, cut } = recorder.queue.counts()
  return { exchanges, failures, warnings, open, dropped, cut }
}

interface Proxy {
  readonly server: Server
  readonly stalls: ReturnType<typeof watchStalls>
  counts(): Pick<RecordSummary, 'refused' | 'local' | 'guard'>
  close(): void
}

/** The listener, and what forwards, tees, guards and annotates behind it. */
function createProxy(
  plan: RecordPlan,
  key: Buffer,
  session: string,
  recorder: RecorderThread,
  { problem, notice }: Readonly<Record<'problem' | 'notice', (text: string) => void>>,
): Proxy {
  const judge =
    plan.mode === 'guard' || plan.annotate
      ? new PathJudge({ binding: plan.binding, baseUrl: plan.config.baseUrl, strict: plan.strict, key })
      : undefined
  const guard = judge && plan.mode === 'guard' ? new Guard(judge) : undefined
  let isMoved = false
  const refused: Record<string, number> = {}
  const local = { unsent: 0, turnedAway: 0 }
  const noRoom = (why: string): void => {
    if (local.unsent + local.turnedAway > 0) return
    problem(`${why}: clients are turned away; raise the limit of open files, such as with \`ulimit -n 4096\``)
  }
  const stalls = watchStalls(now)
  const tee = createTee({
    sink: recorder.queue,
    session,
    maxBody: plan.maxBody,
    passed: collectChunks(),
    now,
    stalled: stalls.total,
    annotate: judge && plan.annotate ? createAnnotator(judge) : undefined,
  })
  const lookAt = watchDoubledPath(plan.config.baseUrl, notice)
  const forwarder = createForwarder({
    target: plan.target,
    gate: guard,
    observe(request) {
      lookAt(request.url)
      return tee(request)
    },
    onMoved() {
      if (!isMoved) notice('the target names itself in Location: clients get the address of this proxy there')
      isMoved = true
    },
    onLocalFault(code) {
      noRoom(`this machine has no room for another connection to the target (${code})`)
      local.unsent += 1
    },
  })
  const onRefused = (reason: string): void => {
    if (refused[reason] === undefined) notice(`notice: a request was not forwarded: ${reason}`)
    refused[reason] = (refused[reason] ?? 0) + 1
  }
  const server = createListener({ forwarder, tls: plan.tls, onRefused })
  limitConnections(server, openFilesLimit(), () => {
    noRoom(`the limit of open files allows no more clients (${server.maxConnections})`)
    local.turnedAway += 1
  })
  return { server, stalls, counts: () => ({ refused, local, guard: guard?.counts }), close: () => forwarder.close() }
}

/** Serves the live page on a port of this machine; 0: any free one. @throws UsageError where the port is taken */
function openPage(port: number, plan: RecordPlan, recorder: RecorderThread, started: number): Promise<LivePage> {
  return openLivePage({
    facts: { title: 'assay record', target: plan.config.baseUrl, judged: true },
    counts() {
      const { exchanges, failures, warnings, open, dropped, cut } = countsOf(recorder)
      return [
        { label: exchanges === 1 ? 'exchange' : 'exchanges', value: exchanges },
        { label: failures === 1 ? 'failure' : 'failures', value: failures, tone: 'fail' },
        { label: warnings === 1 ? 'warning' : 'warnings', value: warnings, tone: 'warn' },
        { label: 'open', value: open, tone: 'warn' },
        { label: 'dropped', value: dropped, tone: 'warn' },
        { label: 'cut short', value: cut, tone: 'warn' },
      ]
    },
    ask: (question) => recorder.ask(question),
    about: aboutOf(plan, started),
    port,
  })
}

/** Stands before the ids of what is recorded. */
function sessionOf(started: number): string {
  return started.toString(36)
}

function threadOptions(plan: RecordPlan, key: Buffer, started: number): Parameters<typeof startRecorder>[0] {
  return {
    session: sessionOf(started),
    folder: plan.out,
    baseUrl: plan.config.baseUrl,
    binding: plan.binding,
    credentials: [...secretsOf(plan.config.credentials ?? {})],
    ownerEmail: plan.config.resources?.ownerEmail,
    key,
    keep: plan.keep,
    judge: true,
    strict: plan.strict,
    settleMs: plan.config.settleTimeout ?? 0,
    compress: plan.compress,
    fullBodies: plan.fullBodies,
    about: aboutOf(plan, started),
    live: plan.ui !== undefined,
  }
}

/** What a recording says of itself. */
function aboutOf(plan: RecordPlan, started: number): RecordingAbout {
  const { name, version } = packageInfo()
  return {
    tool: `${name} ${version}`,
    startedAt: new Date(started).toISOString(),
    target: plan.config.baseUrl,
    clock: clockName(),
    binding: plan.binding.name,
    keep: plan.keep,
  }
}

/** Says whose clock times are of, and nothing else: equal for all processes of one machine until it is started again. */
function clockName(): string {
  let machine: string
  try {
    machine = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  } catch {
    machine = hostname()
  }
  return createHash('sha256').update(machine).digest('hex').slice(0, 12)
}

const LONGEST_PATH = 200

/**
 * Watches for clients that send the path of the target as well, so that it stands there twice and nothing is found. The
 * answer is called with the URL of each request; `note` once, with the first of them that has it.
 */
export function watchDoubledPath(target: string, note: (text: string) => void): (url: string | undefined) => void {
  const front = basePathOf(target)
  let quiet = front === ''
  return (url = '') => {
    if (quiet) return
    // clients of a proxy send the absolute form
    const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
    if (!path.startsWith(front) || !/^([/?]|$)/.test(path.slice(front.length))) return
    quiet = true
    const asked = bounded(visible(path), LONGEST_PATH)
    note(
      `notice: a client asked for ${asked}, which became ${front}${asked}. The proxy adds ${front} to every path: leave it out in the client.`,
    )
  }
}
