import { at } from '../../../schemas/pointer.ts'
import type { Judgement } from '../../core/judgement.ts'
import { about, type ExchangeRule } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'

const GRACE_SECONDS = 10

/** A tap returns at most `limit` events and gives up after `timeout` seconds (operation rule 4). */
export const tapRule: ExchangeRule = {
  name: 'tap',
  operations: ['start-tap'],
  judge(view) {
    if (view.operation?.id !== 'start-tap' || !view.accepted || view.violations.length > 0) return []
    const request = jsonOf(view.request)
    const events = tappedEvents(view)
    const limit = at(request, '/limit')
    const timeout = at(request, '/timeout')
    const judged: Judgement[] = []
    if (at(request, '/edge_id') === undefined) {
      judged.push({ ...about(view), requirement: 'TAP-EDGE-OPTIONAL', outcome: 'held', exchanges: [view.id] })
    }
    if (events && typeof limit === 'number') judged.push(judgeLimit(view, events.length, limit))
    if (typeof timeout === 'number') judged.push(...judgeTimeout(view, timeout, events?.length, limit))
    return judged
  },
}

/** The events in a tap's answer; undefined where the binding does not say where they are. */
export function tappedEvents(view: ExchangeView): readonly unknown[] | undefined {
  const pointer = view.operation?.answer.events
  const events = pointer === undefined ? undefined : at(jsonOf(view.response), pointer)
  return Array.isArray(events) ? events : undefined
}

function judgeLimit(view: ExchangeView, count: number, limit: number): Judgement {
  const base = { ...about(view), requirement: 'TAP-LIMIT', edge: `limit ${limit}`, exchanges: [view.id] }
  if (count <= limit) return { ...base, outcome: 'held' }
  return {
    ...base,
    outcome: 'broken',
    message: 'a tap returns more events than were asked for',
    expected: `at most ${limit} events`,
    actual: `${count} events`,
  }
}

/** Only a tap that did not find all its events shows that it gives up. */
function judgeTimeout(view: ExchangeView, timeout: number, count: number | undefined, limit: unknown): Judgement[] {
  const base = { ...about(view), requirement: 'TAP-TIMEOUT', edge: `timeout ${timeout}`, exchanges: [view.id] }
  // While whoever measured stood still, an answer may have waited for it.
  const seconds = (view.exchange.time - (view.exchange._stalled ?? 0)) / 1000
  if (seconds > timeout + GRACE_SECONDS) {
    return [
      {
        ...base,
        outcome: 'broken',
        message: 'a tap does not give up',
        expected: `an answer within ${timeout} seconds, and ${GRACE_SECONDS} of grace`,
        actual: `an answer after ${seconds.toFixed(1)} seconds`,
      },
    ]
  }
  return count !== undefined && typeof limit === 'number' && count < limit ? [{ ...base, outcome: 'held' }] : []
}
