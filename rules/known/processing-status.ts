import { isDeepStrictEqual } from 'node:util'
import type { Binding } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import { isOneOf, readerOf } from '../core/reads.ts'
import { isRecord } from '../core/request-rules.ts'
import { type ExchangeView, jsonOf, leftAlone } from '../core/view.ts'
import { doubtOf } from './doubt.ts'
import type { Part } from './part.ts'

export const SWITCHING = 'update-processing-status'

/** What is known of whether one pipeline is enabled: in the target's words, which do not matter. */
export interface KnownStatus {
  /** the newest accepted switch; its body as JSON where the binding names it, else undefined: nobody knows what it did */
  write: { readonly sent: string | undefined; readonly exchange: string; readonly at: number }
  /** body sent -> the status that was read after it, and the exchanges */
  readonly after: Map<string, { readonly value: unknown; readonly exchanges: readonly string[] }>
  /** each status that was ever read, as JSON, and the first exchange that showed it */
  readonly states: Map<string, string>
}

const MOST_STATES = 10
const operations = (binding: Binding): (string | undefined)[] => [SWITCHING, readerOf(binding, 'pipeline', 'read')]
const isConcerned = isOneOf(operations)

export const processingStatus: Part<KnownStatus> = {
  name: 'processing status',
  bound: 10_000,
  others: 'all',
  operations,
  key: (view, { binding }) => (isConcerned(view, binding) ? view.params.pipeline_id : undefined),
  init: () => ({ write: { sent: undefined, exchange: '', at: 0 }, after: new Map(), states: new Map() }),
  knowsNothing: ({ write, states }) => write.sent === undefined && states.size === 0,
  learn(known, view, oracle) {
    if (view.operation?.id === SWITCHING) {
      if (leftAlone(view)) return
      // Only the two bodies that the binding names are known to switch; what another one does is not stated.
      const bodies = oracle.binding.answers.get('GAP-PROCESSING-STATUS-BODY')?.value
      const body = jsonOf(view.request)
      const isNamed = isRecord(bodies) && [bodies.enabled, bodies.disabled].some((one) => isDeepStrictEqual(one, body))
      const sent = view.accepted && isNamed ? JSON.stringify(body) : undefined
      known.write = { sent, exchange: view.id, at: view.exchange._end }
      return
    }
    const value = statusIn(view)
    if (value === undefined) return
    const { write, after, states } = known
    const name = JSON.stringify(value)
    if (isState(value) && states.size < MOST_STATES && !states.has(name)) states.set(name, view.id)
    if (write.sent !== undefined && doubtOf(view, write.at, oracle) === undefined)
      after.set(write.sent, { value, exchanges: [write.exchange, view.id] })
  },
}

/** The status that a read shows. An object may hold more than it, such as since when it is so: that it differs says nothing. */
export function statusIn(view: ExchangeView): unknown {
  const pointer = view.operation?.answer.processing_status
  const value = pointer === undefined || !view.accepted ? undefined : at(jsonOf(view.response), pointer)
  return isRecord(value) ? undefined : value
}

/** Nothing is no state. */
export function isState(value: unknown): boolean {
  return value !== null && value !== ''
}
