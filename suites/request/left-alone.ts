import { listIn } from '../../rules/core/reads.ts'
import { isRecord } from '../../rules/core/request-rules.ts'
import { offered } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import { operationRow, operationsOn, resourceRow } from '../../schemas/service.ts'
import type { CaseContext, Sent } from '../case.ts'
import type { ReadyRequest } from './other-requests.ts'
import { readBack } from './read-back.ts'

/** Where the effect of an operation shows: in the thing itself, or in a list. */
interface Look {
  readonly type: string
  readonly way: 'read' | 'list'
}

export function lookFor(operation: string): Look | undefined {
  const { verb = 'act', resource = '' } = operationRow(operation) ?? {}
  if (!SHOWN.has(verb)) return undefined
  return { type: resource, way: verb === 'create' ? 'list' : 'read' }
}

const SHOWN = new Set(['create', 'update', 'change', 'switch', 'remove'])

/** Reads whether refused requests were carried out all the same. Does nothing where no read shows that. */
export interface LeftAlone {
  /** it has to be read after each refused request: two of them could not be distinguished */
  readonly each: boolean
  /** Reads what is there, before anything is refused. */
  before(request: ReadyRequest): Promise<void>
  /** Reads it again. `refused`: sends requests meanwhile; things that they make are noted for cleanup. */
  after(refused: readonly ReadyRequest[]): Promise<void>
}

/** Whether the binding has a read that shows the effect of an operation. */
export function canSeeDone(context: CaseContext, operation: string): boolean {
  return readerFor(context, operation) !== undefined
}

export function leftAloneBy(context: CaseContext, operation: string, group: string): LeftAlone {
  const reader = readerFor(context, operation)
  const { type = '', way } = lookFor(operation) ?? {}
  const lists = way === 'list'
  const nameless = lists && resourceRow(type)?.nameless === true
  return {
    each: nameless,
    async before({ params }) {
      if (reader === undefined || (lists && !nameless)) return
      await context.send({ operation: reader, params, intent: { kind: 'read', group } })
    },
    async after(refused) {
      const [request] = refused
      if (reader === undefined || !request) return
      const read = await readBack(context, reader, request.params, { group, probe: 'left-alone' })
      const bodies = refused.map(({ body }) => body)
      if (lists) await oweListed(context, type, read, bodies)
    },
  }
}

/** Notes for cleanup what refused requests did make all the same, which a list shows by its name. */
async function oweListed(
  context: CaseContext,
  type: string,
  { view }: Sent,
  bodies: readonly unknown[],
): Promise<void> {
  const resource = context.binding.resources.get(type)
  // What has no name, or belongs to another resource of the run, is removed with that resource.
  if (resource?.label === undefined || resource.with !== undefined) return
  const names = new Set(bodies.map((body) => at(body, `/${resource.label}`)))
  for (const element of listIn(view) ?? []) {
    const id = element[resource.key ?? 'id']
    if (names.has(element[resource.label]) && id !== undefined) await context.owe(type, String(id))
  }
}

/**
 * Another good body of an operation whose good requests are all alike. It is sent first, so that a refused request that is
 * carried out all the same leaves a trace. Undefined where each request has a name of its own, or differs from the last.
 */
export function otherBody(operation: string, { body, label }: ReadyRequest): unknown {
  if (!isRecord(body)) return undefined
  switch (operation) {
    case 'update-state-variables': {
      const state = Object.entries(isRecord(body.state) ? body.state : {})
      return { ...body, state: Object.fromEntries(state.map(([name, value]) => [name, another(value, label)])) }
    }
    case 'switch-group-revision':
      return { ...body, inputs: [] }
    default:
      return undefined
  }
}

function another(value: unknown, text: string): unknown {
  return typeof value === 'string' ? text : typeof value === 'number' ? value + 1 : value
}

function readerFor({ binding }: CaseContext, operation: string): string | undefined {
  const { type = '', way } = lookFor(operation) ?? {}
  if (way === undefined) return undefined
  // Where other clients may make some as well, a new element proves nothing.
  const own = offered(binding, binding.resources.get('pipeline')?.create)
  if (way === 'list' && resourceRow(type)?.nameless && !own) return undefined
  const { of = '' } = resourceRow(type) ?? {}
  const [part] = of === '' ? [] : operationsOn(type, 'read')
  const resource = binding.resources.get(of || type)
  // Where one thing cannot be read, a list tells whether it is there.
  const ways = [part ?? resource?.[way], operationRow(operation)?.verb === 'remove' ? resource?.list : undefined]
  return ways.find((reader) => offered(binding, reader))
}
