import type { VNode } from 'preact'
import { type History, type HistoryRow, runName, sinceInWords, summaryOf } from '../../history/history.ts'
import { visible } from '../../text.ts'
import { moment, VERDICTS } from '../model/words.ts'
import { Part, Statement, useFirst } from './parts.tsx'
import { Prose, Text } from './text.tsx'

const SHOWN = 60

/** What became of each requirement over several runs: a square for each run, the oldest first. */
export function HistoryPart({ history }: { readonly history: History }): VNode {
  const { runs, requirements, notes } = history
  const [shown, more] = useFirst(requirements, SHOWN)
  return (
    <Part id="history" title="History" lead={`${summaryOf(history)}.`}>
      {notes.map((note) => (
        <Prose key={note} as="p" kind="soft note" value={note} />
      ))}
      <ol class="plain runs">
        {runs.map((run, index) => (
          <li key={index}>
            <Text as="strong" value={runName(run)} most={80} /> {run.verdict}{' '}
            <span class="soft">
              {run.version !== '' && (
                <>
                  <Text value={run.name} most={80} />,{' '}
                </>
              )}
              {moment(run.startedAt)}
            </span>
          </li>
        ))}
      </ol>
      <ul class="plain history">
        {shown.map((row) => (
          <Row key={row.id} row={row} runs={runs} />
        ))}
      </ul>
      {more}
    </Part>
  )
}

function Row({ row, runs }: { readonly row: HistoryRow; readonly runs: History['runs'] }): VNode {
  const since = sinceInWords(row, runs)
  return (
    <li>
      <div>
        <Statement id={row.id} text={row.text}>
          {row.flaky && <strong class="flaky"> flaky</strong>}
        </Statement>
        {since !== '' && <Text as="p" kind="since" value={since} most={300} />}
      </div>
      <ol class="plain squares">
        {row.verdicts.map((verdict, index) => {
          const name = visible(runs[index] ? runName(runs[index]) : '')
          const words = `${name}: ${verdict === 'absent' ? 'not known' : VERDICTS[verdict].label}`
          return (
            <li key={index} class={`square tone-${verdict === 'absent' ? 'not-run' : verdict}`} title={words}>
              <span class="hidden">{words}</span>
              <span aria-hidden="true">{verdict === 'absent' || verdict === 'pass' ? '' : VERDICTS[verdict].sign}</span>
            </li>
          )
        })}
      </ol>
    </li>
  )
}
