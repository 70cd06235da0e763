import { setBounded } from '../../../schemas/bounded.ts'
import type { StatedError } from '../../../schemas/operations.ts'
import { at } from '../../../schemas/pointer.ts'
import type { ProbeName } from '../../../schemas/types/intents.ts'
import { broken, decide, held, type Judgement, unclear } from '../../core/judgement.ts'
import { recordIn } from '../../core/reads.ts'
import { isRecord } from '../../core/request-rules.ts'
import { claimOf, type ExchangeRule, type HistoryRule, type Oracle } from '../../core/rule.ts'
import { type ExchangeView, isTurnedDown, jsonOf } from '../../core/view.ts'
import { shown } from '../../core/words.ts'
import { type Verdict, verdicts } from '../../known/controls.ts'
import { judgeBody } from './body.ts'
import { judgeOpen } from './success.ts'

/** Statuses that say something about the caller, the way or the moment, and not about what was provoked. */
const BESIDE_THE_POINT = {
  stated: new Set([401, 403, 405, 413, 415]),
  odd: new Set([401, 403, 405, 408, 413, 414, 415, 431]),
  condition: new Set([401, 405, 413, 415, 429]),
  code: new Set([401, 403, 405, 408, 413, 415, 429]),
}

/**
 * A condition that has to be refused was brought about (section 'Errors'). It is one of the error table, also for an id
 * of an unusual form. Or its operation has a path that only a binding knows.
 */
export function judgeProvoked(view: ExchangeView, oracle: Oracle): Verdict[] {
  const { probe, data } = view.intent ?? {}
  const statedFor = (wanted: unknown): StatedError | undefined =>
    view.specified?.errors.find(({ condition }) => condition === wanted)
  if (probe === 'odd-id') return judgeOdd(view, statedFor(data?.condition)?.refusedRequirement)
  const stated = statedFor(probe)
  if (!stated) return probe === undefined ? [] : judgeCondition(view, probe)
  if (!blamesCaller(view, stated)) return judgeStated(view, stated, oracle)
  // The caller may do it: the same request was carried out for others with the same credentials, before and after it.
  return verdicts('both', ...judgeAnswered(view, stated, oracle))
}

/** Whether a refusal blames the caller, with a code of its own, where the text has another code for the condition. */
function blamesCaller(view: ExchangeView, { code }: StatedError): boolean {
  if (!view.conclusive || (view.status !== 401 && view.status !== 403) || code === undefined) return false
  const told = codeIn(view)
  return typeof told === 'string' && told !== code
}

function codeIn({ response }: ExchangeView): unknown {
  return at(jsonOf(response), '/code')
}

/** What an answer says about an error of the table whose condition is met: refused, with the stated code and shape. */
export function judgeStated(view: ExchangeView, stated: StatedError, oracle: Oracle): Verdict[] {
  const { status } = view
  const { refusedRequirement, codeRequirement, bodyStatusRequirement, condition, code } = stated
  if (!view.conclusive) return []
  // Which status an error has is mostly not shown; one that carries the code of this condition is about it.
  if (BESIDE_THE_POINT.stated.has(status) && (code === undefined || codeIn(view) !== code)) {
    const why = `not judged: status ${status} may be about the caller or the way`
    const all = [refusedRequirement, codeRequirement, bodyStatusRequirement].filter((one) => one !== undefined)
    return verdicts(
      'either',
      ...all.map((requirement) => unclear(claimOf(requirement, [view], { edge: condition }), why)),
    )
  }
  if (!view.accepted && status < 500) {
    return status < 400 ? [] : verdicts('either', ...judgeAnswered(view, stated, oracle))
  }
  if (refusedRequirement === undefined) return []
  return verdicts(
    'either',
    broken(claimOf(refusedRequirement, [view], { edge: condition }), {
      message: `the condition '${condition}' is not refused`,
      expected: 'an error response: neither 2xx nor 5xx',
      actual: `status ${status}`,
    }),
  )
}

/** The status and the body of a refusal. */
function judgeAnswered(view: ExchangeView, stated: StatedError, oracle: Oracle): Judgement[] {
  const body = jsonOf(view.response)
  const code = codeIn(view)
  const compare = (requirement: string | undefined, what: string, expected: unknown, actual: unknown): Judgement[] => {
    if (requirement === undefined || expected === undefined) return []
    const message = `the error response's ${what} is not the stated one`
    const fault = { message, expected: shown(expected), actual: shown(actual) }
    return [
      decide(
        claimOf(requirement, [view], { edge: stated.condition }),
        expected === actual ? undefined : fault,
        undefined,
      ),
    ]
  }
  const refused = stated.refusedRequirement
  return [
    ...(refused === undefined
      ? []
      : [held({ ...claimOf(refused, [view], { edge: stated.condition }), side: 'refused' as const })]),
    ...compare(stated.statusRequirement, 'status', stated.status, view.status),
    ...judgeBody(view, stated.schema, stated.bodyRequirement, oracle),
    ...(typeof code === 'string' ? compare(stated.codeRequirement, '/code', stated.code, code) : []),
    ...(body === undefined
      ? []
      : compare(stated.bodyStatusRequirement, '/status', stated.bodyStatus, at(body, '/status'))),
  ]
}

const MOST_CODES = 1_000

/**
 * ERROR-BODY-CODE-UNIQUE: `code` is unique for the kind of error (section 'Error response'). A thing that is missing, one
 * that is in the way and a mistake in the request have different codes, in all operations.
 */
export const codesRule: HistoryRule<Map<string, ExchangeView>> = {
  name: 'two kinds of error have two codes',
  bound: 1,
  intended: true,
  timeless: true,
  acrossCases: true,
  key: (view) => (kindOf(view) === undefined || toldCode(view) === undefined ? undefined : 'codes'),
  init: () => new Map(),
  step(seen, view) {
    const [kind, code, place] = [kindOf(view), toldCode(view), view.exchange._case]
    const others = [...seen.values()].filter((one) => kindOf(one) !== kind)
    const same = others.find((one) => toldCode(one) === code)
    // Of other cases only what is wrong counts: which of them went before is chance.
    const first = same ?? others.find(({ exchange }) => exchange._case === place)
    for (const key of [`${kind} ${code}`, `${place} ${kind}`]) {
      seen.delete(key)
      setBounded(seen, key, view, MOST_CODES)
    }
    if (!first) return { state: seen, judgements: [] }
    const message = `two kinds of error have the same code: ${inWords(first)}, and ${inWords(view)}`
    const fault = same && {
      pointer: '/code',
      message,
      expected: `another code than ${shown(code)}`,
      actual: shown(code),
    }
    return { state: seen, judgements: [decide(claimOf('ERROR-BODY-CODE-UNIQUE', [first, view]), fault)] }
  },
  end: () => [],
}

/** What an error is about, named by the code that the text has for it; undefined: the text does not tell. */
function kindOf({ intent, specified, status }: ExchangeView): string | undefined {
  if (specified?.family === 'v3') return undefined
  if (intent?.kind === 'refuse') return status === 400 || status === 422 ? 'BadRequest' : undefined
  const stated = specified?.errors.find(({ condition }) => intent?.kind === 'provoke' && condition === intent.probe)
  return stated && (stated.code ?? 'NotFound')
}

function inWords({ intent, operation }: ExchangeView): string {
  return `${intent?.probe ?? 'a bad value'} of ${operation?.id}`
}

/** The code of a refusal that speaks of the condition. */
function toldCode(view: ExchangeView): string | undefined {
  const isAbout = isTurnedDown(view) && !BESIDE_THE_POINT.code.has(view.status)
  const code = isAbout ? codeIn(view) : undefined
  return typeof code === 'string' ? code : undefined
}

/**
 * Something is named that does not exist, by an id of an unusual form: that it is refused is stated whatever the form.
 * The kind of error is not judged. Something on the way may refuse such a path by itself, and a target that checks the
 * form first may say something else.
 */
function judgeOdd(view: ExchangeView, requirement: string | undefined): Verdict[] {
  if (requirement === undefined || !view.conclusive) return []
  const claim = claimOf(requirement, [view], { edge: view.intent?.edge ?? 'odd-id' })
  // Other server errors may be those of what stands between.
  if (view.accepted || view.status === 500) {
    return verdicts(
      'either',
      broken(claim, {
        message: `a request for something that does not exist is not refused (${claim.edge})`,
        expected: 'an error response: neither 2xx nor 5xx',
        actual: `status ${view.status} for ${shown(Object.values(view.params)[0])}`,
      }),
    )
  }
  if (view.status < 400 || view.status > 500 || BESIDE_THE_POINT.odd.has(view.status)) return []
  return verdicts('either', held({ ...claim, side: 'refused' }))
}

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

const CONDITIONS: Readonly<Partial<Record<ProbeName, Condition>>> = {
  'key-name-too-long': {
    requirement: 'KEY-NAME-REFUSED',
    operations: ['create-enterprise-key', 'update-enterprise-key'],
    asks(view) {
      const name = at(jsonOf(view.request), '/name')
      // Blanks at the ends, and the form of letters with marks, may be put right before a name is counted.
      const length = typeof name === 'string' ? [...name.trim().normalize('NFC')].length : 0
      return length > LONGEST_KEY_NAME ? `a key with a name of ${length} characters` : undefined
    },
    done: () => true,
  },
  'service-key': {
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

/** The response does not say whether what was asked for was made: which word asked for it, and where the type would stand. */
function untold(view: ExchangeView): string {
  const inQuery = view.exchange.request.queryString.find(({ value }) => value === 'service')
  const inBody = Object.entries(jsonOf(view.request) ?? {}).find(([, value]) => value === 'service')
  const word = inQuery ? `?${inQuery.name}=service` : `${inBody?.[0]}: "service"`
  const { id } = view.operation ?? {}
  const sample = `operations.${id}.${inQuery ? 'query' : 'body'}`
  return `${id} was sent \`${word}\` (${sample}), and the response shows no type: set \`operations.${id}.fields.type\``
}

/** Statuses that speak of what was asked for. */
const TO_THE_POINT = new Set([400, 403, 409, 410, 422])

/** Something was asked for that has to be refused (sections 'Authentication' and 'Errors'). */
export function judgeCondition(view: ExchangeView, probe: ProbeName): Verdict[] {
  const condition = Object.hasOwn(CONDITIONS, probe) ? CONDITIONS[probe] : undefined
  const asked = condition?.operations.includes(view.operation?.id ?? '') ? condition.asks(view) : undefined
  if (!condition || asked === undefined) return []
  const claim = claimOf(condition.requirement, [view], { edge: asked })
  const { status } = view
  if (view.accepted) {
    const done = condition.done(view)
    if (done === undefined) return verdicts('none', unclear(claim, `not judged: ${untold(view)}`))
    if (!done) return verdicts('either', held({ ...claim, side: 'refused' }))
    const actual = `status ${status}, ${shown(recordIn(view)?.name ?? asked)}`
    return verdicts('either', broken(claim, { message: `${asked} is created`, expected: 'refused: not 2xx', actual }))
  }
  if (!view.conclusive || status < 400 || status >= 500 || BESIDE_THE_POINT.condition.has(status)) {
    return verdicts('none', unclear(claim, `not judged: status ${status} says nothing of what was asked for`))
  }
  return verdicts(TO_THE_POINT.has(status) ? 'either' : 'both', held({ ...claim, side: 'refused' }))
}

/** Statuses of the application itself, about what was asked for: gateways speak for themselves. */
const OWN = new Set([400, 409, 422])

/**
 * The body of an error is JSON, if there is one (preamble). Under /v1 it has `error` and `code`, and `status` only with the
 * value `error` (section 'Errors'), also where the table names no error. Errors of deleting exclusion rules have rules of their
 * own. So have those of the table, and ids that whatever stands before the service may not let through.
 */
export const errorShapeRule: ExchangeRule = {
  name: 'error shape',
  operations: 'specified',
  judge(view) {
    const { specified, status, intent, response } = view
    if (!OWN.has(status) || !view.conclusive || specified === undefined) return []
    const isOdd = intent?.probe === 'odd-id' || intent?.pointer?.startsWith('path:') === true
    if (!isOdd && response.kind !== 'json') return judgeOpen(view)
    if (specified.family === 'v3' || specified.id === 'delete-exclusion' || intent?.kind === 'provoke') return []
    const body = jsonOf(view.response)
    if (!isRecord(body)) return []
    const isThere = (name: string): boolean => typeof body[name] === 'string' && String(body[name]).trim() !== ''
    const missing = ['error', 'code'].filter((name) => !isThere(name))
    if (body.status !== undefined && body.status !== 'error') missing.push('status')
    const fault = {
      message: 'an error has not the fields of the error response',
      expected: '`error` and `code`, each a text; `status`, if it is there, is `error`',
      actual: `${missing.join(' and ')} missing or otherwise in ${shown(body)}`,
    }
    return [decide(claimOf('ERROR-BODY-SHAPE', [view]), missing.length === 0 ? undefined : fault)]
  },
}
