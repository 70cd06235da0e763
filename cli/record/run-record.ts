import { writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageInfo } from '../../engine/package-info.ts'
import { pseudonymKey } from '../../engine/pseudonym-key.ts'
import { watchDoubledPath } from '../../engine/record/base-path.ts'
import { clockName } from '../../engine/record/clock.ts'
import { listen } from '../../engine/record/listen.ts'
import { type LivePage, openLivePage } from '../../engine/record/live-page.ts'
import { limitConnections, openFilesLimit } from '../../engine/record/open-files.ts'
import type { RecordOptions } from '../../engine/record/options.ts'
import { type Address, isLoopback, planRecord, type RecordPlan } from '../../engine/record/plan.ts'
import { untilInterrupted } from '../../engine/record/signals.ts'
import { showStatus } from '../../engine/record/status.ts'
import { exitCodeFor, type RecordSummary, renderSummary, summaryData } from '../../engine/record/summary.ts'
import { watchStalls } from '../../fixtures/http/stalls.ts'
import { now } from '../../fixtures/http/wire.ts'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../fixtures/private-folder.ts'
import { collectChunks } from '../../proxy/fast/collect-chunks.ts'
import { createForwarder } from '../../proxy/forward/forwarder.ts'
import { createListener } from '../../proxy/forward/listener.ts'
import { createAnnotator, createGuard } from '../../proxy/guard/guard.ts'
import { createPathJudge } from '../../proxy/guard/request-judge.ts'
import { startRecorder } from '../../proxy/recorder/start.ts'
import { createTee } from '../../proxy/tee/tee.ts'
import { quoted } from '../../reports/shell.ts'
import { checkWritable } from '../../reports/write.ts'
import { basePathOf } from '../../schemas/url.ts'
import { secretsOf } from '../../suites/request/credentials.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'

/** Milliseconds that exchanges under way get to end after the first Ctrl-C. */
const GRACE_MS = 10_000
const SETTLE_MS = 50

/** Runs the proxy until it is interrupted, then says what passed and sets the exit code. */
export async function runRecord(options: RecordOptions, io: Io): Promise<void> {
  const plan = await planRecord(options, io)
  await checkWritable(plan.out, PRIVATE_FOLDER)
  const key = pseudonymKey(plan.keyFile)
  const started = Date.now()
  const problems: string[] = []
  let note = (text: string): void => void io.stderr.write(`${text}\n`)
  const problem = (message: string): void => {
    problems.push(message)
    note(`problem: ${message}`)
  }
  let page: LivePage | undefined
  const recorder = await startRecorder(threadOptions(plan, key, started), {
    onRows: (rows) => page?.add(rows),
    onProblem: problem,
  })
  const judge =
    plan.mode === 'guard' || plan.annotate
      ? createPathJudge({ binding: plan.binding, baseUrl: plan.config.baseUrl, strict: plan.strict, key })
      : undefined
  const guard = judge && plan.mode === 'guard' ? createGuard(judge) : undefined
  let refused = 0
  const local = { unsent: 0, turnedAway: 0 }
  const noRoom = (why: string): void => {
    if (local.unsent + local.turnedAway > 0) return
    problem(`${why}: clients are turned away; raise the limit of open files, such as with \`ulimit -n 4096\``)
  }
  const stalls = watchStalls(now)
  const tee = createTee({
    sink: recorder.queue,
    session: sessionOf(started),
    maxBody: plan.maxBody,
    passed: collectChunks(),
    now,
    stalled: stalls.total,
    annotate: judge && plan.annotate ? createAnnotator(judge) : undefined,
  })
  const lookAt = watchDoubledPath(plan.config.baseUrl, (text) => note(text))
  const forwarder = createForwarder({
    target: plan.target,
    gate: guard,
    observe(request) {
      lookAt(request.url)
      return tee(request)
    },
    onLocalFault(code) {
      noRoom(`this machine has no room for another connection to the target (${code})`)
      local.unsent += 1
    },
  })
  const server = createListener({
    forwarder,
    tls: plan.tls,
    onRefused: () => {
      refused += 1
    },
  })
  limitConnections(server, openFilesLimit(), () => {
    noRoom(`as many clients are connected as this process may have files open (${server.maxConnections})`)
    local.turnedAway += 1
  })
  let interrupted = 0
  const ending = untilInterrupted((count) => {
    interrupted = count
    server.closeAllConnections()
    if (count === 2) return
    io.stderr.write(
      `ended at once: the recording has no end; \`assay fixtures repair ${quoted(plan.out)}\` gives it one\n`,
    )
    process.exit(EXIT.interrupted)
  })
  try {
    const address = await listen(server, plan.listen, '--listen')
    if (plan.ui !== undefined) page = await openLivePage(plan.ui, plan.config.baseUrl, recorder)
    for (const line of greeting(plan, address)) note(line)
    if (page) note(`What passes is shown on ${page.url}`)
    const status = showStatus({
      write: (text) => void io.stderr.write(text),
      isTty: io.isTty,
      columns: io.columns,
      read: () => {
        const { exchanges, failures, warnings } = recorder.counts()
        const { dropped, cut } = recorder.queue.counts()
        return { exchanges, failures, warnings, dropped, cut }
      },
      now: () => performance.now(),
      every: (milliseconds, action) => {
        const timer = setInterval(action, milliseconds)
        return () => clearInterval(timer)
      },
    })
    note = (text) => status.note(text)
    await ending
    status.done()
  } catch (thrown) {
    await recorder.end()
    throw thrown
  } finally {
    note = (text) => void io.stderr.write(`${text}\n`)
    await close(server, () => interrupted > 1)
    forwarder.close()
    page?.close()
  }
  // Connections that were cut tell of their exchanges a moment later.
  await sleep(SETTLE_MS)
  stalls.stop()
  const recorded = await recorder.end()
  const summary: RecordSummary = {
    target: plan.config.baseUrl,
    folder: plan.out,
    startedAt: new Date(started).toISOString(),
    endedAt: new Date().toISOString(),
    recorded,
    queue: recorder.queue.counts(),
    refused,
    local,
    guard: guard?.counts,
    problems,
  }
  try {
    const text = `${JSON.stringify(summaryData(summary), null, 2)}\n`
    await writeFile(join(plan.out, 'summary.json'), text, { mode: PRIVATE_FILE })
  } catch (thrown) {
    // A full disk must not cost the summary on the terminal as well.
    problem(`the summary could not be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
  io.stdout.write(options.json === true ? `${JSON.stringify(summaryData(summary))}\n` : renderSummary(summary))
  exitWith(io, exitCodeFor(summary))
}

function threadOptions(plan: RecordPlan, key: Buffer, started: number): Parameters<typeof startRecorder>[0] {
  const { name, version } = packageInfo()
  const target = plan.config.baseUrl
  return {
    session: sessionOf(started),
    folder: plan.out,
    baseUrl: target,
    binding: plan.binding,
    credentials: [...secretsOf(plan.config.credentials ?? {})],
    ownerEmail: plan.config.resources?.ownerEmail,
    key,
    hideLines: plan.hideLines,
    judge: true,
    strict: plan.strict,
    settleMs: plan.config.settleTimeout ?? 0,
    compress: plan.compress,
    fullBodies: plan.fullBodies,
    about: {
      tool: `${name} ${version}`,
      startedAt: new Date(started).toISOString(),
      target,
      clock: clockName(),
      ...(plan.binding.name === '' ? {} : { binding: plan.binding.name }),
    },
    live: plan.ui !== undefined,
  }
}

/** Stands before the ids of what is recorded. */
function sessionOf(started: number): string {
  return started.toString(36)
}

function greeting(plan: RecordPlan, { host, port }: Address): string[] {
  const name = host.includes(':') ? `[${host}]` : host
  const front = basePathOf(plan.config.baseUrl)
  const url = `${plan.tls ? 'https' : 'http'}://${name}:${port}`
  return [
    `Recording on ${url}, forwarding to ${plan.config.baseUrl}, writing to ${plan.out}. Ctrl-C ends it.`,
    ...(front === '' ? [] : [`Every path gets ${front} in front: /v1/keys asked for here is ${front}/v1/keys there.`]),
    ...(isLoopback(host) ? [] : ['WARNING: other machines can reach this proxy, and through it the target.']),
    ...(plan.target.insecure === true ? ['WARNING: the certificate of the target is NOT checked.'] : []),
    ...(plan.mode === 'guard' ? ['Guard: requests and answers that do not conform are refused.'] : []),
  ]
}

/** Takes no more requests, and waits for those under way. */
async function close(server: Server, hurry: () => boolean): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const until = Date.now() + GRACE_MS
  let done = false
  void closed.then(() => {
    done = true
  })
  while (!done && !hurry() && Date.now() < until) {
    server.closeIdleConnections()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  server.closeAllConnections()
  await closed
}
