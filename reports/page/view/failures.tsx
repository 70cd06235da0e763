import type { VNode } from 'preact'
import { useContext } from 'preact/hooks'
import type { Report, RequirementResult, ServerErrorKind } from '../../../schemas/types/report.ts'
import { counted, number } from '../../counted.ts'
import { type BrokenExchange, brokenExchanges } from '../model/finding.ts'
import { duration } from '../model/words.ts'
import { Answer, Body, Pair, RequestLine } from './exchange.tsx'
import { FindingView } from './finding.tsx'
import { Fold, Part, Printing, useFirst, VerdictMark } from './parts.tsx'
import { Prose, Text } from './text.tsx'

interface CardsProps {
  /** what is broken, the heaviest first */
  readonly results: readonly RequirementResult[]
  /** what the address names */
  readonly anchor: string
}

const OPEN_AT_FIRST = 6
/** Further ones are named on paper by their message. */
const ON_PAPER = 12

/** A card for everything that failed, or that assay itself got wrong. */
export function Failures({ results, anchor }: CardsProps): VNode {
  const lead = results.length === 0 ? 'Nothing failed.' : undefined
  return (
    <Part id="failures" title={`Failures${results.length === 0 ? '' : ` ${number(results.length)}`}`} lead={lead}>
      {cardsOf(results, anchor, OPEN_AT_FIRST, ON_PAPER)}
    </Part>
  )
}

/** Broken requirements that the text does not state. `open`: nothing heavier is there to be looked at first. */
export function Warnings({ results, anchor, open }: CardsProps & { readonly open: boolean }): VNode | null {
  if (results.length === 0) return null
  return (
    <Part
      id="warnings"
      title={`Warnings ${number(results.length)}`}
      lead="The text does not say what a client sees here, or only the binding promises it."
    >
      {cardsOf(results, anchor, open ? OPEN_AT_FIRST : 0, 0)}
    </Part>
  )
}

/** `open`: how many are open at first. `onPaper`: how many are printed whole. */
function cardsOf(results: CardsProps['results'], anchor: string, open: number, onPaper: number): VNode[] {
  return results.map((result, index) => (
    <Card
      key={result.id}
      result={result}
      open={index < open}
      named={anchor === `finding-${result.id}`}
      paper={index < onPaper}
    />
  ))
}

interface CardProps {
  readonly result: RequirementResult
  readonly open: boolean
  /** the address leads to it */
  readonly named: boolean
  /** whether it is printed whole, and not only named */
  readonly paper: boolean
}

function Card({ result, open, named, paper }: CardProps): VNode {
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
      <h3>{result.id}</h3>
      <span class="soft">
        {result.level}, <Text value={result.category} most={60} cut />
      </span>
      <Text as="span" kind="reason" value={first?.message ?? result.reason} most={400} cut />
      <Prose as="span" kind="statement soft" value={result.text} />
    </>
  )
  return (
    // not the details themselves: an element with a negative tab index and a shadow takes its content out of the order
    <article class={`card tone-${result.verdict}`} id={`finding-${result.id}`} tabIndex={-1}>
      <Fold open={open} named={named} paper={paper} summary={summary}>
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
