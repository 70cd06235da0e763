import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { DetailedExchange, ResendRequest } from '../../../fixtures/live/messages.ts'
import { Text } from '../../page/view/text.tsx'
import { OWN_HEADERS } from '../../shell.ts'
import { Dialog } from './dialog.tsx'
import type { LiveState } from './live-state.ts'

/** A request that is sent once more, as it was or edited; `onSent` is told of the new exchange. */
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

/** Only what somebody changed is told: the rest is sent as it was. */
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
