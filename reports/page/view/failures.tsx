import type { VNode } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Report, RequirementResult, ServerErrorKind } from '../../../schemas/types/report.ts'
import { type Cause, causesOf } from '../../causes.ts'
import { counted, number } from '../../counted.ts'
import { matches, WHOLE } from '../model/address.ts'
import { type BrokenExchange, brokenExchanges } from '../model/finding.ts'
import { duration } from '../model/words.ts'
import { useMarks } from './browser.ts'
import { Answer, Body, Pair, RequestLine } from './exchange.tsx'
import { FindingView, Taken } from './finding.tsx'
import { Button, Fold, Part, Printing, useFirst, VerdictMark } from './parts.tsx'
import { Prose, Text } from './text.tsx'

interface CardsProps {
  /** what is broken, the heaviest first */
  readonly results: readonly RequirementResult[]
  /** what the address names */
  readonly anchor: string
}

/** Causes of which the first requirement is open at first, and causes that the index names. */
const OPEN_AT_FIRST = 3
const MOST_NAMED = 12
/** Further ones are named on paper by their message. */
const ON_PAPER = 12
/** So few are opened when a search leaves no more. */
const OPEN_WHEN_FOUND = 3
const OPENED = { open: true }
/** With fewer requirements nobody needs an index. */
const LEAST_INDEXED = 4

interface BrokenProps extends CardsProps {
  readonly id: 'failures' | 'warnings'
  readonly title: string
  readonly lead?: string
  /** causes of which one card is open at first */
  readonly open?: number
  /** cards that are printed whole */
  readonly onPaper?: number
}

/** A card for everything that failed, or that assay itself got wrong. */
export function Failures(props: CardsProps): VNode | null {
  return <Broken id="failures" title="Failures" onPaper={ON_PAPER} {...props} />
}

/** Broken requirements that the text does not state. `first`: nothing heavier is there to be looked at first. */
export function Warnings({ first, ...props }: CardsProps & { readonly first: boolean }): VNode | null {
  const lead = 'The text does not say what a client sees here, or only the binding promises it.'
  return <Broken id="warnings" title="Warnings" lead={lead} open={first ? OPEN_AT_FIRST : 0} onPaper={0} {...props} />
}

/** Cards by cause, and beside them an index that stays in sight. */
function Broken({ id, title, lead, results, anchor, open = OPEN_AT_FIRST, onPaper = 0 }: BrokenProps): VNode | null {
  const printing = useContext(Printing)
  const [search, setSearch] = useState('')
  const [all, setAll] = useState<{ readonly open: boolean }>()
  const place = useRef<HTMLDivElement>(null)
  const causes = useMemo(() => causesOf(results), [results])
  const view = { ...WHOLE, search }
  const shown = causes.map((cause) => ({
    ...cause,
    results: cause.results.filter((result) => matches(result, view, true)),
  }))
  const left = shown.reduce((sum, cause) => sum + cause.results.length, 0)
  const few = useSettled(search !== '' && left <= OPEN_WHEN_FOUND, search)
  useMarks(place, search, [all, left, few])
  if (results.length === 0) return null
  const isIndexed = results.length >= LEAST_INDEXED && !printing
  const words = causes.length < results.length ? `, of ${counted(causes.length, 'cause')}` : ''
  let printed = 0
  return (
    <Part id={id} title={`${title} ${number(results.length)}${words}`} lead={lead}>
      <div class={isIndexed ? 'indexed' : undefined} ref={place}>
        {isIndexed && (
          <Index
            {...{ id, causes: shown, search }}
            isOpen={all?.open === true}
            find={setSearch}
            toggle={() => setAll({ open: all?.open !== true })}
          />
        )}
        <div class="cards">
          {shown.map((cause, at) => (
            <section key={at} hidden={cause.results.length === 0}>
              {isIndexed && (
                <h3 id={`${id}-${at + 1}`} tabIndex={-1} class="of-cause">
                  <CauseWords cause={cause} />
                </h3>
              )}
              {cause.results.map((result, index) => {
                printed += 1
                return (
                  <Card
                    key={result.id}
                    result={result}
                    open={index === 0 && at < open}
                    all={few ? OPENED : all}
                    named={anchor === `finding-${result.id}`}
                    paper={printed <= onPaper}
                    isIndexed={isIndexed}
                  />
                )
              })}
            </section>
          ))}
          {left === 0 && <p class="empty">Nothing here holds these words.</p>}
        </div>
      </div>
    </Part>
  )
}

/** Whether something still holds when nobody has typed for a moment. Drawing must not keep a key waiting. */
function useSettled(holds: boolean, typed: string): boolean {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    setSettled(false)
    if (!holds) return
    const timer = setTimeout(() => setSettled(true), 250)
    return () => clearTimeout(timer)
  }, [holds, typed])
  return settled
}

function CauseWords({ cause: { title, results, others } }: { readonly cause: Cause }): VNode {
  return (
    <>
      <span class="count">{number(results.length)}</span> <Text value={title} most={200} cut />
      {others.length > 0 && <span class="soft"> (also: {others.map(([words]) => words).join('; ')})</span>}
    </>
  )
}

interface IndexProps {
  readonly id: string
  readonly causes: readonly Cause[]
  readonly search: string
  readonly isOpen: boolean
  find(text: string): void
  toggle(): void
}

/** What failed, by cause. Its ids are no stops by keyboard: there `j` and `k` walk from card to card. */
function Index({ id, causes, search, isOpen, find, toggle }: IndexProps): VNode {
  const [shown, more] = useFirst(causes, MOST_NAMED, ' causes')
  return (
    <nav class="index screen-only" aria-label={`${id} by cause`}>
      <input
        type="search"
        aria-label={`Search in ${id}`}
        placeholder="search, also in bodies"
        value={search}
        onInput={({ currentTarget }) => find(currentTarget.value)}
      />
      <Button kind="quiet" label={isOpen ? 'Close all' : 'Open all'} press={toggle} />
      <ol class="plain">
        {shown.map((cause, at) => (
          <li key={at} class={cause.results.length === 0 ? 'none' : undefined}>
            <a href={`#${id}-${at + 1}`}>
              <span class="count">{number(cause.results.length)}</span> <Text value={cause.title} most={120} cut />
            </a>
            {cause.results.length > 1 && (
              <details>
                <summary>which</summary>
                {cause.results.map((result) => (
                  <a key={result.id} class="id" tabIndex={-1} href={`#finding-${encodeURIComponent(result.id)}`}>
                    {result.id}
                  </a>
                ))}
              </details>
            )}
          </li>
        ))}
      </ol>
      {more}
    </nav>
  )
}

/** `j` and `k` walk from card to card, and open the one that they reach. */
export function toCard(by: number): void {
  const cards = [...document.querySelectorAll<HTMLDetailsElement>('.card > details')].filter(
    (card) => card.offsetParent !== null,
  )
  const at = cards.findIndex((card) => card.contains(document.activeElement))
  const next = cards[Math.max(0, Math.min(cards.length - 1, at + by))]
  if (!next) return
  next.open = true
  next.querySelector('summary')?.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'start' })
}

interface CardProps {
  readonly result: RequirementResult
  readonly open: boolean
  /** all were opened or closed */
  readonly all: { readonly open: boolean } | undefined
  /** the address leads to it */
  readonly named: boolean
  /** whether it is printed whole, and not only named */
  readonly paper: boolean
  /** it stands below the heading of its cause */
  readonly isIndexed: boolean
}

/** A card is drawn again only when something of it is another one. */
function Card(props: CardProps): VNode {
  const printing = useContext(Printing)
  return useMemo(() => <CardOf {...props} />, [...Object.values(props), printing])
}

function CardOf({ result, open, all, named, paper, isIndexed }: CardProps): VNode {
  const Heading = isIndexed ? 'h4' : 'h3'
  const [first, ...others] = result.findings
  const { broken, unclear = {} } = result.evidence
  const printing = useContext(Printing)
  const more = (
    <>
      {counted(others.length, 'more finding')}
      {broken > others.length + 1 && <span class="soft">, of {broken} seen in all</span>}
    </>
  )
  const summary = (
    <>
      <VerdictMark verdict={result.verdict} />
      <Heading>{result.id}</Heading>
      <span class="soft">{result.level}</span>
      <Text as="span" kind="reason" value={first?.message ?? result.reason} most={400} cut />
      <Prose as="span" kind="statement soft" value={result.text} />
    </>
  )
  return (
    // not the details themselves: an element with a negative tab index and a shadow takes its content out of the order
    <article class={`card tone-${result.verdict}`} id={`finding-${result.id}`} tabIndex={-1}>
      <Fold open={open} all={all} named={named} paper={paper} summary={summary}>
        <div class="inside">
          {first && result.reason !== '' && <Text as="p" kind="soft" value={result.reason} most={600} />}
          {first && <FindingView finding={first} first unclear={unclear} />}
          {others.length > 0 && !printing && (
            <Fold kind="others" summary={more}>
              {others.map((finding, index) => (
                <FindingView key={index} finding={finding} unclear={unclear} />
              ))}
            </Fold>
          )}
          <p class="soft section screen-only">
            Specification: <Text value={result.section} most={300} /> ·{' '}
            <a href={`#${encodeURIComponent(result.id)}`}>evidence</a>
            {first && <Taken result={result} finding={first} />}
          </p>
        </div>
      </Fold>
    </article>
  )
}
/** The 5xx responses to well-formed requests, each kind with its smallest request. */
export function ServerErrors({ report }: { readonly report: Report }): VNode | null {
  const { serverErrors, failOn = [] } = report
  const { count = 0, retried = 0, kinds = [] } = serverErrors ?? {}
  if (kinds.length === 0) return null
  const weight = failOn.includes('server-error')
    ? 'They fail the command (--fail-on server-error).'
    : 'They break no requirement; --fail-on server-error makes them count.'
  const more = retried === 0 ? '' : ` A repetition made up for ${number(retried)} more.`
  return (
    <Part
      id="server-errors"
      title={`Server errors ${number(count)}`}
      lead={`${counted(count, 'response')} with 5xx to well-formed requests.${more} ${weight}`}
    >
      {kinds.map((kind) => (
        <Kind key={`${kind.operation} ${kind.kind}`} kind={kind} />
      ))}
    </Part>
  )
}

function Kind({ kind }: { readonly kind: ServerErrorKind }): VNode {
  const { operation, kind: what, count, retried, statuses, smallest } = kind
  const printing = useContext(Printing)
  return (
    <article class={`card tone-${count > 0 ? 'error' : 'not-run'}`}>
      <details open={printing ? false : undefined}>
        <summary>
          <Text as="h3" value={operation} most={100} cut />
          <span class="soft">
            status {statuses.join(', ')}, {counted(count, 'time')}
            {retried > 0 && `, ${number(retried)} made up for by a repetition`}
          </span>
          <Text as="span" kind="statement" value={what} most={200} cut />
        </summary>
        <div class="inside finding">
          <Pair deciding={smallest} title="The smallest request" />
          <Body title="Its response" text={smallest.responseBody} />
        </div>
      </details>
    </article>
  )
}

const SHOWN = 20

/** For recorded traffic: the exchanges that break something, each with all that it breaks. */
export function BrokenExchanges({ results }: Pick<CardsProps, 'results'>): VNode | null {
  const found = brokenExchanges(results)
  const [shown, more] = useFirst(found, SHOWN)
  if (found.length === 0) return null
  return (
    <Part
      id="exchanges"
      title={`Exchanges that break something ${number(found.length)}`}
      lead="Each recorded exchange that decides a failure or a warning, with everything that it breaks."
    >
      <ul class="plain broken">
        {shown.map((one) => (
          <One key={one.exchange.id} one={one} />
        ))}
      </ul>
      {more}
    </Part>
  )
}

function One({ one: { exchange, breaks } }: { readonly one: BrokenExchange }): VNode {
  const printing = useContext(Printing)
  return (
    <li>
      <p>
        <span class="head">
          <RequestLine exchange={exchange} />
          <Answer exchange={exchange} />
        </span>
        <span class="soft">
          <Text value={[exchange.id, exchange.startedAt ?? ''].filter(Boolean).join(', ')} most={160} cut />
          {exchange.ms !== undefined && `, took ${duration(exchange.ms)}`}
        </span>
      </p>
      <ul class="plain breaks">
        {breaks.map(({ result, finding }, index) => (
          <li key={index}>
            <VerdictMark verdict={result.verdict} />{' '}
            <a class="id" href={`#finding-${encodeURIComponent(result.id)}`}>
              {result.id}
            </a>{' '}
            <Text value={finding.message} most={300} cut />
          </li>
        ))}
      </ul>
      {!printing && (
        <Fold kind="rest" summary="Sent and answered">
          <div class="finding">
            <Body title="Sent" text={exchange.requestBody} />
            <Body title="Answered" text={exchange.responseBody} />
          </div>
        </Fold>
      )}
    </li>
  )
}
