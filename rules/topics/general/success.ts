import { type OperationRow, operationRow, operationsWhere } from '../../../schemas/service.ts'
import { broken, type Fault, type Judgement, unclear } from '../../core/judgement.ts'
import { about, type ExchangeRule } from '../../core/rule.ts'
import { asksForOther, badByteInWords, departureInWords, type ExchangeView, exportOf } from '../../core/view.ts'
import { judgeBody } from './body.ts'

/**
 * A good request that was carried out gets the status and the body of the table in section 'Endpoints'. Requests of a run that
 * break a rule themselves are not looked at: their acceptance is another rule's matter. Clients whose requests depart from the
 * text get a body or none all the same: that does not rest on the request.
 */
export const successRule: ExchangeRule = {
  name: 'success',
  operations: 'specified',
  judge(view, oracle) {
    const { specified } = view
    if (!specified || !view.accepted) return []
    // Whether the request was good is not known; a part is what its sender asked for.
    if (view.request.kind === 'cut' || view.status === 206) return []
    const departs = departureInWords(view)
    if (departs !== undefined && view.exchange._case !== undefined) return []
    const { response } = specified
    const judged: Judgement[] = [
      departs === undefined
        ? judgeStatus(view, response.status, response.statusRequirement)
        : unclear(
            { ...about(view), requirement: response.statusRequirement, exchanges: [view.id] },
            `not judged: ${departs}`,
          ),
    ]
    if (departs !== undefined && view.request.kind !== 'json') return judged
    if (response.body === 'open') judged.push(...judgeOpen(view))
    judged.push(...judgeDeclared(view))
    if (response.bodyRequirement === undefined) return judged
    if (response.body === 'none') judged.push(judgeEmpty(view, response.bodyRequirement))
    if (response.body === 'schema' && response.schema !== undefined) {
      judged.push(...judgeBody(view, response.schema, response.bodyRequirement, oracle))
    }
    return judged
  },
}

/** Whether a body that only a binding describes is text in UTF-8, as all JSON is (RFC 8259, section 8.1). */
export const codingRule: ExchangeRule = {
  name: 'bodies are UTF-8',
  operations: operationsWhere(({ path }) => path === undefined),
  judge(view) {
    const { _notUtf8: bad } = view.exchange.response.content
    if (!bad || !view.accepted || view.specified || asksForOther(view) || exportOf(view) !== undefined) return []
    return bad.coding === undefined ? judgeOpen(view) : judgeDeclared(view)
  },
}

/** Parts of the service that are neither configuration, usage nor keys: no sentence says where their paths start. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['export-v1', 'exclusions', 'exclusion-removal', 'suspension', 'archiving', 'boards'],
])

/** What the paths of an operation start with, and which requirement says so (section 'Versioning'). */
function versionOf({ family, feature }: OperationRow): readonly [start: string, requirement: string] | undefined {
  if (family === 'v3') return ['/v3/', 'VERSION-V3-PATHS']
  if (family !== 'v1' && family !== 'enterprise') return undefined
  return ELSEWHERE.has(feature) ? undefined : ['/v1/', 'VERSION-V1-PATHS']
}

/** Where an operation is carried out, whatever the binding says (section 'Versioning'). */
export const versionsRule: ExchangeRule = {
  name: 'paths start with the version',
  operations: operationsWhere(versionOf),
  judge(view) {
    const row = operationRow(view.operation?.id)
    const [start, requirement] = (row && versionOf(row)) ?? []
    const asked = view.intent === undefined || view.intent.kind === 'base'
    if (start === undefined || requirement === undefined || !asked || !view.accepted) return []
    const path = view.operation?.path ?? ''
    // Traffic goes where its clients know the service to be: that proves nothing.
    if (`${path}/`.startsWith(start)) return view.intent === undefined ? [] : [held(view, requirement)]
    const message = 'an operation is carried out at a path that does not start with its version'
    return [wrong(view, requirement, { message, expected: `a path that starts with ${start}`, actual: path })]
  },
}

function judgeStatus(view: ExchangeView, status: 200 | 'success', requirement: string): Judgement {
  if (status === 'success' || view.status === status) return held(view, requirement)
  const message = `a successful request does not get ${status}`
  return wrong(view, requirement, { message, expected: `status ${status}`, actual: `status ${view.status}` })
}

/** Written field by field: this judgement is the most frequent one, and copies of objects are slow. */
function held(view: ExchangeView, requirement: string): Judgement {
  const { operation, caseId } = about(view)
  return { operation, caseId, requirement, exchanges: [view.id], outcome: 'held' }
}

function wrong(view: ExchangeView, requirement: string, fault: Fault): Judgement {
  return broken({ ...about(view), requirement, exchanges: [view.id] }, fault)
}

/** A body that is not shown is JSON, if there is one (preamble: bodies are JSON unless stated). */
export function judgeOpen(view: ExchangeView): Judgement[] {
  if (view.response.kind === 'none' || view.response.kind === 'cut') return []
  const { mimeType, text = '', _notUtf8: bad } = view.exchange.response.content
  // A sender must not add a byte order mark (RFC 8259, section 8.1).
  const isMarked = text.charCodeAt(0) === 0xfeff
  if (view.response.kind === 'json' && !isMarked) return [held(view, 'BODY-JSON')]
  if (asksForOther(view)) return []
  const actual = isMarked ? 'a byte order mark before the body' : bad ? badByteInWords(bad) : mimeType
  const message = 'the response has a body that is not JSON'
  return [wrong(view, 'BODY-JSON', { message, expected: 'JSON, or no body', actual })]
}

const OTHER_FORM = /^\s*(text\/html|application\/xhtml\+xml|(text|application)\/xml)\b/i

/**
 * How JSON is declared is not stated; HTML and XML are something else, and so a client may not read it at all. A coding that
 * is named can be read, and is not UTF-8 all the same (RFC 8259, section 8.1).
 */
export function judgeDeclared(view: ExchangeView): Judgement[] {
  const { mimeType, _notUtf8: bad } = view.exchange.response.content
  if (bad?.coding !== undefined) {
    const fault = {
      message: 'a JSON body is in another coding',
      expected: 'UTF-8',
      actual: `${bad.coding}: ${badByteInWords(bad)}`,
    }
    return [wrong(view, 'BODY-JSON-DECLARED', fault)]
  }
  if (view.response.kind !== 'json') return []
  if (mimeType === 'application/json' || !OTHER_FORM.test(mimeType)) return [held(view, 'BODY-JSON-DECLARED')]
  const expected = 'application/json, or another media type that JSON can have'
  const fault = { message: 'a JSON body is declared as something else', expected, actual: mimeType }
  return [wrong(view, 'BODY-JSON-DECLARED', fault)]
}

function judgeEmpty(view: ExchangeView, requirement: string): Judgement {
  if (view.response.kind === 'none') return held(view, requirement)
  const actual = `a body of ${view.exchange.response.content.size} bytes`
  return wrong(view, requirement, {
    message: 'the response has a body where none belongs',
    expected: 'no body',
    actual,
  })
}
