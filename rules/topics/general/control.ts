import { given } from '../../../schemas/binding.ts'
import { at } from '../../../schemas/pointer.ts'
import { operationRow } from '../../../schemas/service.ts'
import { broken, type Claim, held, unclear, untaken } from '../../core/judgement.ts'
import { claimOf, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { type Verdict, verdicts } from '../../known/controls.ts'
import { judgeProvoked } from './provoked.ts'

/**
 * Judges requests that a run sent to see them accepted or refused. They have a good or a bad value of one field, other
 * credentials, or a condition of the error table (sections 'Errors' and 'Authentication'). The intent names the
 * requirement, of which the schemas have one for each constraint.
 */
export function judgeInput(view: ExchangeView, oracle: Oracle): readonly Verdict[] {
  switch (view.intent?.kind) {
    case 'accept':
      return judgeAccept(view, oracle)
    case 'refuse':
      return judgeRefuse(view, oracle)
    case 'auth':
      return judgeAuth(view)
    case 'provoke':
      return judgeProvoked(view, oracle)
    case 'base':
      return judgeTaken(view)
    default:
      return NONE
  }
}

const NONE: readonly Verdict[] = []

function intended(view: ExchangeView): Claim {
  const { requirement = '', edge, pointer } = view.intent ?? {}
  return claimOf(requirement, [view], given({ edge, pointer }))
}

/** The status tells nothing of what was tried. */
function undecided(view: ExchangeView, what: string): Verdict[] {
  const why = view.exchange._outcome === 'complete' ? `status ${view.status}` : 'a request without a complete response'
  return verdicts('none', unclear(intended(view), `not judged: ${why} says nothing of ${what}`))
}

/** Statuses that blame the content of a request. */
function blamesContent({ status }: ExchangeView): boolean {
  return status === 400 || status === 422
}

/** Statuses that blame what the request names: where two others beside it are found and free. */
function blamesNamed({ status }: ExchangeView, { pointer = '' }: Claim): boolean {
  return (status === 404 && pointer.startsWith('path:')) || (status === 409 && pointer.endsWith('_id'))
}

/** Why nothing follows from a good value that was not taken: see `untaken`. */
function notTaken(view: ExchangeView, claim: Claim): Verdict[] {
  const edge = claim.edge ?? 'random'
  const why = view.exchange._outcome === 'complete' ? `status ${view.status}` : 'no complete response'
  return verdicts('none', unclear(claim, `${untaken(edge)}${why}`))
}

/** schema of a body -> the requirement about its deploy types */
const DEPLOYED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['transform-update', 'source-update', 'node-create'].map((one) => [one, 'NODE-DEPLOY-TYPE-VALUES']),
  ),
  'group-from-pipeline': 'GROUP-DEPLOY-TYPE-VALUES',
  'group-placement': 'PLACEMENT-DEPLOY-TYPE-VALUES',
}

/** A good request that was carried out shows that its deploy type is taken: others may not fit its pipeline. */
function judgeTaken(view: ExchangeView): Verdict[] {
  const requirement = DEPLOYED[operationRow(view.operation?.id)?.request?.schema ?? '']
  const value = requirement === undefined ? undefined : at(jsonOf(view.request), '/deploy_type')
  if (requirement === undefined || typeof value !== 'string' || !view.accepted || view.violations.length > 0) return []
  return verdicts('none', held(claimOf(requirement, [view], { edge: `enum ${value}`, side: 'accepted' })))
}

/** Whether a value may be refused since what it stands in is another. In a pipeline of the same deploy type, a walk says so. */
function mayBeMisplaced({ pointer, edge }: Claim): boolean {
  return pointer === '/deploy_type' && edge?.startsWith('deploy_type: ') !== true
}

/** A good value that the text allows in full was sent: it is accepted, or refused for its own sake (400, 422). */
function judgeAccept(view: ExchangeView, oracle: Oracle): Verdict[] {
  const claim = intended(view)
  if (view.violations.length > 0) return verdicts('none', { ...claim, outcome: 'discarded' })
  if (view.accepted) return verdicts('none', held({ ...claim, side: 'accepted' }))
  const isBlamed = blamesContent(view) || blamesNamed(view, claim)
  if (!isBlamed || !view.conclusive || mayBeMisplaced(claim)) return notTaken(view, claim)
  return verdicts(
    'both',
    broken(claim, {
      message: `a good value is refused (${claim.edge ?? 'random'})`,
      expected: `accepted: ${oracle.ledger.get(claim.requirement)?.text ?? claim.requirement}`,
      actual: `status ${view.status}`,
    }),
  )
}

/**
 * A value that breaks exactly one constraint is refused, or wrongly accepted. 400 and 422 speak of the request's
 * content. A 404, 405 or 413 can have other causes, so a control has to be accepted before and after it. A server error
 * is neither of the two; where the text states a client error, one that stays is not what it states.
 */
function judgeRefuse(view: ExchangeView, oracle: Oracle): Verdict[] {
  const claim = intended(view)
  const { status } = view
  const also = view.intent?.data?.also
  const allowed = new Set<unknown>([claim.requirement, ...(Array.isArray(also) ? also : [])])
  const violation = view.violations.find(({ requirement }) => requirement === claim.requirement)
  if (!violation || view.violations.some(({ requirement }) => !allowed.has(requirement ?? ''))) {
    return verdicts('none', { ...claim, outcome: 'discarded' })
  }
  const edge = claim.edge ?? 'random'
  const actual = `status ${status} for ${shown(violation.value)}`
  if (view.accepted) {
    return verdicts(
      'either',
      broken(claim, {
        message: `a value that the specification forbids is accepted (${edge})`,
        expected: `refused: ${violation.pointer} ${violation.message}`,
        actual,
      }),
    )
  }
  const isOpen = status >= 500 && oracle.ledger.get(claim.requirement)?.level !== 'stated'
  if (!view.conclusive || status === 401 || status === 403 || status < 400 || isOpen)
    return undecided(view, 'the value')
  if (status < 500) return verdicts(blamesContent(view) ? 'either' : 'both', held({ ...claim, side: 'refused' }))
  return verdicts(
    'both',
    broken(claim, {
      message: `a value that the specification forbids breaks the server (${edge})`,
      expected: 'a client error: neither 2xx nor 5xx',
      actual,
    }),
  )
}

/**
 * Other credentials were sent with an otherwise good request. `intent.data.right`: whether the specification lets the
 * operation be carried out with them. The text does not name the status of the refusal, and some enterprise operations
 * need a second key (section 'Authentication').
 */
function judgeAuth(view: ExchangeView): Verdict[] {
  const claim = intended(view)
  const { accepted, status } = view
  const labels = view.credentials.map(({ scheme, state }) => `${scheme} ${state}`).join(', ')
  if (!view.conclusive || status >= 500) return undecided(view, 'the credentials')
  if (view.intent?.data?.right !== true) {
    if (!accepted) return verdicts('either', held({ ...claim, side: 'refused' }))
    const message = `a request without right credentials is carried out (${labels})`
    return verdicts('either', broken(claim, { message, expected: 'refused: not 2xx', actual: `status ${status}` }))
  }
  if (accepted) return verdicts('none', held({ ...claim, side: 'accepted' }))
  const needsMore = view.operation?.family === 'enterprise' && view.credentials.length < 2
  // Whatever else is not found, what an operation reads was there before and is there after.
  const hides = status === 404 && view.operation?.effect === 'read'
  if (!([400, 401, 403].includes(status) || hides) || needsMore) return undecided(view, 'the credentials')
  return verdicts(
    // It may be about something else, or of the moment, unless the same request is carried out before and after it.
    'both',
    broken(claim, {
      message: `credentials that the specification names are refused (${labels})`,
      expected: 'carried out',
      actual: `status ${status}`,
    }),
  )
}
