import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Finding, Report, RequirementResult, ServerErrorKind } from '../../../schemas/types/report.ts'
import { diff, isRelated, type Piece } from '../model/diff.ts'
import { twinsOf } from '../model/finding.ts'
import { counted, number } from '../model/words.ts'
import { Body, Timeline, Twins } from './exchange.tsx'
import { Command, Part, VerdictMark } from './parts.tsx'
import { Marked, Prose, Text } from './text.tsx'

interface FailuresProps {
  /** what is broken and passes the filters, the heaviest first */
  readonly results: readonly RequirementResult[]
  /** how many are broken in all */
  readonly inAll: number
  readonly printing: boolean
  /** what the address names */
  readonly anchor: string
}

const OPEN_AT_FIRST = 6

/** A card for everything that is broken, or that assay itself got wrong. */
export function Failures({ results, inAll, printing, anchor }: FailuresProps): VNode {
  const lead =
    inAll === 0
      ? 'Nothing is broken.'
      : results.length < inAll
        ? `${counted(results.length, 'card')} of ${inAll} fit the filters.`
        : `${counted(inAll, 'requirement')}: first those that failed, then what assay itself got wrong, then warnings.`
  return (
    <Part id="failures" title="Failures and warnings" lead={lead}>
      {results.map((result, index) => (
        <Card
          key={result.id}
          result={result}
          open={index < OPEN_AT_FIRST}
          named={anchor === `finding-${result.id}`}
          printing={printing}
        />
      ))}
    </Part>
  )
}

interface CardProps {
  readonly result: RequirementResult
  readonly open: boolean
  /** the address leads to it */
  readonly named: boolean
  readonly printing: boolean
}

function Card({ result, open, named, printing }: CardProps): VNode {
  const [wanted, setWanted] = useState(open || named)
  useEffect(() => {
    if (named) setWanted(true)
  }, [named])
  const [first, ...others] = result.findings
  const isOpen = wanted || printing
  return (
    // not the details themselves: what has a negative tab index and a shadow takes its content out of the order
    <article class={`card tone-${result.verdict}`} id={`finding-${result.id}`} tabIndex={-1}>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (!printing) setWanted(currentTarget.open)
        }}
      >
        <summary>
          <VerdictMark verdict={result.verdict} />
          <h3>{result.id}</h3>
          <span class="soft">
            {result.level}, <Text value={result.category} most={60} cut />
          </span>
          <span class="statement">
            <Prose value={result.text} />
          </span>
        </summary>
        {isOpen && (
          <div class="inside">
            <p class="soft section">
              Specification: <Text value={result.section} most={300} /> ·{' '}
              <a href={`#${encodeURIComponent(result.id)}`}>evidence</a>
            </p>
            {result.reason !== '' && (
              <p class="reason">
                <Text value={result.reason} most={600} />
              </p>
            )}
            {first && <FindingView finding={first} />}
            {others.length > 0 && <Others findings={others} broken={result.evidence.broken} />}
          </div>
        )}
      </details>
    </article>
  )
}

function Others({ findings, broken }: { readonly findings: readonly Finding[]; readonly broken: number }): VNode {
  const [open, setOpen] = useState(false)
  return (
    <details class="others" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {counted(findings.length, 'more finding')}
        {broken > findings.length + 1 && <span class="soft">, of {broken} seen in all</span>}
      </summary>
      {open && findings.map((finding, index) => <FindingView key={index} finding={finding} />)}
    </details>
  )
}

function FindingView({ finding }: { readonly finding: Finding }): VNode {
  const { expected, actual, operation, pointer, edge } = finding
  const { twin, deciding } = twinsOf(finding)
  const marks = diff(expected, actual)
  const related = isRelated(marks)
  const side = (text: string, pieces: readonly Piece[], of: 'was' | 'is'): VNode | string => {
    if (text === '') return '–'
    return related ? <Marked pieces={pieces} side={of} /> : <Text value={text} />
  }
  return (
    <div class="finding">
      <p class="reason">
        <Text value={finding.message} most={800} />
      </p>
      {(expected !== '' || actual !== '') && (
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
      )}
      <p class="place soft">
        {[operation, pointer, edge]
          .filter((part) => part !== '')
          .map((part, index) => (
            <span key={index}>
              {index > 0 && ' · '}
              <Text value={part} most={200} />
            </span>
          ))}
        {finding.case !== '' && (
          <>
            {' '}
            in the case{' '}
            <code>
              <Text value={finding.case} most={200} />
            </code>
          </>
        )}
      </p>
      {deciding && <Twins twin={twin} deciding={deciding} />}
      {deciding && deciding.responseBody !== '' && <Body title="The answer to it" text={deciding.responseBody} />}
      {finding.exchanges.length > 1 && (
        <div class="exchanges">
          <h4>{counted(finding.exchanges.length, 'exchange')} in order</h4>
          <Timeline exchanges={finding.exchanges} />
        </div>
      )}
      {finding.curl !== '' && <Command label="The request by hand" value={finding.curl} />}
      {finding.reproduce !== '' && <Command label="Exactly this again" value={finding.reproduce} />}
    </div>
  )
}

/** The 5xx answers to well-formed requests, each kind with its smallest request. */
export function ServerErrors({ report, printing }: { readonly report: Report; readonly printing: boolean }): VNode {
  const { serverErrors, failOn = [] } = report
  const { count = 0, retried = 0, kinds = [] } = serverErrors ?? {}
  const weight = failOn.includes('server-error')
    ? 'They fail the command (--fail-on server-error).'
    : 'They break no requirement; --fail-on server-error makes them count.'
  const more = retried === 0 ? '' : ` A repetition made up for ${number(retried)} more.`
  const lead =
    kinds.length === 0
      ? serverErrors
        ? 'No well-formed request was answered with 5xx.'
        : 'This report does not tell of them.'
      : `${counted(count, 'answer')} with 5xx to well-formed requests.${more} ${weight}`
  return (
    <Part id="server-errors" title="Server errors" lead={lead}>
      {kinds.map((kind) => (
        <Kind key={`${kind.operation} ${kind.kind}`} kind={kind} printing={printing} />
      ))}
    </Part>
  )
}

function Kind({ kind, printing }: { readonly kind: ServerErrorKind; readonly printing: boolean }): VNode {
  const { operation, kind: what, count, retried, statuses, smallest } = kind
  return (
    <article class={`card tone-${count > 0 ? 'error' : 'not-run'}`}>
      <details open={printing || undefined}>
        <summary>
          <h3>
            <Text value={operation} most={100} cut />
          </h3>
          <span class="soft">
            status {statuses.join(', ')}, {counted(count, 'time')}
            {retried > 0 && `, ${number(retried)} made up for by a repetition`}
          </span>
          <span class="statement">
            <Text value={what} most={200} />
          </span>
        </summary>
        <div class="inside">
          <Twins twin={undefined} deciding={smallest} />
          <Body title="The answer to it" text={smallest.responseBody} />
        </div>
      </details>
    </article>
  )
}
