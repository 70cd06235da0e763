import type { VNode } from 'preact'
import { number } from '../../counted.ts'
import { Text } from '../../page/view/text.tsx'
import { groupsInOrder, type Row } from '../model/rows.ts'
import type { LiveState } from './live-state.ts'

interface BesideProps {
  readonly live: LiveState
  readonly judged: boolean
  onOpen(row: Row): void
  onFilter(text: string): void
}

/** What was found, by requirement, and what is pinned. */
export function Beside({ live, judged, onOpen, onFilter }: BesideProps): VNode {
  const groups = groupsInOrder(live.rows.groups)
  return (
    <nav class="beside" aria-label="Findings and pins">
      {judged && (
        <details open>
          <summary>Findings by requirement</summary>
          {groups.length === 0 && <p class="soft">Nothing that passed breaks the specification.</p>}
          <ul class="plain">
            {groups.map(({ requirement, failure, message, count, last }) => (
              <li key={requirement} class={failure ? 'tone-fail' : 'tone-warn'}>
                <button type="button" class="group" onClick={() => onOpen(last)}>
                  <span class="count">{number(count)}</span>
                  <span class="id">
                    <Text value={requirement} most={100} cut />
                  </span>
                  <span class="message">
                    <Text value={message} most={200} cut />
                  </span>
                </button>
                <button type="button" class="quiet" onClick={() => onFilter(`req:${requirement}`)}>
                  Show all
                  <span class="hidden">
                    {' of '}
                    <Text value={requirement} most={100} cut />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      {live.pins.size > 0 && (
        <details open>
          <summary>Pinned</summary>
          <ul class="plain">
            {[...live.pins.values()].map((row) => (
              <li key={row.id} class="pin">
                <button type="button" class="group" onClick={() => onOpen(row)}>
                  <span class="count">{row.status === 0 ? row.outcome : row.status}</span>
                  <span class="message">
                    <Text value={`${row.method} ${row.path}`} most={120} cut />
                  </span>
                </button>
                <button type="button" class="quiet" aria-label={`Unpin ${row.id}`} onClick={() => live.pin(row)}>
                  Unpin
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  )
}
