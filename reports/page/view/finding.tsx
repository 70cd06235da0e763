import type { VNode } from 'preact'
import { useContext, useId, useRef, useState } from 'preact/hooks'
import type { Finding, FindingExchange, FindingLine, RequirementResult } from '../../../schemas/types/report.ts'
import { counted } from '../../counted.ts'
import { markdownRows } from '../../finding-rows.ts'
import { plainJson } from '../../inert.ts'
import { whereOf } from '../../shown-exchange.ts'
import { apart } from '../../text.ts'
import { kindOf } from '../../traffic.ts'
import { diff, isRelated, type Piece } from '../model/diff.ts'
import { harOf, knownAt, roleOf, type Sides, sidesOf, type Timed, timelineOf } from '../model/finding.ts'
import { duration } from '../model/words.ts'
import { Answer, Body, Pair, RequestLine } from './exchange.tsx'
import { Button, Command, Printing, save, Texts, useSaid } from './parts.tsx'
import { Marked, Text } from './text.tsx'

interface FindingProps {
  readonly finding: Finding
  /** the message stands above already */
  readonly first?: boolean
  readonly unclear: Readonly<Record<string, number>>
}

const ON_PAPER = 240
const LONGEST_WORDS = 1500

/** What is broken, the request that shows it, and how to see it again. */
export function FindingView({ finding, first = false, unclear }: FindingProps): VNode {
  const paper = useContext(Printing)
  const { message, expected, actual } = finding
  const sides = sidesOf(finding)
  const { control, deciding, change } = sides
  const lines = finding.lines ?? []
  const races = timelineOf(finding.exchanges).steps.some(({ client }) => client !== '')
  const walk = !paper && finding.exchanges.length > 1 && (
    <Walk
      exchanges={finding.exchanges}
      sides={sides}
      concluded={`Broken: ${message}. Expected: ${expected}. Actual: ${actual}.`}
      unclear={unclear}
    />
  )
  return (
    <div class="finding">
      {!first && <Text as="p" kind="reason" value={message} most={800} />}
      {(expected !== '' || actual !== '') && <Words finding={finding} />}
      {lines.length > 0 && <Lines finding={finding} lines={lines} />}
      {races && walk}
      {change && lines.length === 0 && <Pair deciding={change} title="The change" about={finding} />}
      {deciding && lines.length === 0 && <Pair control={control} deciding={deciding} about={finding} />}
      {deciding && lines.length === 0 && deciding.responseBody !== '' && (
        <Body title="Its response" text={deciding.responseBody} about={finding} />
      )}
      <Place finding={finding} />
      {!races && walk}
      {finding.reproduce !== '' && <Command label="Show it again" value={finding.reproduce} />}
      {!paper && finding.curl !== '' && (
        <details class="rest">
          <summary>The request by hand</summary>
          <Command label="curl" value={finding.curl} />
        </details>
      )}
    </div>
  )
}

function Words({ finding: { expected: wanted, actual: found } }: Pick<FindingProps, 'finding'>): VNode {
  const paper = useContext(Printing)
  const most = paper ? ON_PAPER : LONGEST_WORDS
  // Of long texts the place is shown where they begin to differ.
  const isLong = Math.max(wanted.length, found.length) > most
  const [expected, actual] = isLong ? apart(wanted, found, most) : [wanted, found]
  const marks = diff(expected, actual)
  const related = isRelated(marks)
  const side = (text: string, pieces: readonly Piece[], of: 'was' | 'is'): VNode | string => {
    if (text === '') return '–'
    return related ? <Marked pieces={pieces} side={of} /> : <Text value={text} />
  }
  return (
    <div class="pair words">
      <div class="side">
        <h4>Expected</h4>
        <p>{side(expected, marks.left, 'was')}</p>
      </div>
      <div class="side">
        <h4>Actual</h4>
        <p>{side(actual, marks.right, 'is')}</p>
      </div>
    </div>
  )
}

function Place({ finding }: Pick<FindingProps, 'finding'>): VNode {
  return (
    <p class="place soft">
      {whereOf(finding).map((part, index) => (
        <span key={index}>
          {index > 0 && ' · '}
          <Text value={part} most={200} />
        </span>
      ))}
      {finding.case !== '' && (
        <>
          {' '}
          in the case <Text as="code" value={finding.case} most={200} />
        </>
      )}
    </p>
  )
}

const STATES: Readonly<Record<FindingLine['state'], string>> = {
  there: '',
  missing: 'missing',
  twice: 'in both pages',
}

/** The pages between which lines were lost or doubled, and the lines around the place. */
function Lines({ finding, lines }: { readonly finding: Finding; readonly lines: readonly FindingLine[] }): VNode {
  const pages = [...new Set(lines.flatMap(({ page }) => page ?? []))]
  return (
    <div class="lines">
      <h4>{pages.length > 1 ? `Where page ${pages[0]} ends and page ${pages[1]} begins` : 'The lines around it'}</h4>
      <ol class="plain">
        {lines.map((one, index) => {
          const begins = one.page !== undefined && !lines.slice(0, index).some(({ page }) => page === one.page)
          const exchange = finding.exchanges.find(({ id }) => id === one.exchange)
          return (
            <li key={index} class={one.state}>
              {begins && exchange && (
                <p class="soft">
                  page {one.page}: <RequestLine exchange={exchange} />
                </p>
              )}
              <Text as="code" value={one.line} most={200} cut /> <strong>{STATES[one.state]}</strong>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

interface WalkProps {
  readonly exchanges: readonly FindingExchange[]
  readonly sides: Sides
  /** what the rule concluded from them */
  readonly concluded: string
  /** why the rule could say nothing of others, and how often */
  readonly unclear: Readonly<Record<string, number>>
}

/** How far a key leads. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 },
  ...{ Home: -Infinity, End: Infinity },
}

/** The exchanges behind a finding on one axis of time, to be walked with the arrow keys. */
function Walk({ exchanges, sides, concluded, unclear }: WalkProps): VNode {
  const { steps, spanMs } = timelineOf(exchanges)
  const decides = steps.findIndex(({ exchange }) => exchange.id === sides.deciding?.id)
  const [at, setAt] = useState<number | undefined>(undefined)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const pressed = (event: KeyboardEvent): void => {
    const by = STEPS[event.key]
    if (by === undefined) return
    const to = Math.max(0, Math.min(steps.length - 1, (at ?? decides) + by))
    event.preventDefault()
    setAt(to)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus()
  }
  const step = at === undefined ? undefined : steps[at]
  return (
    <div class="walk">
      <h4>
        {counted(steps.length, 'exchange')} by time
        <span class="soft screen-only">: press one, then walk with the arrow keys</span>
      </h4>
      <div
        ref={list}
        class="timeline"
        role="tablist"
        aria-orientation="vertical"
        aria-label="Exchanges by time"
        onKeyDown={pressed}
      >
        {steps.map((one, index) => (
          <button
            key={one.exchange.id}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === at}
            aria-controls={index === at ? `${id}-panel` : undefined}
            tabIndex={index === (at ?? decides) ? 0 : -1}
            class={index === decides ? 'deciding' : undefined}
            onClick={() => setAt(index === at ? undefined : index)}
          >
            <span class="role">
              {one.client !== '' && <strong>client {one.client} </strong>}
              {roleOf(one.exchange, sides)}
            </span>
            <RequestLine exchange={one.exchange} />
            <Answer exchange={one.exchange} />
            <span class="when soft">{whenOf(one)}</span>
            <Track step={one} spanMs={spanMs} />
          </button>
        ))}
      </div>
      {step && at !== undefined && (
        <div class="step" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${at}`}>
          <p class="soft">
            <Text value={step.exchange.id} most={80} cut />
            {step.exchange.startedAt !== undefined && <Text value={`, ${step.exchange.startedAt}`} most={40} cut />}
            {step.exchange.meant !== undefined && <Text value={`: ${step.exchange.meant}`} most={200} cut />}
          </p>
          <List title="Known at that moment" items={knownAt(steps, at, sides)} />
          <Body title="Sent" text={step.exchange.requestBody} />
          <Body title="Answered" text={step.exchange.responseBody} />
          <List title="What the rule concluded" items={conclusions(at === decides, concluded, unclear)} />
        </div>
      )}
    </div>
  )
}

function conclusions(decides: boolean, concluded: string, unclear: WalkProps['unclear']): string[] {
  if (!decides) return ['Nothing here: the rule concludes at the exchange that decides.']
  return [concluded, ...Object.entries(unclear).map(([why, times]) => `Elsewhere, ${counted(times, 'time')}: ${why}`)]
}

function List({ title, items }: { readonly title: string; readonly items: readonly string[] }): VNode {
  return (
    <div class="body">
      <h5>{title}</h5>
      {items.length === 0 ? (
        <p class="soft nothing">Nothing of these exchanges.</p>
      ) : (
        <Texts items={items} most={400} />
      )}
    </div>
  )
}

function Track({ step, spanMs }: { readonly step: Timed; readonly spanMs: number }): VNode | null {
  if (spanMs <= 0 || step.offsetMs === undefined || step.offsetMs < 0) return null
  return (
    <span class="track" aria-hidden="true">
      <span
        class={kindOf(step.exchange)}
        style={{ left: `${(100 * step.offsetMs) / spanMs}%`, width: `${(100 * (step.ms ?? 0)) / spanMs}%` }}
      />
    </span>
  )
}

function whenOf({ offsetMs, ms }: Timed): string {
  const offset = offsetMs === undefined ? '' : `${offsetMs < 0 ? '−' : '+'}${duration(Math.abs(offsetMs))}`
  const parts = [offset, ms === undefined ? '' : `took ${duration(ms)}`]
  return parts.filter(Boolean).join(', ')
}

interface TakenProps {
  readonly result: RequirementResult
  readonly finding: Finding
}

/** A finding for elsewhere: a link, Markdown for an issue, and its exchanges as HAR. */
export function Taken({ result: { id, level, text }, finding }: TakenProps): VNode {
  const [said, copy] = useSaid()
  const link = (): string => `${location.href.split('#')[0]}#finding-${encodeURIComponent(id)}`
  const markdown = (): string =>
    [`**${id}** (${level}): ${text}`, '', finding.message, '', ...markdownRows(finding)].join('\n')
  const har = (): void =>
    save(
      new Blob([plainJson(harOf(finding, { name: 'assay', version: '1' }), 2)], { type: 'application/json' }),
      `${id}.har`,
    )
  return (
    <span class="taken">
      <Button kind="quiet" label="Copy link" press={() => copy('link', link())} />
      <Button kind="quiet" label="Copy as Markdown" press={() => copy('Markdown', markdown())} />
      <Button kind="quiet" label="Save as HAR" press={har} />
      <span role="status">{said}</span>
    </span>
  )
}
