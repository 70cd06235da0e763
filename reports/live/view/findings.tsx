import type { VNode } from 'preact'
import type { LiveGroup, Standing } from '../../../fixtures/live/messages.ts'
import { number } from '../../counted.ts'
import { Button } from '../../page/view/parts.tsx'
import { Text } from '../../page/view/text.tsx'
import { judgedInWords, unbrokenInWords } from '../../standing-words.ts'
import type { Row } from '../model/rows.ts'
import type { LiveState } from './live-state.ts'

interface BesideProps {
  readonly live: LiveState
  readonly judged: boolean
  onOpen(row: Row): void
  onFilter(text: string): void
}

/** What was found, by requirement, and what is pinned. */
export function Beside({ live, judged, onOpen, onFilter }: BesideProps): VNode {
  const { standing } = live
  // Of a row that was let go the filter shows the newest ones.
  const open = ({ last, requirement }: Shown): void => {
    const row = live.rows.find(last)
    if (row) onOpen(row)
    else onFilter(requirement === '' ? 'is:unjudged' : `req:${requirement}`)
  }
  return (
    <nav class="beside" aria-label="Findings and pins">
      {judged && (
        <details open>
          <summary>Findings by requirement</summary>
          <p class="soft standing">{saidOf(standing)}</p>
          <ul class="plain">
            {standing.findings.map((group) => (
              <Group key={group.requirement} group={group} onOpen={open} onFilter={onFilter} />
            ))}
          </ul>
          {standing.doubted > 0 && (
            <p class="soft">
              {number(standing.doubted)} more may be the work of somebody who was not recorded; `assay check --alone`
              judges them.
            </p>
          )}
        </details>
      )}
      {judged && standing.open.length > 0 && (
        <details open class="open-findings">
          <summary>Not certain yet</summary>
          <ul class="plain">
            {standing.open.map((group) => (
              <li key={`${group.requirement} ${group.by}`} class="tone-warn">
                <GroupButton group={group} onOpen={open} />
                <p class="soft">{WAITS[group.by]}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
      {judged && standing.unjudged.length > 0 && (
        <details open class="unjudged">
          <summary>Not judged</summary>
          <ul class="plain">
            {standing.unjudged.map(({ why, ...group }) => (
              <li key={why}>
                <GroupButton group={{ ...group, requirement: '', message: why }} onOpen={open} />
              </li>
            ))}
          </ul>
          <Button kind="quiet" label="Show all" press={() => onFilter('is:unjudged')} />
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
                  <Text as="span" kind="message" value={`${row.method} ${row.path}`} most={120} cut />
                </button>
                <Button kind="quiet" label="Unpin" name={`Unpin ${row.id}`} press={() => live.pin(row)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  )
}

function saidOf(standing: Standing): string {
  const open = standing.open.reduce((sum, { count }) => sum + count, 0)
  if (standing.findings.length === 0) return unbrokenInWords({ ...standing, open })
  const words = judgedInWords(standing)
  return `${words[0]?.toUpperCase()}${words.slice(1)}.`
}

/** What a button shows of a group. */
type Shown = Pick<LiveGroup, 'requirement' | 'count' | 'message' | 'last'>

interface GroupProps {
  readonly group: LiveGroup
  onOpen(group: Shown): void
  onFilter(text: string): void
}

function Group({ group, onOpen, onFilter }: GroupProps): VNode {
  const { requirement, failure } = group
  return (
    <li class={failure ? 'tone-fail' : 'tone-warn'}>
      <GroupButton group={group} onOpen={onOpen} />
      <button type="button" class="quiet" onClick={() => onFilter(`req:${requirement}`)}>
        Show all
        <span class="hidden">
          {' of '}
          <Text value={requirement} most={100} cut />
        </span>
      </button>
    </li>
  )
}

function GroupButton({ group, onOpen }: { readonly group: Shown } & Pick<GroupProps, 'onOpen'>): VNode {
  const { count, requirement, message } = group
  return (
    <button type="button" class="group" onClick={() => onOpen(group)}>
      <span class="count">{number(count)}</span>
      <Text as="span" kind="id" value={requirement} most={100} cut />
      <Text as="span" kind="message" value={message} most={200} cut />
    </button>
  )
}

const WAITS = {
  overlap: 'Certain within half a minute, unless a request under way explains it.',
  others: 'Somebody who was not recorded may explain it. A third one makes it certain.',
}
