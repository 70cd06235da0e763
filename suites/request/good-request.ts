import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../rules/core/request-rules.ts'
import { type ExchangeView, jsonOf } from '../../rules/core/view.ts'
import { type Binding, offered, type TargetOperation } from '../../schemas/binding.ts'
import { namesInPath } from '../../schemas/matcher.ts'
import { isSpecified } from '../../schemas/operations.ts'
import { at } from '../../schemas/pointer.ts'
import { type OperationRow, operationRow } from '../../schemas/service.ts'
import { placeholders } from '../../schemas/template.ts'
import {
  type CaseContext,
  type Made,
  NotRun,
  type Params,
  requireConsent,
  requireOperation,
  type Sent,
  unlessNotRun,
} from '../case.ts'
import { type OtherRequest, otherRequests, type ReadyRequest } from './other-requests.ts'
import { usageQuery } from './usage.ts'

/** A good request of one operation, on resources that exist, ready to be sent again and again. */
export interface GoodRequest {
  readonly operation: OperationRow
  readonly bound: TargetOperation
  /** good requests to try where the first one is refused */
  readonly others: readonly OtherRequest[]
  /** From now on the request is this one; undefined: the first one. False: it cannot be made, and nothing changes. */
  use(other: OtherRequest | undefined): Promise<boolean>
  /**
   * The request as it is good now: with the newest generation, and a new resource if the last one was used up. A switch
   * goes to the other side, because switching to the current side may be refused.
   */
  request(): Promise<ReadyRequest>
  /** Takes from an answer what later requests need. */
  learn(sent: Sent): void
}

/**
 * Makes the things that an operation of the table needs, that of the case if none is named. Throws NotRun where they cannot
 * be had. `given`: ids of those that are there.
 */
export async function openGoodRequest(
  context: CaseContext,
  operationId: string = context.operation,
  given: Params = {},
): Promise<GoodRequest> {
  const operation = operationRow(operationId)
  if (!operation) throw new Error(`no operation ${operationId}`)
  const bound = requireOperation(context, operationId)
  if (operation.verb !== 'list' && operation.resource === 'exclusion') requireConsent(context, 'exclusions')
  const template = bodyOf(bound, context.binding)
  const deletes = operation.verb === 'remove' ? operation.resource : undefined
  const params = await makeAll(context, needed(context, operation, bound, template), given)
  const component = bound.path.includes('{component_id}') ? componentOf(context, params) : {}
  const turn = turnOf(context, operation)
  let victim: Made | undefined
  let generation = await readGeneration(context, operationId, params)
  let used: OtherRequest | undefined

  const first = async (): Promise<ReadyRequest> => {
    if (deletes !== undefined) victim ??= await context.make(deletes, given)
    const label = context.label()
    const own = victim === undefined ? {} : { ...victim.params, id: victim.id }
    const values = { ...params, ...own, label, email: context.email(label), generation_id: generation }
    return {
      operation: operation.id,
      params: { ...params, ...component, ...own },
      query: queryOf(context, operation),
      body: turn ? turn.next() : template === undefined ? undefined : context.fill(template, values),
      label,
    }
  }

  return {
    operation,
    bound,
    others: isSpecified(operation) ? otherRequests(context, operation, bound) : [],
    async use(other) {
      // A resource that could not be removed may be one that cannot be removed at all.
      victim = undefined
      const request = other && (await first())
      if (request && (await unlessNotRun(() => other?.make(request))) === undefined) return false
      used = other
      return true
    },
    async request() {
      const request = await first()
      return (await used?.make(request)) ?? request
    },
    learn({ view }) {
      turn?.learn(view)
      if (!view.accepted) return
      victim = undefined
      const pointer = bound.answer.generation
      const told = pointer === undefined ? undefined : at(jsonOf(view.response), pointer)
      generation = typeof told === 'number' ? told : generation + 1
    },
  }
}

/** The template of a good body: of the binding, of an answer, or what the text says. Throws NotRun where there is none. */
export function bodyOf({ id, body }: TargetOperation, { answers }: Binding): unknown {
  const { request, sample, gap } = operationRow(id) ?? {}
  if (body !== undefined || !request) return body
  const answered = answerFor(request.schema)
  const found = answered === undefined ? sample : at(answers.get(answered.gap)?.value, answered.pointer)
  if (found !== undefined) return found
  const open = answered?.gap ?? gap
  throw new NotRun('gap-unanswered', `the binding has no body for ${id} (${open})`, open)
}

/** Where an answer to a gap holds a good body of this schema. */
function answerFor(schema: string): { readonly gap: string; readonly pointer: string } | undefined {
  if (schema === 'preset-alert') return { gap: 'GAP-PRESET-BODY', pointer: '' }
  return schema === 'processing-status' ? { gap: 'GAP-PROCESSING-STATUS-BODY', pointer: '/enabled' } : undefined
}

/** Which of the two bodies of a switch is sent next. */
interface Turn {
  next(): unknown
  learn(view: ExchangeView): void
}

/** Disabling comes first, as a new pipeline is more likely enabled; where that is refused, enabling is tried. */
function turnOf({ binding }: CaseContext, { id }: OperationRow): Turn | undefined {
  const bodies = binding.answers.get('GAP-PROCESSING-STATUS-BODY')?.value
  if (id !== 'update-processing-status' || !isRecord(bodies)) return undefined
  const { enabled, disabled } = bodies
  let on = false
  let known = false
  return {
    next: () => (on ? enabled : disabled),
    learn(view) {
      const body = jsonOf(view.request)
      if (view.accepted) {
        if (![enabled, disabled].some((one) => isDeepStrictEqual(one, body))) return
        on = isDeepStrictEqual(body, disabled)
        known = true
      } else if (!known && view.conclusive) on = !on
    },
  }
}

/** The resource types whose ids stand in the path or the body. What the operation itself deletes is made later. */
function needed(context: CaseContext, operation: OperationRow, { path }: TargetOperation, template: unknown): string[] {
  const names = placeholders(template)
  // An address in a body is that of nobody.
  names.delete('email')
  for (const name of namesInPath(path)) names.add(name)
  if (operation.id === 'start-tap') for (const name of placeholders(tapComponent(context))) names.add(name)
  return [...context.binding.resources]
    .filter(([type, { id }]) => names.has(id) && !(operation.verb === 'remove' && type === operation.resource))
    .map(([type]) => type)
}

async function makeAll(context: CaseContext, types: readonly string[], given: Params): Promise<Params> {
  let params = given
  for (const type of types) {
    const id = context.binding.resources.get(type)?.id
    if (id !== undefined && params[id] !== undefined) continue
    const made = await context.make(type, params).catch((thrown: unknown) => {
      // The operation has a path in the text, so a missing resource does not excuse it.
      throw thrown instanceof NotRun && thrown.reason === 'not-offered'
        ? new NotRun('no-resource', thrown.message)
        : thrown
    })
    params = { ...params, ...made.params }
  }
  return params
}

function tapComponent(context: CaseContext): string {
  const answer = context.binding.answers.get('GAP-TAP-COMPONENT')?.value as { component?: string } | undefined
  return answer?.component ?? '{{pipeline_source_id}}'
}

function componentOf(context: CaseContext, params: Params): Record<string, string> {
  return { component_id: String(context.fill(tapComponent(context), params)) }
}

function queryOf(context: CaseContext, operation: OperationRow): Record<string, string> {
  return operation.id === 'list-usage-by-tag' ? usageQuery(context, operation.id, 7, 1, 100) : {}
}

/** The generation counter of the node that the operation updates; 1 where nobody can read it. */
export async function readGeneration(context: CaseContext, id: string, params: Params): Promise<number> {
  const { verb, kind, resource = '' } = operationRow(id) ?? {}
  const type = verb === 'change' && kind ? resource : ''
  const reader = offered(context.binding, context.binding.resources.get(type)?.read)
  const pointer = reader?.answer.generation
  if (!reader || pointer === undefined) return 1
  const { view } = await context.send({ operation: reader.id, params, intent: { kind: 'setup' } })
  const told = at(jsonOf(view.response), pointer)
  return typeof told === 'number' ? told : 1
}
