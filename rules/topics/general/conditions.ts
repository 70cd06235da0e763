import { probes } from '../../../schemas/intents.ts'
import type { Judgement } from '../../core/judgement.ts'
import { recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { about } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import type { ProbeVerdict } from './probes.ts'

/** What has to be refused by operations whose paths only a binding knows. */
interface Condition {
  readonly requirement: string
  readonly operations: readonly string[]
  /** what the request asks for that has to be refused; undefined: it does not, and nothing is judged */
  asks(view: ExchangeView): string | undefined
  /** whether a request that was accepted did what has to be refused; undefined: the answer does not say */
  done(view: ExchangeView): boolean | undefined
}

const LONGEST_KEY_NAME = 30

const CONDITIONS: Readonly<Record<string, Condition>> = {
  [probes.longKeyName]: {
    requirement: 'KEY-NAME-REFUSED',
    operations: ['create-enterprise-key'],
    asks(view) {
      const body = jsonOf(view.request)
      const name = isRecord(body) ? body.name : undefined
      // Blanks at the ends, and the form of letters with marks, may be put right before a name is counted.
      const length = typeof name === 'string' ? [...name.trim().normalize('NFC')].length : 0
      return length > LONGEST_KEY_NAME ? `a key with a name of ${length} characters` : undefined
    },
    done: () => true,
  },
  [probes.serviceKey]: {
    requirement: 'AUTH-SERVICE-KEY-CLOSED',
    operations: ['create-key'],
    asks(view) {
      const body = jsonOf(view.request)
      const words = [...view.exchange.request.queryString.map(({ value }) => value), ...Object.values(body ?? {})]
      return words.includes('service') ? 'a service key' : undefined
    },
    done(view) {
      const type = recordIn(view)?.type
      return typeof type === 'string' ? type === 'service' : undefined
    },
  },
}

/** Statuses that speak of the caller, the way or the moment. */
const BESIDE_THE_POINT = new Set([401, 405, 413, 415, 429])
/** Statuses that speak of what was asked for. */
const TO_THE_POINT = new Set([400, 403, 409, 410, 422])

/** Something was asked for that has to be refused (sections 'Authentication' and 'Errors'), beside its accepted twin. */
export function judgeCondition(view: ExchangeView, probe: string = view.intent?.probe ?? ''): ProbeVerdict[] {
  const condition = Object.hasOwn(CONDITIONS, probe) ? CONDITIONS[probe] : undefined
  if (!condition?.operations.includes(view.operation?.id ?? '')) return []
  const asked = condition.asks(view)
  if (asked === undefined) return []
  const base = { ...about(view), requirement: condition.requirement, exchanges: [view.id], edge: asked }
  const say = (
    outcome: Judgement['outcome'],
    twin: ProbeVerdict['twin'],
    more: Partial<Judgement> = {},
  ): ProbeVerdict[] => [{ judgement: { ...base, outcome, ...more }, twin }]
  if (view.accepted) {
    const done = condition.done(view)
    if (done === undefined) return say('inconclusive', 'none')
    if (!done) return say('held', 'either', { side: 'refused' })
    const actual = `status ${view.status}, ${shown(recordIn(view)?.name ?? asked)}`
    return say('broken', 'either', { message: `${asked} is created`, expected: 'refused: not 2xx', actual })
  }
  if (!view.conclusive || view.status < 400 || view.status >= 500 || BESIDE_THE_POINT.has(view.status)) {
    return say('inconclusive', 'none')
  }
  return say('held', TO_THE_POINT.has(view.status) ? 'either' : 'both', { side: 'refused' })
}
