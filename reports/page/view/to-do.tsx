import type { VNode } from 'preact'
import type { RequirementResult } from '../../../schemas/types/report.ts'
import { counted, number } from '../../counted.ts'
import { notJudged, type ToDo } from '../../to-do.ts'
import { Part } from './parts.tsx'
import { Prose } from './text.tsx'

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
              <p class="cause">
                <Prose value={sentence(one.cause)} />
              </p>
              <p>
                <Prose value={one.fix} />
              </p>
              <Ids results={one.results} />
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

function Ids({ results }: { readonly results: readonly RequirementResult[] }): VNode {
  return (
    <details class="screen-only">
      <summary>{counted(results.length, 'requirement')}</summary>
      <span class="tags">
        {results.map(({ id }) => (
          <a key={id} class="tag" href={`#${encodeURIComponent(id)}`}>
            {id}
          </a>
        ))}
      </span>
    </details>
  )
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
}
