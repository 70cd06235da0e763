import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { RequirementResult } from '../../../schemas/types/report.ts'
import { number } from '../../counted.ts'
import { type BrokenExchange, brokenExchanges } from '../model/broken-exchanges.ts'
import { duration } from '../model/words.ts'
import { Answer, Body, RequestLine } from './exchange.tsx'
import { Part, useFirst, VerdictMark } from './parts.tsx'
import { Text } from './text.tsx'

const SHOWN = 20

/** Of recorded traffic: the exchanges in which something is broken, each with all that it breaks. */
export function BrokenExchanges({
  results,
  printing,
}: {
  readonly results: readonly RequirementResult[]
  readonly printing: boolean
}): VNode | null {
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
          <One key={one.exchange.id} one={one} printing={printing} />
        ))}
      </ul>
      {more}
    </Part>
  )
}

function One({ one, printing }: { readonly one: BrokenExchange; readonly printing: boolean }): VNode {
  const { exchange, breaks } = one
  const [open, setOpen] = useState(false)
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
        <details class="rest" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>Sent and answered</summary>
          {open && (
            <div class="finding">
              <Body title="Sent" text={exchange.requestBody} />
              <Body title="Answered" text={exchange.responseBody} />
            </div>
          )}
        </details>
      )}
    </li>
  )
}
