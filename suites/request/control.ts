import type { Judgement } from '../../rules/core/judgement.ts'
import type { ExchangeView } from '../../rules/core/view.ts'
import type { CaseIntent } from '../../schemas/types/intents.ts'
import { type Call, type CaseContext, NotRun, refusedBy, type Sent } from '../case.ts'
import { RawJson } from '../generate/values/body.ts'
import { unconfigured } from './credentials.ts'
import { type GoodRequest, openGoodRequest } from './good-request.ts'
import { canBeMended, type OtherRequest, type ReadyRequest } from './other-requests.ts'

/** A good request, as the control of requests that differ from it in one place each. */
export interface Control {
  readonly group: string
  /** Sends the good request. */
  base(): Promise<Sent>
  /**
   * Sends the good request. Where it is refused, others are sent, and the first one that is carried out is the good
   * request from then on. Throws NotRun where none is.
   */
  mustAccept(): Promise<Sent>
  /** Sends a changed request that belongs to no group. */
  changed(change: Partial<Call>): Promise<Sent>
  /**
   * Sends a changed request. Sends the good one after it where the rules need to see that it is still accepted.
   * `then` runs between the two.
   */
  probe(
    intent: CaseIntent,
    change: (request: ReadyRequest) => Partial<Call>,
    then?: (sent: Sent) => Promise<void>,
  ): Promise<Sent>
  /** Sends the good request once more, where something that was tried is judged by it. */
  end(): Promise<void>
}

/** Where the good request comes from. */
export interface RequestSource {
  readonly operation: { readonly id: string }
  /** good requests to try where the first one is refused */
  readonly others?: readonly OtherRequest[]
  use?(other: OtherRequest | undefined): Promise<boolean>
  request(): Promise<ReadyRequest>
  learn(sent: Sent): void
}

/** Probes between two good requests. */
const PROBES_PER_BASE = 25

export function createControl(context: CaseContext, good: RequestSource): Control {
  const group = context.group()
  let since = 0
  let waits = false

  async function send(intent: CaseIntent, change: (request: ReadyRequest) => Partial<Call>): Promise<Sent> {
    const request = await good.request()
    const sent = await context.send({ ...request, ...change(request), intent: { ...intent, group } })
    good.learn(sent)
    return sent
  }

  async function base(): Promise<Sent> {
    since = 0
    waits = false
    return send({ kind: 'base' }, () => ({}))
  }

  return {
    group,
    base,
    async mustAccept() {
      let sent = await base()
      // A request that got no response says nothing of the next one.
      if (!sent.view.conclusive) sent = await base()
      const first = sent.view
      for (const other of good.others ?? []) {
        if (sent.view.accepted || !canBeMended(sent.view)) break
        if (other.trial !== true && (await good.use?.(other))) sent = await base()
      }
      if (sent.view.accepted) return sent
      if (good.others) await good.use?.(undefined)
      throw notAccepted(context, good.operation.id, first)
    },
    async changed(change) {
      const sent = await context.send({ ...(await good.request()), ...change })
      good.learn(sent)
      return sent
    },
    async probe(intent, change, then) {
      since += 1
      const sent = await send(intent, change)
      await then?.(sent)
      const { view } = sent
      waits ||= isJudgedBetween(intent, view)
      // A finding there is made smaller at once.
      const isUrgent = view.conclusive && (view.status >= 500 || (intent.kind === 'accept' && !view.accepted))
      if (!isUrgent && !(waits && since >= PROBES_PER_BASE)) return sent
      const after = await base()
      return { view: sent.view, judgements: [...sent.judgements, ...after.judgements] }
    },
    async end() {
      if (waits) await base()
    },
  }
}

/** Whether the rules want an accepted good request after it as well. A refusal for its content needs the one before it. */
function isJudgedBetween({ kind, data }: CaseIntent, { accepted, status }: ExchangeView): boolean {
  if (kind === 'auth') return data?.right === true && !accepted
  if (kind === 'refuse' || kind === 'accept') return !accepted && status !== 400 && status !== 422
  return kind === 'provoke'
}

/** The good request with other fields in its body. */
export function withFields(fields: object): (request: ReadyRequest) => Partial<Call> {
  return ({ body }) => ({ body: { ...(body as object), ...fields } })
}

/**
 * Opens the good request of an operation, and a group of requests that are compared with it. Throws NotRun where it is not
 * carried out.
 */
export async function openControl(
  context: CaseContext,
  operation?: string,
): Promise<{ readonly good: GoodRequest; readonly control: Control; readonly first: ExchangeView }> {
  const good = await openGoodRequest(context, operation)
  const control = createControl(context, good)
  const { view: first } = await control.mustAccept()
  return { good, control, first }
}

/** Why a case cannot go on: its good request is refused, or a credential that it needs is not configured. */
export function notAccepted(context: CaseContext, operation: string, view: ExchangeView): NotRun {
  const family = context.binding.operations.get(operation)?.family ?? ''
  const field = [401, 403].includes(view.status) ? unconfigured(family, context.schemes) : undefined
  if (field !== undefined) return new NotRun('no-resource', `${operation} is refused, and ${field} is not configured`)
  return refusedBy(view, 'inconclusive', `the good request of ${operation} is not accepted:`)
}

/** Whether something was found to be broken. */
export function isBroken(judgements: readonly Judgement[]): boolean {
  return judgements.some(({ outcome }) => outcome === 'broken')
}

/**
 * Throws NotRun where an operation accepts a body that is no JSON and needs no credentials. Such an operation does not
 * read its body, so nothing that it accepts tells anything about a field. `send`: sends the good request, changed.
 */
export async function requireLook(operation: string, send: (change: Partial<Call>) => Promise<Sent>): Promise<void> {
  const intent = { kind: 'observe' as const, edge: 'takes anything' }
  const unread = await send({ body: new RawJson('assay'), intent })
  if (!unread.view.accepted) return
  const open = await send({ credentials: [], intent })
  if (!open.view.accepted) return
  throw new NotRun(
    'inconclusive',
    `${operation} accepts a body that is no JSON, and needs no credentials: it says nothing about fields`,
  )
}
