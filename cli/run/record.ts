import { join } from 'node:path'
import { type Address, isLoopback } from '../../engine/listening.ts'
import { planRecord, type RecordOptions, type RecordPlan } from '../../engine/record/plan.ts'
import {
  type RecordCounts,
  type RecordSummary,
  type RunningRecord,
  startRecording,
} from '../../engine/record/record.ts'
import { writeOwn } from '../../fixtures/plain-file.ts'
import { KEPT_WORDS } from '../../fixtures/redact/placeholders.ts'
import type { FindingExample, TrafficFinding } from '../../proxy/recorder/findings.ts'
import type { RecorderSummary } from '../../proxy/recorder/recorder.ts'
import { counted, number } from '../../reports/counted.ts'
import { type LineOptions, StatusLine } from '../../reports/progress.ts'
import { quoted } from '../../reports/shell.ts'
import { unbrokenInWords } from '../../reports/standing-words.ts'
import { bounded, visible } from '../../reports/text.ts'
import { unjudgedInWords } from '../../rules/core/unjudged.ts'
import { basePathOf } from '../../schemas/url.ts'
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts'
import { type AsJson, type Io, printedAsJson } from '../terminal/io.ts'
import { untilInterrupted } from '../terminal/signals.ts'

/** Runs the proxy until it is interrupted, then says what passed and sets the exit code. */
export async function runRecord(words: RecordOptions & AsJson, io: Io): Promise<void> {
  const plan = await planRecord(words, io)
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
  const found = createFoundLines()
  running = await startRecording(plan, (event) => {
    if (event.kind === 'finding') for (const line of found(event.finding)) note(line)
    else note(event.kind === 'problem' ? `problem: ${event.text}` : event.text)
  })
  for (const line of greeting(plan, running.address)) note(line)
  if (running.page !== undefined) note(`What passes is shown on ${running.page}`)
  const { stderr: stream, isTty, columns } = io
  const { counts } = running
  const status = showStatus({ stream, isTty, columns }, counts, () => performance.now())
  note = (text) => status.note(text)
  await ending
  status.done()
  note = plainly
  const summary = written(await running.end(() => interrupted > 1), note)
  if (!printedAsJson(io, words.json, summaryData(summary))) io.stdout.write(renderSummary(summary, io.program))
  io.exitCode = exitCodeFor(summary)
}

/** Findings that are told while a recording goes on, each the first of its requirement. */
const MOST_TOLD = 20

/** Makes the lines that report findings when they come, up to a bound. */
export function createFoundLines(): (finding: TrafficFinding) => string[] {
  let told = 0
  return (finding) => {
    told += 1
    if (told <= MOST_TOLD) return [findingLine(finding, '')]
    return told === MOST_TOLD + 1 ? ['more requirements are broken; the summary at the end has them all'] : []
  }
}

function findingLine(finding: TrafficFinding, times: string): string {
  const { failure, requirement, level, message, exchanges } = finding
  return visible(
    `${failure ? 'failure' : 'warning'} ${requirement} (${level})${times}: ${message}, ${exchanges.at(-1) ?? ''}`,
  )
}

/** Writes the summary beside the recording. A full disk must not cost the summary on the terminal as well. */
function written(summary: RecordSummary, note: (text: string) => void): RecordSummary {
  if (summary.recorded.recording?.gone) return summary
  try {
    const text = `${JSON.stringify(summaryData(summary), null, 2)}\n`
    writeOwn(join(summary.folder, 'summary.json'), text)
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
    ...(plan.mode === 'guard' ? ['Guard: requests and responses that do not conform are refused.'] : []),
  ]
}

/** One line. Counts of zero are left out, unless somebody waits for them. `perSecond`: exchanges of the last second */
export function statusLine(counts: RecordCounts, perSecond: number): string {
  const { exchanges, failures, warnings, open, dropped, cut } = counts
  const parts = [
    counted(exchanges, 'exchange'),
    `${number(Math.round(perSecond))}/s`,
    `${counted(failures, 'failure')}${warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`}`,
    ...(open === 0 ? [] : [`${number(open)} not certain yet`]),
    `${number(dropped)} dropped`,
    ...(cut === 0 ? [] : [`${counted(cut, 'body', 'bodies')} cut short`]),
  ]
  return parts.join(' · ')
}

const PLAIN_MS = 5_000
/** In less time than that, a rate is chance. */
const LEAST_RATE_MS = 200

/** Shows how a recording goes on. `now`: milliseconds, from any origin. */
export function showStatus(options: LineOptions, read: () => RecordCounts, now: () => number): StatusLine {
  let before = { exchanges: read().exchanges, time: now() }
  let perSecond = 0
  // How fast it goes is no news by itself.
  const said = (line: string): string => (options.isTty ? line : line.replace(/[\d,]+\/s/, ''))
  return new StatusLine({ plainMs: PLAIN_MS, said, ...options }, () => {
    const state = read()
    const time = now()
    if (time - before.time >= LEAST_RATE_MS) {
      perSecond = ((state.exchanges - before.exchanges) * 1_000) / (time - before.time)
      before = { exchanges: state.exchanges, time }
    }
    return statusLine(state, perSecond)
  })
}

/** 1 where a requirement was broken, 5 where nothing could be judged or evidence was lost by our own fault, else 0. */
export function exitCodeFor(summary: RecordSummary): ExitCode {
  const { recorded, queue, problems } = summary
  const lost = queue.dropped + (recorded.recording?.lost ?? 0)
  if (recorded.counts.failures > 0) return EXIT.nonConformant
  if (lost > 0 || problems.length > 0) return EXIT.invalid
  if (recorded.counts.judged === 0 && recorded.counts.warnings === 0) return EXIT.invalid
  return EXIT.ok
}

/** Characters of an expected or actual value. */
const LONGEST_SHOWN = 300

/** For people. What was dropped, cut or refused is always said. */
export function renderSummary(summary: RecordSummary, program: string = 'assay'): string {
  const { recorded, queue, guard } = summary
  const { counts, findings, recording } = recorded
  const why =
    recorded.broken === undefined ? 'the recorder could not keep up' : `the recorder broke: ${recorded.broken}`
  const rows: (readonly [string, string])[] = [
    ['target', summary.target],
    ['exchanges', `${number(counts.exchanges)}, ${incomplete(counts.incomplete)}`],
    ['judged', `${number(counts.judged)}, by the binding ${summary.binding}`],
    ...recorded.unjudged.map((group) => ['not judged', unjudgedInWords(group)] as const),
    ['dropped', `${number(queue.dropped)}${queue.dropped === 0 ? '' : ` (${why})`}`],
    ['bodies cut', cutWords(summary)],
    ...(counts.whole === 0 ? [] : ([['kept whole', `${counted(counts.whole, 'long body', 'long bodies')}`]] as const)),
    ...refusedInWords(summary).map((words) => ['not forwarded', words] as const),
  ]
  const { unsent, turnedAway } = summary.local
  if (unsent + turnedAway > 0) {
    const words = `${counted(unsent, 'request')} not sent on, ${counted(turnedAway, 'connection')} not taken`
    rows.push(['no room', `${words}: no fault of the target`])
  }
  if (guard) {
    const { refusedRequests, refusedAnswers, unjudged } = guard
    const words = `${counted(refusedRequests, 'request')} and ${counted(refusedAnswers, 'response')} refused, ${counted(unjudged, 'body', 'bodies')} too long or too deep to judge`
    rows.push(['guard', words])
  }
  if (recording) {
    rows.push(['recording', `${summary.folder}, ${number(recording.bytes)} bytes`])
    rows.push(['kept', KEPT_WORDS[summary.keep]])
    if (recording.lost > queue.dropped) rows.push(['not written', counted(recording.lost - queue.dropped, 'exchange')])
  }
  const lines = rows.map(([name, value]) => `  ${name.padEnd(15)}${visible(value)}`)
  const said = [...findings]
    .sort((a, b) => Number(b.failure) - Number(a.failure) || b.count - a.count)
    .flatMap(({ count, example }) => [`  ${findingLine(example, ` ${number(count)}×`)}`, ...exampleLines(example)])
  const found = said.length > 0 ? ['What passed breaks:', ...said] : [nothingFound(recorded)]
  if (counts.doubted > 0) found.push(inDoubt(counts.doubted))
  if (said.length > 0) found.push(`next: ${program} check ${quoted(summary.folder)}`)
  return `\n${lines.join('\n')}\n\n${found.join('\n')}\n`
}

/** The same as data. */
export function summaryData(summary: RecordSummary): object {
  const { recorded, ...rest } = summary
  const broken = recorded.findings.map(({ requirement }) => requirement)
  const conclusion = broken.length > 0 ? `What passed breaks ${broken.join(', ')}.` : nothingFound(recorded)
  const exitCode = exitCodeFor(summary)
  return { _format: 'assay-record-summary', _version: 1, ...rest, ...recorded, conclusion, exitCode }
}

/** The request that shows a finding, and the difference. */
function exampleLines({ request, expected, actual }: FindingExample): string[] {
  const rows = [
    ['request', request && `${request.method} ${request.path}`],
    ['expected', expected],
    ['actual', actual],
  ] as const
  return rows.flatMap(([name, text]) =>
    text ? [`    ${name.padEnd(10)}${bounded(visible(text), LONGEST_SHOWN)}`] : [],
  )
}

function nothingFound({ broken, counts }: RecorderSummary): string {
  if (broken === undefined) return unbrokenInWords({ ...counts, ended: true })
  const { failures, warnings } = counts
  const found = `${counted(failures, 'failure')} and ${counted(warnings, 'warning')}`
  return `Before the recorder broke it found ${found}; \`assay check\` says which.`
}

function refusedInWords({ refused }: RecordSummary): string[] {
  const words = Object.entries(refused).map(([reason, count]) => `${counted(count, 'request')}: ${reason}`)
  return words.length === 0 ? ['0 requests'] : words
}

function inDoubt(count: number): string {
  const what = `${counted(count, 'thing was', 'things were')} not as expected. Perhaps another client changed them`
  return `${what}: if there was none, judge them with \`assay check --alone\`.`
}

function incomplete(count: number): string {
  return count === 0 ? 'all of them whole' : `${number(count)} without a complete response`
}

function cutWords({ recorded, queue }: RecordSummary): string {
  const { cut, unfollowed } = recorded.counts
  const late = queue.cut === 0 ? '' : `, ${number(queue.cut)} of them since the recorder was behind`
  const blind = unfollowed === 0 ? '' : `, ${number(unfollowed)} without a hash`
  return `${number(cut)}${late}${blind}`
}
