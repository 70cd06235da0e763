import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { textOfBody } from '../../schemas/body-text.ts'
import { isTooDeep } from '../../schemas/depth.ts'
import { jsonIn, repeatedField } from '../../schemas/json.ts'
import { createMatcher, type Matcher } from '../../schemas/matcher.ts'
import { type Operation, specifiedOperations } from '../../schemas/operations.ts'
import { at } from '../../schemas/pointer.ts'
import { operationRow } from '../../schemas/service.ts'
import type { Exchange, HarContent, NotUtf8 } from '../../schemas/types/exchange.ts'
import { pathOf } from '../../schemas/url.ts'
import type { Validator, Violation } from '../../schemas/validator.ts'
import { type FieldBinding, fieldBindings, requestViolations } from './request-rules.ts'
import { says } from './says.ts'
import type { Body, ExchangeView } from './view.ts'

/** What the oracle knows about the target. */
export interface Viewer {
  view(exchange: Exchange): ExchangeView
}

/** `basePath`: the path of the target's base URL, without a slash at its end. */
export function createViewer(binding: Binding, validator: Validator, basePath: string): Viewer {
  const specified = new Map(specifiedOperations().map((operation) => [operation.id, operation]))
  const match = matcherOf(binding)
  const bound: FieldBinding = fieldBindings(binding)

  const look: Look = {
    match,
    basePath,
    specified: (id) => specified.get(id),
    named: (id) => binding.operations.get(id),
    violations: (id, view) => requestViolations(operationRow(id), view, bound, validator),
  }
  return { view: (exchange) => new LazyView(exchange, look) }
}

function matcherOf(binding: Binding): Matcher<TargetOperation> {
  return createMatcher(binding.operations.values())
}

/** Says which operation a request is for, by its method and whole URL, as views do; undefined: none. */
export function operationFinder(
  binding: Binding,
  basePath: string,
): (method: string, url: string) => string | undefined {
  const match = matcherOf(binding)
  // Several ask about each request.
  let last: { readonly method: string; readonly url: string; readonly operation: string | undefined } | undefined
  return (method, url) => {
    if (last?.url === url && last.method === method) return last.operation
    last = { method, url, operation: match(method, pathOf(url, basePath))?.operation.id }
    return last.operation
  }
}

interface Look {
  readonly match: Matcher<TargetOperation>
  readonly basePath: string
  specified(id: string): Operation | undefined
  named(id: string): TargetOperation | undefined
  violations(id: string, view: ExchangeView): readonly Violation[]
}

/** A class, since there is one for every exchange: a literal with accessors is many times slower to make. */
class LazyView implements ExchangeView {
  readonly exchange: Exchange
  readonly id: ExchangeView['id']
  readonly operation: ExchangeView['operation']
  readonly specified: ExchangeView['specified']
  readonly params: ExchangeView['params']
  readonly intent: ExchangeView['intent']
  readonly credentials: ExchangeView['credentials']
  readonly status: ExchangeView['status']
  readonly accepted: ExchangeView['accepted']
  readonly conclusive: ExchangeView['conclusive']
  readonly responseHeaders: ExchangeView['responseHeaders']
  // not #private: a view can be the prototype of one that differs from it in a few fields
  private readonly look: Look
  private knownRequest: Body | undefined
  private knownResponse: Body | undefined
  private knownViolations: readonly Violation[] | undefined

  constructor(exchange: Exchange, look: Look) {
    const { request, response } = exchange
    const found = look.match(request.method, pathOf(request.url, look.basePath))
    const complete = exchange._outcome === 'complete'
    this.exchange = exchange
    this.id = exchange._id
    this.operation = found && meant(exchange, found.operation, look)
    this.specified = this.operation && look.specified(this.operation.id)
    this.params = found?.params ?? {}
    this.intent = exchange._intent
    this.credentials = exchange._credentials ?? []
    this.status = response.status
    this.accepted = complete && response.status >= 200 && response.status < 300
    this.conclusive = complete && !says(response, 'moment')
    this.responseHeaders = response.headers
    this.look = look
  }

  get request(): Body {
    this.knownRequest ??= requestBody(this.exchange, this.operation?.within)
    return this.knownRequest
  }

  get response(): Body {
    this.knownResponse ??= parseBody(this.exchange.response.content)
    return this.knownResponse
  }

  get violations(): readonly Violation[] {
    this.knownViolations ??= this.operation ? this.look.violations(this.operation.id, this) : []
    return this.knownViolations
  }
}

/** Where a binding calls two operations alike, a case knows which of the two it called: nothing of the request tells. */
function meant({ _case, _operation }: Exchange, found: TargetOperation, look: Look): TargetOperation {
  if (_case === undefined || _operation === undefined || _operation === found.id) return found
  const other = look.named(_operation)
  return other?.method === found.method && other.path === found.path ? other : found
}

/** If a body names a field twice, nobody knows which of the two was taken (RFC 8259, section 4). */
function requestBody({ request: { postData }, _case }: Exchange, within: string | undefined): Body {
  // How a target reads another coding is open.
  const whole: Body = postData?._notUtf8?.coding === undefined ? parseBody(postData) : { kind: 'cut' }
  const inner = within === undefined || whole.kind !== 'json' ? undefined : at(whole.value, `/${within}`)
  const body: Body = inner === undefined ? whole : { kind: 'json', value: inner }
  const isTwice = whole.kind === 'json' && _case === undefined && repeatedField(postData?.text ?? '') !== undefined
  return isTwice ? { kind: 'cut' } : body
}

/** Beginnings of bodies tell nothing, but where a byte in them is no text in UTF-8: then the whole is no JSON either. */
function parseBody(body: Pick<HarContent, 'text' | 'encoding' | '_cut' | '_notUtf8'> | undefined): Body {
  if (body?.text === undefined || body.text === '') return body?._cut === true ? { kind: 'cut' } : { kind: 'none' }
  const text = textOfBody(body)
  const rest: Body = body._cut === true ? { kind: 'cut' } : { kind: 'other', text: text ?? body.text }
  if (text === undefined) return body._notUtf8 === undefined ? rest : unreadable(body._notUtf8, body.text)
  if (isTooDeep(text)) return { kind: 'cut' }
  // A byte order mark in front is nothing that has to be refused (RFC 8259, section 8.1).
  const value = jsonIn(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  return value === undefined ? rest : { kind: 'json', value }
}

/** In a coding that is named, and that nobody here knows, a body may hold anything. */
function unreadable({ coding }: NotUtf8, text: string): Body {
  return coding === undefined ? { kind: 'other', text } : { kind: 'cut' }
}
