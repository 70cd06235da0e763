import type { Binding } from '../../schemas/binding.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { isRecord } from '../core/request-rules.ts'
import { type ExchangeView, isKnownParameter, leftAlone } from '../core/view.ts'

const NOTHING: readonly string[] = []
const CREDENTIALS = new Set(['authorization', 'servicekey', 'enterprise-servicekey', 'apikey'])

/** One exchange of traffic: what several rules want to know of it, worked out once, when it is first asked for. */
export class TrafficExchange {
  readonly view: ExchangeView
  /** whose exchange it is; see `clientsUnder` */
  readonly client: string
  readonly isOfUnknownOperation: boolean
  /** something that is broken was seen at it, which is not certain yet */
  waits: boolean = false
  private knownPartial: boolean | undefined
  private knownIds: readonly string[] | undefined
  private knownUnknown: ExchangeView | undefined

  /** `isOfUnknownOperation`: no operation is known for it, and the view is about what it may have changed */
  constructor(view: ExchangeView, client: string, isOfUnknownOperation: boolean = false) {
    this.isOfUnknownOperation = isOfUnknownOperation
    this.view = view
    this.client = client
  }

  get isRead(): boolean {
    return this.view.operation?.effect === 'read' || this.view.exchange.request.method === 'GET'
  }

  /** Whether an answer may show something else than what stands there now: a part, another version, or an old copy. */
  get isPartial(): boolean {
    this.knownPartial ??= isPartial(this.view)
    return this.knownPartial
  }

  /** Whether it may only have been tried, as an unknown parameter may say. */
  get isTried(): boolean {
    return isTried(this.view)
  }

  /** Whether it surely changed nothing. */
  get isHarmless(): boolean {
    return leftAlone(this.view)
  }

  /** What its path names, the outermost first. */
  get ids(): readonly string[] {
    this.knownIds ??= idsIn(this.view.params)
    return this.knownIds
  }

  /** The same request, with an unknown outcome. */
  get withUnknownOutcome(): ExchangeView {
    this.knownUnknown ??= new UnknownOutcome(this.view)
    return this.knownUnknown
  }
}

const MOST_KNOWN = 10_000
let knownIds = new Map<string, readonly string[]>()

/** The same list for the same ids, as far as they are remembered: lists are kept for every request that was under way. */
function idsIn(params: Readonly<Record<string, string>>): readonly string[] {
  const ids = Object.values(params)
  const last = ids.at(-1)
  if (last === undefined) return NOTHING
  // The innermost id is hardly ever the same where the others differ: no key has to be put together.
  const known = knownIds.get(last)
  if (known && isSame(known, ids)) return known
  if (knownIds.size >= MOST_KNOWN) knownIds = new Map()
  knownIds.set(last, ids)
  return ids
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let index = 0; index < some.length; index += 1) if (some[index] !== others[index]) return false
  return true
}

/** Says whose an exchange is: by its credentials, as far as they differ without being known. */
export function clientsUnder({ answers }: Binding): (exchange: Exchange) => string {
  const iam = answers.get('GAP-IAM-HEADER')?.value
  // With one token several accounts may be asked: a header beside it says which.
  const headers = isRecord(iam) && isRecord(iam.headers) ? Object.keys(iam.headers) : []
  const names = new Set([...CREDENTIALS, ...headers.map((name) => name.toLowerCase())])
  const lengths = new Set(['cookie', ...names].map(({ length }) => length))
  return (exchange) => {
    let client = ''
    let cookies = ''
    for (const { name, value } of exchange.request.headers) {
      // To compare lengths is cheaper than to make lower case.
      if (!lengths.has(name.length)) continue
      const lower = name.toLowerCase()
      if (lower === 'cookie') cookies += `${value}\n`
      else if (names.has(lower)) client += `${value}\n`
    }
    // Balancers renew their cookies in every answer: beside other credentials they say nothing.
    return client === '' ? cookies : client
  }
}

/** Whether a request has unknown parameters beside ids: their effect is open. */
function isTried(view: ExchangeView): boolean {
  return view.exchange.request.queryString.some(({ name }) => !/id$/i.test(name) && !isKnownParameter(name, view))
}

function isPartial(view: ExchangeView): boolean {
  const { exchange, responseHeaders } = view
  if (exchange.request.queryString.some(({ name }) => !isKnownParameter(name, view))) return true
  if (exchange.response.status === 206) return true
  for (const { name, value } of responseHeaders) {
    if (name.length === 3 && name.toLowerCase() === 'age' && Number(value) > 0) return true
  }
  return false
}

/** A class and no object made from the view: what was read of the bodies once is not read again. */
export class UnknownOutcome implements ExchangeView {
  readonly accepted: boolean = false
  readonly conclusive: boolean = false
  readonly status: number = 0
  readonly exchange: ExchangeView['exchange']
  readonly id: string
  readonly operation: ExchangeView['operation']
  readonly specified: ExchangeView['specified']
  readonly intent: ExchangeView['intent']
  readonly params: ExchangeView['params']
  readonly credentials: ExchangeView['credentials']
  readonly responseHeaders: ExchangeView['responseHeaders']
  private readonly whole: ExchangeView

  /** `touched`: what it may have changed, where its own operation is not known */
  constructor(whole: ExchangeView, touched?: Pick<ExchangeView, 'operation' | 'params'>) {
    this.whole = whole
    this.exchange = whole.exchange
    this.id = whole.id
    this.operation = touched ? touched.operation : whole.operation
    this.specified = whole.specified
    this.params = touched ? touched.params : whole.params
    this.intent = whole.intent
    this.credentials = whole.credentials
    this.responseHeaders = whole.responseHeaders
  }

  get request(): ExchangeView['request'] {
    return this.whole.request
  }

  get response(): ExchangeView['response'] {
    return this.whole.response
  }

  get violations(): ExchangeView['violations'] {
    return this.whole.violations
  }
}
