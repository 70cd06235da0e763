import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord } from '../../../rules/core/request-rules.ts'
import { says } from '../../../rules/core/says.ts'
import { offered, type TargetOperation } from '../../../schemas/binding.ts'
import { type Operation, specifiedOperations } from '../../../schemas/operations.ts'
import { placeholders } from '../../../schemas/template.ts'
import { type Case, type CaseContext, NotRun, type Sent, unlessNotRun } from '../../case.ts'
import { notAccepted } from '../../request/control.ts'
import { unconfigured } from '../../request/credentials.ts'
import { openGoodRequest } from '../../request/good-request.ts'
import { isSure, type ReadyRequest } from '../../request/other-requests.ts'
import { untilSettled } from '../../request/read-back.ts'

/** Milliseconds before the last try: what failed for the moment has passed. */
const PAUSE_MS = 500
/** Reads of the same family that are tried for one that the target answers. */
const MOST_READS = 8

/** A case for each operation that the specification gives a path for: it works. */
export function worksCases(): Case[] {
  return specifiedOperations().map((operation) => ({
    id: `${operation.id}/works`,
    title: `a good request of ${operation.id} is carried out`,
    run: (context) => tryAll(context, operation),
  }))
}

/**
 * Sends one good request. If it fails: shows that the things it needs are there and that the credentials are right.
 * Then sends every other good request, and the first one again after a pause.
 */
async function tryAll(context: CaseContext, operation: Operation): Promise<void> {
  const good = await openGoodRequest(context, operation.id)
  const group = context.group()
  let number = 0
  const send = async (request: ReadyRequest, edge: string, sure: boolean, last = false): Promise<Sent> => {
    number += 1
    const intent = { kind: 'base', group, probe: 'good-request', edge, data: { sure, last } } as const
    const sent = await context.send({ ...request, intent })
    good.learn(sent)
    return sent
  }
  const sure = isSure(operation, good.bound)
  const request = await good.request()
  const first = await send(request, 'the first', sure)
  if (first.view.accepted) return
  const shown = new Set<string>()
  await showNeeds(context, operation, request, group, shown)
  await showSibling(context, operation, says(first.view, 'caller'), group)
  for (const other of good.others) {
    if (!(await good.use(other))) continue
    const changed = await good.request()
    await showNeeds(context, operation, changed, group, shown)
    if ((await send(changed, other.what, other.sure)).view.accepted) return
  }
  await good.use(undefined)
  // That one thing is not found says little: it may have got lost.
  const renew = async (): Promise<ReadyRequest> => (await openGoodRequest(context, operation.id)).request()
  const apart = says(first.view, 'thing') ? await unlessNotRun(renew) : undefined
  await untilSettled(context)
  await sleep(PAUSE_MS)
  // A new thing may not be known everywhere yet.
  const again = operation.deletes === undefined ? await good.request() : request
  if (apart) {
    await showNeeds(context, operation, apart, group, new Set())
    await send(apart, 'of other things', sure)
  }
  await showNeeds(context, operation, again, group, new Set())
  const last = await send(again, 'the first, once more', sure, true)
  if (last.view.accepted) return
  const { status } = last.view
  if (says(last.view, 'caller') && unconfigured(good.bound.family, context.schemes) !== undefined)
    throw notAccepted(context, operation.id, last.view)
  const came = last.view.exchange._outcome === 'complete' ? `status ${status}` : last.view.exchange._outcome
  const hint = says(last.view, 'value') ? '; where the target wants another body, give it in the binding' : ''
  const what = `each of ${number} good requests of ${operation.id} failed, the last with ${came}${hint}`
  throw new NotRun('inconclusive', what)
}

/** Reads, or lists, each thing that the path and the body of a request name. `shown`: those that were read already. */
async function showNeeds(
  context: CaseContext,
  operation: Operation,
  { params, body }: ReadyRequest,
  group: string,
  shown: Set<string>,
): Promise<void> {
  const named = namedIn(operation, params, body)
  for (const [type, resource] of context.binding.resources) {
    const own = type === operation.deletes ? [params.id] : []
    for (const id of [...own, params[resource.id], ...idsIn(body, resource.id)]) {
      if (id === undefined || !named.has(id) || shown.has(`${type} ${id}`)) continue
      shown.add(`${type} ${id}`)
      for (const way of [resource.read, resource.list]) {
        const reader = offered(context.binding, way)
        const call = {
          params: { ...params, [resource.id]: id },
          intent: { kind: 'read', group, probe: 'needed' },
        } as const
        if (reader && (await context.send({ operation: reader.id, ...call })).view.accepted) break
      }
    }
  }
}

/** Every text that a request names something by. */
function namedIn({ path }: Operation, params: ReadyRequest['params'], body: unknown): ReadonlySet<string> {
  const inPath = Object.entries(params).filter(([name]) => path.includes(`{${name}}`))
  const inBody = isRecord(body) ? Object.values(body).flat() : []
  return new Set([...inPath.map(([, value]) => value), ...inBody.filter((value) => typeof value === 'string')])
}

function idsIn(body: unknown, placeholder: string): string[] {
  const values = isRecord(body) ? [body[placeholder], body[`${placeholder}s`]].flat() : []
  return values.filter((value) => typeof value === 'string')
}

/**
 * Has another operation of the same family carried out with the same credentials. It is a read; if the credentials seem
 * to be refused, also an operation that changes something.
 */
async function showSibling(
  context: CaseContext,
  operation: Operation,
  isRefused: boolean,
  group: string,
): Promise<void> {
  const siblings = [...context.binding.operations.values()].filter(
    (other) => other.offered && other.family === operation.family && other.id !== operation.id && isFree(other),
  )
  const reads = siblings.filter(({ effect, method }) => effect === 'read' && method === 'GET').slice(0, MOST_READS)
  for (const { id } of reads) {
    const intent = { kind: 'read', group, probe: 'sibling' } as const
    if ((await context.send({ operation: id, intent })).view.accepted) break
  }
  const isChange = operation.effect !== 'read' && isRefused
  // There may be no other read for keys of the enterprise.
  if (!isChange && operation.family !== 'enterprise') return
  const makers = new Set([...context.binding.resources.values()].map(({ create }) => create))
  for (const { id, body } of siblings.filter(({ id: one, effect }) => effect === 'own' && makers.has(one))) {
    const label = context.label()
    const email = context.email(label)
    const sent = { operation: id, body: context.fill(body, { label, email }), label, values: { label, email } }
    const { view } = await context.send({ ...sent, intent: { kind: 'setup', group, probe: 'sibling' } })
    if (view.accepted) return
  }
}

/** Whether an operation can be sent without an id of anything, and without parameters. */
function isFree({ path, query, parameters, body }: TargetOperation): boolean {
  const known = new Set(['label', 'email'])
  const asks = path.includes('{') || Object.keys(parameters).length > 0
  return !asks && [...placeholders([query, body])].every((name) => known.has(name))
}
