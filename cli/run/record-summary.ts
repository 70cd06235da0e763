import type { RecordSummary } from '../../engine/record/record.ts'
import type { RecorderSummary } from '../../proxy/recorder/recorder.ts'
import { counted } from '../../reports/counted.ts'
import { unbrokenInWords } from '../../reports/standing-words.ts'
import { visible } from '../../reports/text.ts'
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts'

/** 1 where a requirement was broken, 5 where nothing could be judged or evidence was lost by our own fault, else 0. */
export function exitCodeFor(summary: RecordSummary): ExitCode {
  const { recorded, queue, problems } = summary
  const lost = queue.dropped + (recorded.recording?.lost ?? 0)
  if (recorded.counts.failures > 0) return EXIT.nonConformant
  if (lost > 0 || problems.length > 0 || (recorded.recording?.cleaned.length ?? 0) > 0) return EXIT.invalid
  if (recorded.counts.judged === 0 && recorded.counts.warnings === 0) return EXIT.invalid
  return EXIT.ok
}

/** For people. What was dropped, cut or refused is always said. */
export function renderSummary(summary: RecordSummary): string {
  const { recorded, queue, guard } = summary
  const { counts, findings, recording } = recorded
  const rows: (readonly [string, string])[] = [
    ['target', summary.target],
    ['exchanges', `${counts.exchanges.toLocaleString('en')}, ${incomplete(counts.incomplete)}`],
    ['judged', `${counts.judged.toLocaleString('en')}, by the binding ${summary.binding}`],
    ['dropped', `${queue.dropped.toLocaleString('en')}${queue.dropped === 0 ? '' : ` (${why(recorded.broken)})`}`],
    ['bodies cut', cutWords(summary)],
    ...(counts.whole === 0 ? [] : ([['kept whole', `${counted(counts.whole, 'long body', 'long bodies')}`]] as const)),
    ['not forwarded', counted(summary.refused, 'request')],
  ]
  const { unsent, turnedAway } = summary.local
  if (unsent + turnedAway > 0) {
    const words = `${counted(unsent, 'request')} not sent on, ${counted(turnedAway, 'connection')} not taken`
    rows.push(['no room', `${words}: no fault of the target`])
  }
  if (guard) {
    const { refusedRequests, refusedAnswers, unjudged } = guard
    const words = `${counted(refusedRequests, 'request')} and ${counted(refusedAnswers, 'answer')} refused, ${counted(unjudged, 'body', 'bodies')} too long or too deep to judge`
    rows.push(['guard', words])
  }
  if (recording) {
    rows.push(['recording', `${summary.folder}, ${recording.bytes.toLocaleString('en')} bytes`])
    if (recording.lost > queue.dropped) rows.push(['not written', counted(recording.lost - queue.dropped, 'exchange')])
    if (recording.cleaned.length > 0) rows.push(['HELD A SECRET', recording.cleaned.join(', ')])
  }
  const lines = rows.map(([name, value]) => `  ${name.padEnd(15)}${visible(value)}`)
  const said = [...findings]
    .sort((a, b) => Number(b.failure) - Number(a.failure) || b.count - a.count)
    .map(({ requirement, failure, level, count, example }) => {
      const kind = failure ? 'failure' : 'warning'
      return visible(
        `  ${kind} ${requirement} (${level}) ${count.toLocaleString('en')}×: ${example.message}, ${example.exchanges.at(-1) ?? ''}`,
      )
    })
  const found = said.length > 0 ? ['What passed breaks:', ...said] : [nothingFound(recorded)]
  if (counts.doubted > 0) found.push(inDoubt(counts.doubted))
  return `\n${lines.join('\n')}\n\n${found.join('\n')}\n`
}

/** The same as data. */
export function summaryData(summary: RecordSummary): object {
  const { recorded, ...rest } = summary
  const conclusion = recorded.findings.length > 0 ? brokenInWords(recorded) : nothingFound(recorded)
  const exitCode = exitCodeFor(summary)
  return { _format: 'assay-record-summary', _version: 1, ...rest, ...recorded, conclusion, exitCode }
}

function brokenInWords({ findings }: RecorderSummary): string {
  return `What passed breaks ${findings.map(({ requirement }) => requirement).join(', ')}.`
}

function why(broken: string | undefined): string {
  return broken === undefined ? 'the recorder could not keep up' : `the recorder broke: ${broken}`
}

function nothingFound({ broken, counts }: RecorderSummary): string {
  if (broken === undefined) return unbrokenInWords({ ...counts, ended: true })
  const { failures, warnings } = counts
  const found = `${counted(failures, 'failure')} and ${counted(warnings, 'warning')}`
  return `Before the recorder broke it found ${found}; \`assay check\` says which.`
}

function inDoubt(count: number): string {
  const what = `${counted(count, 'thing was', 'things were')} not as they have to be, unless somebody changed them elsewhere`
  return `${what}; \`assay check --alone\` judges them if nobody did.`
}

function incomplete(count: number): string {
  return count === 0 ? 'all of them whole' : `${count.toLocaleString('en')} without a whole answer`
}

function cutWords({ recorded, queue }: RecordSummary): string {
  const { cut, unfollowed } = recorded.counts
  const late = queue.cut === 0 ? '' : `, ${queue.cut.toLocaleString('en')} of them since the recorder was behind`
  const blind = unfollowed === 0 ? '' : `, ${unfollowed.toLocaleString('en')} without a hash`
  return `${cut.toLocaleString('en')}${late}${blind}`
}
