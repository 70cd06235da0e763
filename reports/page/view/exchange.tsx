import type { VNode } from 'preact'
import type { FindingExchange } from '../../../schemas/types/report.ts'
import { type Diff, diff } from '../model/diff.ts'
import { answerKind, answerOf, pathOf, type Timed, timelineOf } from '../model/finding.ts'
import { pretty } from '../model/shown-text.ts'
import { duration } from '../model/words.ts'
import { Marked, Text } from './text.tsx'

/** The status of an answer, or how the exchange ended. */
export function Answer({
  exchange,
}: {
  readonly exchange: { readonly status: number; readonly outcome: string }
}): VNode {
  return (
    <span class={`answer ${answerKind(exchange)}`}>
      <Text value={answerOf(exchange)} most={30} cut />
    </span>
  )
}

function RequestLine({ exchange }: { readonly exchange: Pick<FindingExchange, 'method' | 'url'> }): VNode {
  return (
    <code class="line">
      <strong>
        <Text value={exchange.method} most={20} cut />
      </strong>{' '}
      <Text value={pathOf(exchange.url)} most={240} cut />
    </code>
  )
}

/** The smallest request beside the twin that was accepted, and what tells them apart. */
export function Twins({
  twin,
  deciding,
}: {
  readonly twin: FindingExchange | undefined
  readonly deciding: FindingExchange
}): VNode {
  const paths = twin && diff(pathOf(twin.url), pathOf(deciding.url))
  const bodies = twin && diff(pretty(twin.requestBody), pretty(deciding.requestBody))
  return (
    <div class={twin ? 'pair' : 'pair alone'}>
      {twin && (
        <Side title="Twin: the same, with a good value" exchange={twin} side="was" paths={paths} bodies={bodies} />
      )}
      <Side title="The smallest request" exchange={deciding} side="is" paths={paths} bodies={bodies} />
    </div>
  )
}

interface SideProps {
  readonly title: string
  readonly exchange: FindingExchange
  readonly side: 'was' | 'is'
  readonly paths: Diff | undefined
  readonly bodies: Diff | undefined
}

function Side({ title, exchange, side, paths, bodies }: SideProps): VNode {
  const of = (found: Diff | undefined, plain: string): VNode =>
    found ? <Marked pieces={side === 'was' ? found.left : found.right} side={side} /> : <Text value={plain} lines />
  return (
    <div class="side">
      <h4>{title}</h4>
      <p class="soft">
        <Text value={exchange.id} most={80} cut />
        {exchange.startedAt !== undefined && <Text value={`, ${exchange.startedAt}`} most={40} cut />}
      </p>
      <div class="http">
        <p class="line">
          <code>
            <strong>
              <Text value={exchange.method} most={20} cut />
            </strong>{' '}
            {of(paths, pathOf(exchange.url))}
          </code>
          <Answer exchange={exchange} />
        </p>
        {exchange.requestBody === '' ? (
          <p class="soft nothing">no body</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
          <pre tabIndex={0}>{of(bodies, pretty(exchange.requestBody))}</pre>
        )}
      </div>
    </div>
  )
}

/** All exchanges behind a finding, in their order, on one axis of time where the report knows it. */
export function Timeline({ exchanges }: { readonly exchanges: readonly FindingExchange[] }): VNode {
  const { steps, spanMs } = timelineOf(exchanges)
  return (
    <ol class="timeline">
      {steps.map((step, index) => (
        <li key={index} class={step.exchange.role === 'deciding' ? 'deciding' : undefined}>
          <details>
            <summary>
              <span class="role">{step.exchange.role}</span>
              <RequestLine exchange={step.exchange} />
              <Answer exchange={step.exchange} />
              <span class="when soft">{whenOf(step)}</span>
              {spanMs > 0 && step.offsetMs !== undefined && (
                <span class="track" aria-hidden="true">
                  <span
                    class={answerKind(step.exchange)}
                    style={{
                      left: `${(100 * step.offsetMs) / spanMs}%`,
                      width: `${(100 * (step.ms ?? 0)) / spanMs}%`,
                    }}
                  />
                </span>
              )}
            </summary>
            <div class="bodies">
              <p class="soft">
                <Text value={step.exchange.url} most={1000} />
              </p>
              <Body title="sent" text={step.exchange.requestBody} />
              <Body title="answered" text={step.exchange.responseBody} />
            </div>
          </details>
        </li>
      ))}
    </ol>
  )
}

export function Body({ title, text }: { readonly title: string; readonly text: string }): VNode {
  return (
    <div class="body">
      <h5>{title}</h5>
      {text === '' ? (
        <p class="soft nothing">no body</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <pre tabIndex={0}>
          <Text value={pretty(text)} lines />
        </pre>
      )}
    </div>
  )
}

function whenOf({ offsetMs, ms }: Timed): string {
  const parts = [offsetMs === undefined ? '' : `+${duration(offsetMs)}`, ms === undefined ? '' : `took ${duration(ms)}`]
  return parts.filter(Boolean).join(', ')
}
