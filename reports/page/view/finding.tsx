import type { VNode } from 'preact'
import type { Finding, FindingLine } from '../../../schemas/types/report.ts'
import { diff, isRelated, type Piece } from '../model/diff.ts'
import { pathOf, sidesOf, timelineOf } from '../model/finding.ts'
import { Body, Pair, RequestLine } from './exchange.tsx'
import { Command } from './parts.tsx'
import { Marked, Text } from './text.tsx'
import { Walk } from './walk.tsx'

interface FindingProps {
  readonly finding: Finding
  /** the message stands above already */
  readonly first?: boolean
  /** only as much as fits on paper */
  readonly paper?: boolean
  readonly unclear: Readonly<Record<string, number>>
}

const ON_PAPER = 240

/** What is broken, the request that shows it, and how to see it again. */
export function FindingView({ finding, first = false, paper = false, unclear }: FindingProps): VNode {
  const { message, expected, actual } = finding
  const sides = sidesOf(finding)
  const { control, deciding } = sides
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
      {!first && (
        <p class="reason">
          <Text value={message} most={800} />
        </p>
      )}
      {(expected !== '' || actual !== '') && <Words expected={expected} actual={actual} paper={paper} />}
      {lines.length > 0 && <Lines finding={finding} lines={lines} />}
      {races && walk}
      {deciding && lines.length === 0 && <Pair control={control} deciding={deciding} paper={paper} />}
      {deciding && lines.length === 0 && !paper && deciding.responseBody !== '' && (
        <Body title="Its response" text={deciding.responseBody} />
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

function Words({
  expected,
  actual,
  paper,
}: {
  readonly expected: string
  readonly actual: string
  readonly paper: boolean
}): VNode {
  const marks = diff(expected, actual)
  const related = isRelated(marks)
  const side = (text: string, pieces: readonly Piece[], of: 'was' | 'is'): VNode | string => {
    if (text === '') return '–'
    if (paper && text.length > ON_PAPER) return <Text value={text} most={ON_PAPER} cut />
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

function Place({ finding }: { readonly finding: Finding }): VNode {
  return (
    <p class="place soft">
      {[finding.operation, finding.pointer, finding.edge]
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
          const begins = one.page !== undefined && one.page !== lines.findLast((_, at) => at < index)?.page
          const exchange = finding.exchanges.find(({ id }) => id === one.exchange)
          return (
            <li key={index} class={one.state}>
              {begins && exchange && !lines.slice(0, index).some(({ page }) => page === one.page) && (
                <p class="soft">
                  page {one.page}: <RequestLine exchange={{ ...exchange, url: pathOf(exchange.url) }} />
                </p>
              )}
              <code>
                <Text value={one.line} most={200} cut />
              </code>{' '}
              <strong>{STATES[one.state]}</strong>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
