import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { DetailedExchange } from '../../../fixtures/live/messages.ts'
import type { HarHeader } from '../../../schemas/types/exchange.ts'
import { diff, type Piece } from '../../page/model/diff.ts'
import { pretty } from '../../page/model/json-text.ts'
import { duration } from '../../page/model/words.ts'
import { Button, Pre } from '../../page/view/parts.tsx'
import { Marked, Text } from '../../page/view/text.tsx'
import { type Shown as Named, useDetails } from './details.tsx'
import type { LiveState } from './live-state.ts'

interface CompareProps {
  readonly live: LiveState
  readonly left: Named
  readonly right: Named
  onClose(): void
}

/** Two exchanges side by side, in a window over the page that Escape closes. What one of them lacks is marked. */
export function Compare({ live, left, right, onClose }: CompareProps): VNode {
  const a = useDetails(live, left)
  const b = useDetails(live, right)
  const isThere = typeof a === 'object' && typeof b === 'object'
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label="Two exchanges" onClose={onClose}>
      <div class="details-head">
        <h2>Two exchanges</h2>
        <Button kind="close" label="×" name="Close" press={() => dialog.current?.close()} />
      </div>
      {isThere ? (
        <Sides left={a} right={b} />
      ) : (
        <p class="soft">{a === 'gone' || b === 'gone' ? 'One of them is no longer in memory here.' : '…'}</p>
      )}
    </dialog>
  )
}

function Sides({ left, right }: { readonly left: DetailedExchange; readonly right: DetailedExchange }): VNode {
  const [a, b] = [left.exchange, right.exchange]
  const pairs: readonly (readonly [title: string, was: string, is: string])[] = [
    ['Exchange', `${a._id}\n${a.startedDateTime}`, `${b._id}\n${b.startedDateTime}`],
    ['Request', `${a.request.method} ${a.request.url}`, `${b.request.method} ${b.request.url}`],
    ['Header fields of the request', listed(a.request.headers), listed(b.request.headers)],
    ['Body of the request', pretty(a.request.postData?.text ?? ''), pretty(b.request.postData?.text ?? '')],
    ['Response', answered(left), answered(right)],
    ['Header fields of the response', listed(a.response.headers), listed(b.response.headers)],
    ['Body of the response', pretty(a.response.content.text ?? ''), pretty(b.response.content.text ?? '')],
    ['Findings', found(left), found(right)],
  ]
  return (
    <div class="sides">
      {pairs.map(([title, was, is], index) => (
        <Pair key={title} title={title} was={was} is={is} alike={index === 0} />
      ))}
    </div>
  )
}

interface PairProps {
  readonly title: string
  readonly was: string
  readonly is: string
  /** differences say nothing here */
  readonly alike: boolean
}

function Pair({ title, was, is, alike }: PairProps): VNode {
  const same = was === is
  const found = same || alike ? undefined : diff(was, is)
  const side = (text: string, pieces: readonly Piece[] | undefined, name: 'was' | 'is'): VNode => (
    <Pre>
      {text === '' ? (
        <span class="soft">none</span>
      ) : pieces ? (
        <Marked pieces={pieces} side={name} />
      ) : (
        <Text value={text} lines />
      )}
    </Pre>
  )
  return (
    <>
      <h3>
        {title} {!alike && <span class="soft">{same ? 'the same' : 'differs'}</span>}
      </h3>
      {side(was, found?.left, 'was')}
      {side(is, found?.right, 'is')}
    </>
  )
}

function answered({ exchange }: DetailedExchange): string {
  const { status, statusText } = exchange.response
  return `${status === 0 ? exchange._outcome : `${status} ${statusText}`}, ${duration(exchange.time)}`
}

function listed(headers: readonly HarHeader[]): string {
  return headers.map(({ name, value }) => `${name}: ${value}`).join('\n')
}

function found({ findings }: DetailedExchange): string {
  return findings.map(({ requirement, message }) => `${requirement}: ${message}`).join('\n')
}
