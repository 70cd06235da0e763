import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { DetailedExchange } from '../../../fixtures/live/messages.ts'
import type { HarHeader } from '../../../schemas/types/exchange.ts'
import { diff } from '../../page/model/diff.ts'
import { pretty } from '../../page/model/json-text.ts'
import { duration } from '../../page/model/words.ts'
import { Marked, Text } from '../../page/view/text.tsx'
import { type Shown as Named, useDetails } from './details.tsx'
import type { LiveState } from './live-state.ts'

interface CompareProps {
  readonly live: LiveState
  readonly left: Named
  readonly right: Named
  onClose(): void
}

/** Two exchanges side by side, with what one of them lacks marked. */
export function Compare({ live, left, right, onClose }: CompareProps): VNode {
  const a = useDetails(live, left)
  const b = useDetails(live, right)
  const isThere = typeof a === 'object' && typeof b === 'object'
  return (
    <Dialog title="Two exchanges" onClose={onClose}>
      {isThere ? (
        <Sides left={a} right={b} />
      ) : (
        <p class="soft">{a === 'gone' || b === 'gone' ? 'One of them is no longer in memory here.' : '…'}</p>
      )}
    </Dialog>
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
  const { left, right } = same || alike ? { left: undefined, right: undefined } : diff(was, is)
  const side = (text: string, pieces: typeof left, name: 'was' | 'is'): VNode => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <pre tabIndex={0}>
      {text === '' ? (
        <span class="soft">none</span>
      ) : pieces ? (
        <Marked pieces={pieces} side={name} />
      ) : (
        <Text value={text} lines />
      )}
    </pre>
  )
  return (
    <>
      <h3>
        {title} {!alike && <span class="soft">{same ? 'the same' : 'differs'}</span>}
      </h3>
      {side(was, left, 'was')}
      {side(is, right, 'is')}
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

/** A window over the page, which the browser closes on Escape. */
function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string
  onClose(): void
  readonly children: ComponentChildren
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <div class="details-head">
        <h2>{title}</h2>
        <button type="button" class="close" aria-label="Close" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </div>
      {children}
    </dialog>
  )
}
