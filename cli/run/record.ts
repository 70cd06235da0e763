import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, isLoopback, planRecord, type RecordPlan } from '../../engine/record/plan.ts'
import { type RecordSummary, type RunningRecord, startRecording } from '../../engine/record/record.ts'
import { PRIVATE_FILE } from '../../fixtures/private-folder.ts'
import { quoted } from '../../reports/shell.ts'
import { basePathOf } from '../../schemas/url.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { exitWith, type Io } from '../terminal/io.ts'
import { untilInterrupted } from '../terminal/signals.ts'
import { type RecordWords, recordOptions } from './record-options.ts'
import { showStatus } from './record-status.ts'
import { exitCodeFor, renderSummary, summaryData } from './record-summary.ts'

/** Runs the proxy until it is interrupted, then says what passed and sets the exit code. */
export async function runRecord(words: RecordWords, io: Io): Promise<void> {
  const plan = await planRecord(recordOptions(words, io), io)
  const plainly = (text: string): void => void io.stderr.write(`${text}\n`)
  let note = plainly
  let running: RunningRecord | undefined
  let interrupted = 0
  const ending = untilInterrupted((count) => {
    interrupted = count
    running?.cut()
    if (count === 2) return
    plainly(`ended at once: the recording has no end; \`assay fixtures repair ${quoted(plan.out)}\` gives it one`)
    process.exit(EXIT.interrupted)
  })
  running = await startRecording(plan, ({ kind, text }) => note(kind === 'problem' ? `problem: ${text}` : text))
  for (const line of greeting(plan, running.address)) note(line)
  if (running.page !== undefined) note(`What passes is shown on ${running.page}`)
  const status = statusOf(running, io)
  note = (text) => status.note(text)
  await ending
  status.done()
  note = plainly
  const summary = await written(await running.end(() => interrupted > 1), note)
  io.stdout.write(words.json === true ? `${JSON.stringify(summaryData(summary))}\n` : renderSummary(summary))
  exitWith(io, exitCodeFor(summary))
}

function statusOf(running: RunningRecord, io: Io): ReturnType<typeof showStatus> {
  return showStatus({
    write: (text) => void io.stderr.write(text),
    isTty: io.isTty,
    columns: io.columns,
    read: () => running.counts(),
    now: () => performance.now(),
    every: (milliseconds, action) => {
      const timer = setInterval(action, milliseconds)
      return () => clearInterval(timer)
    },
  })
}

/** Writes the summary beside the recording. A full disk must not cost the summary on the terminal as well. */
async function written(summary: RecordSummary, note: (text: string) => void): Promise<RecordSummary> {
  try {
    const text = `${JSON.stringify(summaryData(summary), null, 2)}\n`
    await writeFile(join(summary.folder, 'summary.json'), text, { mode: PRIVATE_FILE })
    return summary
  } catch (thrown) {
    const problem = `the summary could not be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`
    note(`problem: ${problem}`)
    return { ...summary, problems: [...summary.problems, problem] }
  }
}

function greeting(plan: RecordPlan, { host, port }: Address): string[] {
  const name = host.includes(':') ? `[${host}]` : host
  const front = basePathOf(plan.config.baseUrl)
  const url = `${plan.tls ? 'https' : 'http'}://${name}:${port}`
  return [
    `Recording on ${url}, forwarding to ${plan.config.baseUrl}, writing to ${plan.out}. Ctrl-C ends it.`,
    plan.read,
    ...(front === '' ? [] : [`Every path gets ${front} in front: /v1/keys asked for here is ${front}/v1/keys there.`]),
    ...(isLoopback(host) ? [] : ['WARNING: other machines can reach this proxy, and through it the target.']),
    ...(plan.target.insecure === true ? ['WARNING: the certificate of the target is NOT checked.'] : []),
    ...(plan.mode === 'guard' ? ['Guard: requests and answers that do not conform are refused.'] : []),
  ]
}
