import type { VNode } from 'preact'
import type { Report, RequirementResult } from '../../../schemas/types/report.ts'
import { counted, number } from '../../counted.ts'
import { byOutcome } from '../model/summary.ts'
import { Part, Statement } from './parts.tsx'
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
          <Unseen gaps={unseen} answered={answered} />
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
          <strong>
            <Text value={outcome || 'seen'} most={200} />
          </strong>{' '}
          <span class="soft">{counted(causes.length, 'way')}</span>
          <br />
          <span class="causes">
            <Text value={causes.join('; ')} most={360} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Unseen({
  gaps,
  answered,
}: {
  readonly gaps: readonly RequirementResult[]
  readonly answered: ReadonlySet<string>
}): VNode {
  return (
    <ul class="unseen">
      {gaps.map(({ id, text, reason }) => (
        <li key={id}>
          <a class="id" href={`#${encodeURIComponent(id)}`}>
            {id}
          </a>
          {answered.has(id) && (
            <span class="tag">
              <Text value={reason.replace(/^answered: /, '')} most={200} />
            </span>
          )}
          <span class="statement">
            <Prose value={text} />
          </span>
        </li>
      ))}
    </ul>
  )
}
