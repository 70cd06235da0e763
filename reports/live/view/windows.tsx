import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DetailedExchange, ResendRequest } from '../../../fixtures/live/messages.ts'
import type { HarHeader } from '../../../schemas/types/exchange.ts'
import { diff } from '../../page/model/diff.ts'
import { pretty } from '../../page/model/json-text.ts'
import { duration } from '../../page/model/words.ts'
import { Marked, Text } from '../../page/view/text.tsx'
import { OWN_HEADERS } from '../../shell.ts'
import { type Shown as Named, useDetails } from './details.tsx'
import type { LiveState } from './live-state.ts'

interface CompareProps {
  readonly live: LiveState
  readonly left: Named
  readonly right: Named
  readonly title: string
  onClose(): void
}

/** Two exchanges side by side, with what one of them lacks marked. */
export function Compare({ live, left, right, title, onClose }: CompareProps): VNode {
  const a = useDetails(live, left)
  const b = useDetails(live, right)
  const isThere = typeof a === 'object' && typeof b === 'object'
  return (
    <Dialog title={title} onClose={onClose}>
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

/** A request that is sent once more, as it was or edited; `onSent` gets the new exchange. */
export function Resend({
  shown,
  target,
  ...props
}: {
  readonly live: LiveState
  readonly shown: DetailedExchange
  readonly target: string
  onSent(id: string): void
  onClose(): void
}): VNode {
  const was = formOf(shown)
  const [form, setForm] = useState(was)
  const [said, setSaid] = useState('')
  const change = (name: keyof Form) => (event: Event) =>
    setForm({ ...form, [name]: (event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value })
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    setSaid('…')
    const answer = await props.live.resend(requestOf(shown.exchange._id, was, form))
    if ('id' in answer) props.onSent(answer.id)
    else setSaid(answer.problem)
  }
  const { postData } = shown.exchange.request
  const isFixed = postData?._cut === true || postData?.encoding !== undefined
  return (
    <Dialog title="Send it again" onClose={props.onClose}>
      <form class="resend" onSubmit={(event) => void send(event)}>
        <p class="soft">
          It goes to <Text value={target} most={200} cut />, through the recorder, and may change what is there. A name
          such as &lt;access-token:configured&gt; stands for the configured secret.
        </p>
        <label>
          Method <input value={form.method} onInput={change('method')} required spellcheck={false} />
        </label>
        <label>
          Path and query <input value={form.path} onInput={change('path')} required spellcheck={false} />
        </label>
        <label>
          Header fields, one a line
          <textarea rows={6} value={form.headers} onInput={change('headers')} spellcheck={false} />
        </label>
        <label>
          {isFixed ? 'Body: bytes, or cut; sent as it was' : 'Body'}
          <textarea rows={10} value={form.body} onInput={change('body')} disabled={isFixed} spellcheck={false} />
        </label>
        <p class="actions">
          <button type="submit">Send</button>
          <span role="status" class="problem">
            <Text value={said} most={500} cut />
          </span>
        </p>
      </form>
    </Dialog>
  )
}

interface Form {
  readonly method: string
  readonly path: string
  readonly headers: string
  readonly body: string
}

function formOf({ exchange: { request }, basePath }: DetailedExchange): Form {
  const path = request.url.replace(/^https?:\/\/[^/]*/i, '')
  return {
    method: request.method,
    path: basePath !== '' && path.startsWith(basePath) ? path.slice(basePath.length) : path,
    // Those of the connection are written anew.
    headers: request.headers
      .filter(({ name }) => !OWN_HEADERS.has(name.toLowerCase()))
      .map(({ name, value }) => `${name}: ${value}`)
      .join('\n'),
    body: request.postData?.text ?? '',
  }
}

/** Only edited parts are sent: the rest stays as it was. */
function requestOf(id: string, was: Form, is: Form): ResendRequest {
  return {
    id,
    ...(is.method === was.method ? {} : { method: is.method.trim() }),
    ...(is.path === was.path ? {} : { path: is.path.trim() }),
    ...(is.headers === was.headers ? {} : { headers: fieldsIn(is.headers) }),
    ...(is.body === was.body ? {} : { body: is.body }),
  }
}

function fieldsIn(text: string): { name: string; value: string }[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = line, value = ''] = /^([^:]*):(.*)$/.exec(line) ?? []
      return { name: name.trim(), value: value.trim() }
    })
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
