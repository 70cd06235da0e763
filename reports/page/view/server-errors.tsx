import type { VNode } from 'preact'
import type { Report, ServerErrorKind } from '../../../schemas/types/report.ts'
import { counted, number } from '../model/words.ts'
import { Body, Twins } from './exchange.tsx'
import { Part } from './parts.tsx'
import { Text } from './text.tsx'

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
