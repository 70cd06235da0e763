import type { Judgement } from '../../core/judgement.ts'
import { about, type Oracle } from '../../core/rule.ts'
import { shown } from '../../core/shown.ts'
import type { ExchangeView } from '../../core/view.ts'

/**
 * What a probe says about its requirement, if its twin is accepted.
 * twin 'either': an accepted twin before or after it is enough; 'both': before and after; 'none': it stands by itself.
 */
export interface ProbeVerdict {
  readonly judgement: Judgement
  readonly twin: 'either' | 'both' | 'none'
}

/** Starts a judgement about the requirement that the intent names. */
function aboutIntent(
  view: ExchangeView,
): Pick<Judgement, 'requirement' | 'operation' | 'caseId' | 'exchanges' | 'edge' | 'pointer'> {
  const { intent } = view
  return {
    ...about(view),
    requirement: intent?.requirement ?? '',
    exchanges: [view.id],
    ...(intent?.edge === undefined ? {} : { edge: intent.edge }),
    ...(intent?.pointer === undefined ? {} : { pointer: intent.pointer }),
  }
}

/** A good value that the text allows in full was sent: it is accepted, or refused for its own sake (400, 422). */
export function judgeAccept(view: ExchangeView, oracle: Oracle): ProbeVerdict[] {
  const base = aboutIntent(view)
  if (view.violations.length > 0) return [{ judgement: { ...base, outcome: 'discarded' }, twin: 'none' }]
  if (view.accepted) return [{ judgement: { ...base, outcome: 'held', side: 'accepted' }, twin: 'none' }]
  const blamed = view.status === 400 || view.status === 422
  if (!blamed || !view.conclusive) return [{ judgement: { ...base, outcome: 'inconclusive' }, twin: 'none' }]
  return [
    {
      twin: 'both',
      judgement: {
        ...base,
        outcome: 'broken',
        message: `a good value is refused (${view.intent?.edge ?? 'random'})`,
        expected: `accepted: ${oracle.ledger.get(base.requirement)?.text ?? base.requirement}`,
        actual: `status ${view.status}`,
      },
    },
  ]
}

/**
 * A value that breaks exactly one constraint was sent: it is refused, or accepted all the same. 400 and 422 speak of the
 * request's content; a 404, 405 or 413 can have other causes, so a twin has to be accepted before and after it. A server
 * error is neither of the two; where the text states a client error, one that stays is not what it states.
 */
export function judgeRefuse(view: ExchangeView, oracle: Oracle): ProbeVerdict[] {
  const base = aboutIntent(view)
  const also = view.intent?.data?.also
  const allowed = new Set([base.requirement, ...(Array.isArray(also) ? also : [])])
  const broken = view.violations.map(({ requirement }) => requirement ?? '')
  const exact = broken.includes(base.requirement) && broken.every((requirement) => allowed.has(requirement))
  if (!exact) return [{ judgement: { ...base, outcome: 'discarded' }, twin: 'none' }]
  const violation = view.violations.find(({ requirement }) => requirement === base.requirement)
  const value = shown(violation?.value)
  if (view.accepted) {
    return [
      {
        twin: 'either',
        judgement: {
          ...base,
          outcome: 'broken',
          message: `a value that the specification forbids is accepted (${view.intent?.edge ?? 'random'})`,
          expected: `refused: ${violation?.pointer ?? ''} ${violation?.message ?? ''}`,
          actual: `status ${view.status} for ${value}`,
        },
      },
    ]
  }
  const { status } = view
  const failed = status >= 500 && oracle.ledger.get(base.requirement)?.level !== 'stated'
  if (!view.conclusive || status === 401 || status === 403 || status < 400 || failed) {
    return [{ judgement: { ...base, outcome: 'inconclusive' }, twin: 'none' }]
  }
  if (status < 500) {
    const named = status === 400 || status === 422
    return [{ judgement: { ...base, outcome: 'held', side: 'refused' }, twin: named ? 'either' : 'both' }]
  }
  return [
    {
      twin: 'both',
      judgement: {
        ...base,
        outcome: 'broken',
        message: `a value that the specification forbids breaks the server (${view.intent?.edge ?? 'random'})`,
        expected: 'a client error: neither 2xx nor 5xx',
        actual: `status ${view.status} for ${value}`,
      },
    },
  ]
}

/**
 * Other credentials were sent with an otherwise good request. `intent.data.right`: whether the specification lets the
 * operation be carried out with them. Which status refuses is not stated, and some enterprise endpoints need a second key
 * (section 'Authentication').
 */
export function judgeAuth(view: ExchangeView): ProbeVerdict[] {
  const base = aboutIntent(view)
  const right = view.intent?.data?.right === true
  const labels = view.credentials.map(({ scheme, state }) => `${scheme} ${state}`).join(', ')
  if (!view.conclusive || view.status >= 500) return [{ judgement: { ...base, outcome: 'inconclusive' }, twin: 'none' }]
  if (right) {
    if (view.accepted) return [{ judgement: { ...base, outcome: 'held', side: 'accepted' }, twin: 'none' }]
    const needsMore = view.operation?.family === 'enterprise' && view.credentials.length < 2
    const named = view.status === 401 || view.status === 403
    if ((!named && view.status !== 400) || needsMore) {
      return [{ judgement: { ...base, outcome: 'inconclusive' }, twin: 'none' }]
    }
    return [
      {
        // A 400 may be about something else, unless the same request is carried out before and after it.
        twin: named ? 'either' : 'both',
        judgement: {
          ...base,
          outcome: 'broken',
          message: `credentials that the specification names are refused (${labels})`,
          expected: 'carried out',
          actual: `status ${view.status}`,
        },
      },
    ]
  }
  if (!view.accepted) return [{ judgement: { ...base, outcome: 'held', side: 'refused' }, twin: 'either' }]
  return [
    {
      twin: 'either',
      judgement: {
        ...base,
        outcome: 'broken',
        message: `a request without right credentials is carried out (${labels})`,
        expected: 'refused: not 2xx',
        actual: `status ${view.status}`,
      },
    },
  ]
}
