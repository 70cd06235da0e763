import type { Judgement } from '../rules/core/judgement.ts'
import type { Oracle } from '../rules/core/rule.ts'
import type { ExchangeView } from '../rules/core/view.ts'
import type { Binding, TargetOperation } from '../schemas/binding.ts'
import { operationRow } from '../schemas/service.ts'
import type { NotRunReason } from '../schemas/types/case.ts'
import type { Consent, ListedResources } from '../schemas/types/config.ts'
import type { CredentialScheme, Exchange } from '../schemas/types/exchange.ts'
import type { CaseIntent } from '../schemas/types/intents.ts'
import type { Profile } from '../schemas/types/report.ts'

/** One thing that the suite does to a target. It sends; the rules judge. */
export interface Case {
  /** stable: operation and topic, 'update-transform/title' */
  readonly id: string
  /** a statement of fact */
  readonly title: string
  /** left out: the one that its id begins with */
  readonly operation?: string
  /** features of which one has to be claimed for it to run; left out: those of its operation */
  readonly features?: readonly string[]
  /** it changes what all others rely on: it runs after them, with nothing beside it */
  readonly alone?: boolean
  /** it waits for so long that it begins before the others */
  readonly begins?: 'early'
  /** requirements that it is about, as long as nobody has measured it */
  readonly about?: readonly string[]
  /** it begins before all others, and looks once more at what it made after all others have ended */
  readonly looksLast?: boolean
  run(context: CaseContext): Promise<void>
}

/** What was measured of a case, on the reference. `node scripts/measure-cases.mjs` renews it. */
export interface Measured {
  /** requirements that it is about: its requests name them, or they were judged at its operation */
  readonly requirements: readonly string[]
  /** how many requests it sends, about: in the quick, the standard and the thorough profile */
  readonly requests: readonly [quick: number, standard: number, thorough: number]
}

export interface MeasuredCase
  extends Measured,
    Required<Pick<Case, 'operation' | 'features'>>,
    Omit<Case, 'operation' | 'features'> {}

/** Ids by placeholder, or values by the name of a parameter. */
export type Params = Readonly<Record<string, string>>

/** Credentials to send: the configured ones of a scheme, or wrong ones. */
export interface CredentialChoice {
  readonly scheme: CredentialScheme
  /**
   * right: as configured. unknown: of the same form, but nobody's. changed, shortened, lengthened: the configured one
   * with its last character changed, cut off, or doubled. empty: the header without a value.
   */
  readonly variant: 'right' | 'unknown' | 'changed' | 'shortened' | 'lengthened' | 'empty'
  /** the Authorization header holds it: in plain, or as the user name of HTTP Basic; left out: where it belongs */
  readonly form?: 'bare' | 'basic'
  /** another secret than the configured one: the pseudonym of one that an answer has shown */
  readonly value?: string
}

/** A request to send. */
export interface Call {
  readonly operation: string
  readonly params?: Params
  readonly query?: Params
  readonly body?: unknown
  readonly intent?: CaseIntent
  /** the best configured ones for the operation, if left out; an empty list sends none */
  readonly credentials?: readonly CredentialChoice[]
  /** name that the request gives to what it makes, for the journal */
  readonly label?: string
  /** another method than the operation has */
  readonly method?: string
  /** of the body; null: none is said; application/json, if left out */
  readonly contentType?: string | null
  /** what fills the binding's own query beside `params` and the name */
  readonly values?: Readonly<Record<string, unknown>>
}

/** A request of a case; left out: of its own operation. */
export type CaseCall = Omit<Call, 'operation'> & Partial<Pick<Call, 'operation'>>

/** The exchange of a request that was sent. */
export interface Sent {
  readonly view: ExchangeView
  /** the rules' judgements so far, of this exchange or of earlier ones */
  readonly judgements: readonly Judgement[]
}

/** A resource of the target: made by this case, or listed in the configuration. */
export interface Made {
  readonly type: string
  readonly id: string
  /** ids of it and of its parents, by placeholder */
  readonly params: Params
  readonly label: string
  /** false: it was there before */
  readonly own: boolean
}

export interface CaseContext {
  /** the one that the case is about */
  readonly operation: string
  readonly binding: Binding
  readonly oracle: Oracle
  readonly consent: Consent
  readonly resources: ListedResources
  readonly embedded: boolean
  /** schemes that the configuration has credentials for */
  readonly schemes: ReadonlySet<string>
  /** of this case, whatever else runs */
  readonly seed: number
  readonly runs: number
  readonly profile: Profile
  /** steps of a walk */
  readonly steps: number
  /** whether values that the text leaves open are tried too */
  readonly observes: boolean
  /** milliseconds since the epoch when the run began, at midnight UTC of that day */
  readonly today: number
  readonly settleTimeout: number
  /** milliseconds until everything is looked at once more; 0: it never is */
  readonly lateLook: number
  /** whether the target claims a feature */
  claims(feature: string): boolean
  /** whether a requirement is to be probed in this run */
  wants(requirement: string): boolean
  send(call: CaseCall): Promise<Sent>
  /** Makes a resource and what it needs, or takes a listed one. Throws NotRun where neither can be had. */
  make(type: string, given?: Params): Promise<Made>
  /** Journals, before it happens, that something has to be removed later: its resource type and its id. */
  owe(type: string, id: string): Promise<void>
  /** Looks again after all other cases have ended, when nothing of this case was sent for a while. */
  lookLast(look: () => Promise<void>): void
  /** Waits until a time of `performance.now()`, or until the run is to stop. */
  waitUntil(at: number): Promise<void>
  /** Whether it is the turn of the operation of this case, of those that share a schema. The seed says which one it is. */
  isTurn(among: readonly string[]): boolean
  /** Whether nobody in this run has asked for this before. */
  isFirst(what: string): boolean
  /** Notes the id of a thing of which its creation did not tell it: by its name. */
  found(type: string, name: string, id: string): Promise<void>
  /** Fills a body template of the binding. */
  fill(template: unknown, values: Readonly<Record<string, unknown>>): unknown
  /** A name that no other resource of this run has; starts with the run's prefix. */
  label(): string
  /** Lines that the run may still send, and bytes of the bodies that hold them: whoever sends some takes them off. */
  readonly budget: { lines: number; bytes: number }
  /** An address that nobody but the run's owner reads, with a name of its own. */
  email(name: string): string
  /** A name for a new group: a good request and those that are compared with it. */
  group(): string
  /** The answer to a gap. Throws NotRun where the binding has none. */
  answer<T>(gap: string): T
}

/** What sending and exporting lines needs of a case. */
export type LineContext = Pick<CaseContext, 'operation' | 'binding' | 'schemes' | 'send' | 'fill' | 'label' | 'budget'>

/** Thrown by a case that cannot run against this target; never a fault of the target. */
export class NotRun extends Error {
  readonly reason: NotRunReason
  readonly gap: string | undefined
  /** the exchange that shows why */
  readonly exchange: Exchange | undefined

  constructor(reason: NotRunReason, detail: string, gap?: string, exchange?: Exchange) {
    super(detail)
    this.reason = reason
    this.gap = gap
    this.exchange = exchange
  }
}

/** What comes of some work; undefined: this target does not let it be done. */
export async function unlessNotRun<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof NotRun) return undefined
    throw thrown
  }
}

/** What a case may do to a whole account, if its owner agrees: see `consent` of the configuration. */
const CONSENTS = {
  exclusions: 'exclusion rules act on the whole account',
  archiving: 'archiving belongs to the whole account',
  suspend: 'suspension stops the ingestion of the whole account',
  allowOwnerDeletion: 'a faulty target would delete the owner',
}

/** Throws NotRun where the owner of the account does not agree. */
export function requireConsent({ embedded, consent }: CaseContext, to: keyof typeof CONSENTS): void {
  if (!embedded && consent[to] !== true) throw new NotRun('no-consent', `${CONSENTS[to]} (consent.${to})`)
}

/** A case cannot run since a request was answered as it was. `what`: begins the sentence that its status ends. */
export function refusedBy({ exchange, status }: ExchangeView, reason: NotRunReason, what: string): NotRun {
  const answer = exchange._outcome === 'complete' ? status : exchange._outcome
  return new NotRun(reason, `${what} ${answer}`, undefined, exchange)
}

/**
 * Why a case cannot run whose operation is missing. The binding says so, or else `otherwise` is the reason.
 */
export function notOffered(operation: TargetOperation | undefined, otherwise: NotRun): NotRun {
  const place = operation && declinedAt(operation)
  if (place === undefined) return otherwise
  // An operation that has a path in the text must be there, whatever a binding says.
  return new NotRun(
    operation?.specified === true ? 'answer-does-not-fit' : 'not-offered',
    `${operation?.id} is not offered (${place})`,
  )
}

/** The operation, that of the case if none is named; throws NotRun unless the binding gives it a path and the target offers it. */
export function requireOperation(
  context: Pick<CaseContext, 'operation' | 'binding'>,
  id: string = context.operation,
): TargetOperation {
  const operation = context.binding.operations.get(id)
  const gap = operationRow(id)?.gap ?? ''
  if (!operation || operation.path === '') throw notOffered(operation, new NotRun('gap-unanswered', gap, gap))
  if (!operation.offered)
    throw notOffered(operation, new NotRun('answer-does-not-fit', `the target does not offer ${id}`))
  return operation
}

/** Where a binding says that the target does not have an operation; undefined where none does. */
export function declinedAt({ offered, places }: TargetOperation): string | undefined {
  return offered ? undefined : places?.offered
}

/** Characters of a body that a reason shows. */
const SHOWN = 160

/** A request and its response, for a reason: `(POST /v1/x {…} returned {…})`. The exchange holds no secrets any more. */
export function inReason({ _outcome, request, response }: Exchange): string {
  if (_outcome !== 'complete') return ''
  const cut = (text = ''): string => (text === '' ? '' : ` ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}`)
  const { method, url, postData } = request
  const { pathname, search } = new URL(url)
  const answer = response.content.encoding === undefined ? response.content.text : ''
  return ` (${method} ${pathname}${search}${cut(postData?.text)} returned${cut(answer) || ' no body'})`
}

/** Thrown into cases when the run is to stop. */
export class Interrupted extends Error {}
