import type { VNode } from 'preact'
import type { Report, RequirementResult } from '../../../schemas/types/report.ts'
import { counted, number } from '../../counted.ts'
import { notJudged, type ToDo } from '../../to-do.ts'
import { byOutcome } from '../model/summary.ts'
import { IdTags, Part, Statement } from './parts.tsx'
import { Prose, Text } from './text.tsx'

/** What the target does where the text is silent, and what nobody could see. */
export function Gaps({ report }: { readonly report: Report }): VNode {
  const gaps = report.requirements.filter(({ level }) => level === 'open')
  const seen = gaps.filter(({ evidence }) => Object.keys(evidence.observations).length > 0)
  const unseen = gaps.filter((gap) => !seen.includes(gap))
  const answered = new Set(report.binding.answered)
  return (
    <Part
      id="gaps"
      screenOnly
      title="Where the text is silent"
      lead={`The specification leaves ${counted(gaps.length, 'question')} open. What this target does there is noted and never judged; ${counted(answered.size, 'answer')} came from the binding.`}
    >
      {seen.length === 0 ? (
        <p class="empty">Nothing was observed in this run.</p>
      ) : (
        <dl class="gaps">
          {seen.map((gap) => (
            <div key={gap.id}>
              <dt>
                <Statement id={gap.id} text={gap.text} />
              </dt>
              <dd>
                <Seen observations={gap.evidence.observations} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {unseen.length > 0 && (
        <details class="rest">
          <summary>{counted(unseen.length, 'gap')} without any observation in this run</summary>
          <ul class="unseen">
            {unseen.map(({ id, text, reason }) => (
              <li key={id}>
                <Statement id={id} text={text}>
                  {answered.has(id) && (
                    <Text as="span" kind="tag" value={reason.replace(/^answered: /, '')} most={200} />
                  )}
                </Statement>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Part>
  )
}

const FEW = 6

/** A few observations one by one; many by their outcome. */
function Seen({ observations }: { readonly observations: Readonly<Record<string, number>> }): VNode {
  const entries = Object.entries(observations)
  if (entries.length <= FEW) {
    return (
      <ul class="plain">
        {entries.map(([what, times]) => (
          <li key={what}>
            <Text value={what} most={500} /> <span class="soft">({number(times)}×)</span>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <ul class="plain outcomes">
      {byOutcome(observations).map(({ outcome, causes }) => (
        <li key={outcome}>
          <Text as="strong" value={outcome || 'seen'} most={200} />{' '}
          <span class="soft">{counted(causes.length, 'way')}</span>
          <br />
          <Text as="span" kind="causes" value={causes.join('; ')} most={360} />
        </li>
      ))}
    </ul>
  )
}

/** What was not judged, as things to do: the cause, the fix, and how many requirements it brings. */
export function ThingsToDo({ results }: { readonly results: readonly RequirementResult[] }): VNode | null {
  const { toDo, rest } = notJudged(results)
  if (toDo.length + rest.length === 0) return null
  const count = (entries: readonly ToDo[]): number => entries.reduce((sum, { results: own }) => sum + own.length, 0)
  const lead =
    toDo.length === 0
      ? 'Nothing has to be done.'
      : `${counted(count(toDo), 'requirement')} can be judged once this is done, most requirements first.`
  return (
    <Part id="to-do" title="Not judged: what to do" lead={lead}>
      <ul class="to-do">
        {toDo.map((one) => (
          <li key={`${one.fix} ${one.cause}`}>
            <span class="count">{number(one.results.length)}</span>
            <div>
              <Prose as="p" kind="cause" value={sentence(one.cause)} />
              <Prose as="p" value={one.fix} />
              <details class="screen-only">
                <summary>{counted(one.results.length, 'requirement')}</summary>
                <IdTags ids={one.results.map(({ id }) => id)} />
              </details>
            </div>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p class="soft">
          {number(count(rest))} need nothing:{' '}
          {rest.map(({ cause, results: own }, index) => (
            <span key={cause}>
              {index > 0 && '; '}
              {number(own.length)} <Prose value={cause} />
            </span>
          ))}
          .
        </p>
      )}
    </Part>
  )
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
}
