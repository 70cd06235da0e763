import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { DetailedExchange, LiveFinding } from '../../../fixtures/live/messages.ts'
import type { Exchange, HarHeader } from '../../../schemas/types/exchange.ts'
import { counted, number } from '../../counted.ts'
import { plainJson } from '../../inert.ts'
import { treeOf } from '../../page/model/json-text.ts'
import { duration } from '../../page/model/words.ts'
import { Button, Pre } from '../../page/view/parts.tsx'
import { Text } from '../../page/view/text.tsx'
import { Tree } from '../../page/view/tree.tsx'
import { fetchCall } from '../../shell.ts'
import type { Row } from '../model/rows.ts'
import { statusTone } from './columns.tsx'
import type { LiveState } from './live-state.ts'

/** One exchange, as far as it is known here. */
type Known = DetailedExchange | 'loading' | 'gone'

/** What an exchange is asked for by. */
export type Shown = Pick<Row, 'id'>

/** The details of an exchange, which are asked for. */
export function useDetails(live: LiveState, row: Shown | undefined): Known {
  const [found, setFound] = useState<{ readonly id: string; readonly known: Known }>()
  useEffect(() => {
    if (!row) return
    let isWanted = true
    void live.details(row.id).then((known) => {
      if (isWanted) setFound({ id: row.id, known: known ?? 'gone' })
    })
    return () => {
      isWanted = false
    }
  }, [row?.id])
  return found !== undefined && found.id === row?.id ? found.known : 'loading'
}

interface DetailsProps {
  readonly live: LiveState
  readonly row: Row
  onClose(): void
}

/** The panel of one exchange. */
export function Details({ live, row, onClose }: DetailsProps): VNode {
  const shown = useDetails(live, row)
  return (
    <aside class="details" aria-label="One exchange" tabIndex={-1}>
      <div class="details-head">
        <h2>
          <Text value={row.method} most={20} cut /> <Text value={row.path} most={300} />
        </h2>
        <Button kind="close" label="×" name="Close the details" press={onClose} />
      </div>
      <p class="soft">
        <span class={`status ${statusTone(row)}`}>{row.status === 0 ? row.outcome : row.status}</span>{' '}
        {duration(row.milliseconds)} · <Text value={row.id} most={80} cut />
        {row.operation !== '' && ' · '}
        <Text value={row.operation} most={80} cut />
      </p>
      {row.unjudged !== '' && row.findings.length === 0 && (
        <p>
          Not judged: <Text value={row.unjudged} most={300} cut />.
        </p>
      )}
      <div class="actions">
        <Button on={live.pins.has(row.id)} label="Pin" press={() => live.pin(row)} />
        <Button on={live.marks.has(row.id)} label="Mark" press={() => live.mark(row)} />
        {typeof shown === 'object' && <Copies shown={shown} />}
      </div>
      {shown === 'loading' && <p class="soft">…</p>}
      {shown === 'gone' && (
        <p>
          It is no longer in memory here. A recording has it, as <Text value={row.id} most={80} cut />. Pin what you
          want to keep at hand.
        </p>
      )}
      {typeof shown === 'object' && <Parts key={row.id} shown={shown} />}
    </aside>
  )
}

const COPIES: readonly (readonly [label: string, name: string, text: (shown: DetailedExchange) => string])[] = [
  ['curl', 'the curl line', ({ curl }) => curl],
  ['fetch', 'the call of fetch', ({ exchange }) => fetchCall(exchange)],
  ['HAR', 'the HAR entry', ({ exchange }) => plainJson(exchange, 2)],
]

function Copies({ shown }: { readonly shown: DetailedExchange }): VNode {
  const [said, setSaid] = useState('')
  const take = (name: string, text: string): void => {
    const done = (): void => setSaid(`Copied ${name}`)
    navigator.clipboard.writeText(text).then(done, () => setSaid('The browser does not let it be copied'))
  }
  return (
    <>
      <span class="copies">
        Copy as
        {COPIES.map(([label, name, text]) => (
          <Button key={label} label={label} press={() => take(name, text(shown))} />
        ))}
      </span>
      <span role="status" class="soft">
        {said}
      </span>
    </>
  )
}

function Parts({ shown: { exchange, findings } }: { readonly shown: DetailedExchange }): VNode {
  const { request, response } = exchange
  return (
    <>
      {findings.map((finding, index) => (
        <Finding key={index} finding={finding} />
      ))}
      <Section title="Request">
        <Headers list={request.headers} />
        <Body content={request.postData} bytes={request.bodySize} />
      </Section>
      <Section
        title={`Response: ${response.status === 0 ? exchange._outcome : response.status}`}
        more={response.statusText}
      >
        {exchange._error !== undefined && <Text as="p" kind="problem" value={exchange._error} />}
        <Headers list={response.headers} />
        <Body content={response.content} bytes={response.content.size} />
        {response._trailers && <Headers list={response._trailers} />}
      </Section>
      <Section title="Timing">
        <Timing exchange={exchange} />
      </Section>
    </>
  )
}

function Section({
  title,
  more = '',
  children,
}: {
  readonly title: string
  readonly more?: string
  readonly children: ComponentChildren
}): VNode {
  return (
    <section>
      <h3>
        {title} <Text value={more} most={80} cut />
      </h3>
      {children}
    </section>
  )
}

function Finding({ finding }: { readonly finding: LiveFinding }): VNode {
  const { requirement, level, failure, message, expected, actual, pointer } = finding
  const about = [
    ['expected:', expected],
    ['actual:', actual],
    ['at', pointer],
  ] as const
  const rest = about.filter(([, text]) => text !== '')
  return (
    <div class={`found ${failure ? 'tone-fail' : 'tone-warn'}`}>
      <h3>
        <Text value={requirement} most={100} cut /> <span class="soft">{level}</span>
      </h3>
      <Text as="p" value={message} />
      {rest.map(([label, text]) => (
        <p key={label}>
          {label} <Text value={text} />
        </p>
      ))}
    </div>
  )
}

function Headers({ list }: { readonly list: readonly HarHeader[] }): VNode {
  if (list.length === 0) return <p class="soft">no header fields</p>
  return (
    <details>
      <summary>{counted(list.length, 'header field')}</summary>
      <dl class="headers">
        {list.map(({ name, value }, index) => (
          <div key={index}>
            <Text as="dt" value={name} most={200} />
            <Text as="dd" value={value} most={2000} />
          </div>
        ))}
      </dl>
    </details>
  )
}

interface BodyProps {
  readonly content: Exchange['response']['content'] | Exchange['request']['postData']
  readonly bytes: number
}

function Body({ content, bytes }: BodyProps): VNode {
  const { text, _cut: isCut, encoding } = content ?? {}
  const [plain, setPlain] = useState(false)
  if (!text)
    return <p class="soft">{isCut || bytes > 0 ? `a body of ${number(bytes)} bytes is not kept here` : 'no body'}</p>
  const tree = encoding === undefined ? treeOf(text) : undefined
  return (
    <div class="body">
      <p class="soft">
        {number(bytes)} bytes{encoding && ', as base64'}
        {isCut && ', only the beginning of them'}
        {tree && <Button kind="quiet" label={plain ? 'as a tree' : 'as text'} press={() => setPlain(!plain)} />}
      </p>
      {tree && !plain ? (
        <Tree root={tree} />
      ) : (
        <Pre>
          <Text value={text} lines runs={false} most={20_000} />
        </Pre>
      )}
    </div>
  )
}

/** When the request came, and how long its parts took, where that is known. */
function Timing({ exchange }: Pick<DetailedExchange, 'exchange'>): VNode {
  const { time, timings, _stalled = 0 } = exchange
  const wait = Math.min(time, timings.wait)
  const parts = [
    { name: 'until the first byte of the response', ms: wait, kind: 'wait' },
    { name: 'until the last one', ms: Math.max(0, time - wait), kind: 'receive' },
  ].filter(({ ms }) => ms > 0)
  return (
    <>
      <p>
        Began <Text value={exchange.startedDateTime} most={40} cut />, took {duration(time)}
        {_stalled > 0 && `, of which assay itself stood still for ${duration(_stalled)}`}.
      </p>
      {parts.length > 1 && (
        <>
          <span class="track" aria-hidden="true">
            {parts.map(({ kind, ms }) => (
              <span key={kind} class={kind} style={{ flexGrow: ms }} />
            ))}
          </span>
          <p class="soft">{parts.map(({ name, ms }) => `${duration(ms)} ${name}`).join(', then ')}</p>
        </>
      )}
    </>
  )
}
