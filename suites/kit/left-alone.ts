import { listIn } from '../../rules/history/reads.ts'
import { LEFT_ALONE } from '../../rules/history/refusals.ts'
import { isRecord } from '../../rules/request-rules.ts'
import { at } from '../../schemas/pointer.ts'
import type { CaseContext } from './case.ts'
import { readBack } from './read-back.ts'
import type { SceneRequest } from './scene.ts'

/** How the work of an operation is looked at: the thing itself, or the list that it would stand in. */
interface Look {
  readonly type: string
  readonly way: 'read' | 'list'
}

const LOOKS: Readonly<Record<string, Look>> = {
  'update-transform': { type: 'transform', way: 'read' },
  'update-source': { type: 'source', way: 'read' },
  'update-preset-alert': { type: 'preset-alert', way: 'read' },
  'update-gateway-route': { type: 'gateway-route', way: 'read' },
  'switch-group-revision': { type: 'placed-group', way: 'read' },
  'update-processing-status': { type: 'pipeline', way: 'read' },
  'create-preset-alert': { type: 'preset-alert', way: 'list' },
  'create-group-from-pipeline': { type: 'group', way: 'list' },
  'delete-member': { type: 'member', way: 'read' },
  'delete-exclusion': { type: 'exclusion', way: 'read' },
  'delete-screen': { type: 'screen', way: 'read' },
}

/** Looks whether requests that were refused were carried out all the same. Does nothing where nobody can see that. */
export interface LeftAlone {
  /** Reads what is there, before anything is refused. */
  before(request: SceneRequest): Promise<void>
  /** Reads it again. `refused`: what was sent meanwhile; what it has made is noted for cleanup. */
  after(refused: readonly SceneRequest[]): Promise<void>
}

/** Whether it can be seen under a binding if a refused request of an operation is carried out. */
export function canSeeDone(context: CaseContext, operation: string): boolean {
  return readerFor(context, operation) !== undefined
}

export function leftAloneBy(context: CaseContext, operation: string, group: string): LeftAlone {
  const reader = readerFor(context, operation)
  const resource = context.binding.resources.get(LOOKS[operation]?.type ?? '')
  const lists = LOOKS[operation]?.way === 'list'
  return {
    async before({ params }) {
      if (reader === undefined || lists) return
      await context.send({ operation: reader, params, intent: { kind: 'read', group } })
    },
    async after(refused) {
      const [request] = refused
      if (reader === undefined || !request) return
      const { view } = await readBack(context, reader, request.params, { group, probe: LEFT_ALONE })
      const names = new Set(refused.map(({ body }) => at(body, `/${resource?.label ?? ''}`)))
      for (const element of (lists ? listIn(view) : undefined) ?? []) {
        const id = element[resource?.key ?? 'id']
        if (!names.has(element[resource?.label ?? '']) || id === undefined) continue
        await context.owe(LOOKS[operation]?.type ?? '', String(id))
      }
    },
  }
}

/**
 * Another good body of an operation whose good requests all say the same: sent first, so that one that is refused and
 * carried out all the same leaves a trace. Undefined where each request has a name of its own, or asks for something else
 * than the last one that was carried out.
 */
export function otherBody(operation: string, { body, label }: SceneRequest): unknown {
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
  const { type, way } = LOOKS[operation] ?? {}
  const named = operation === 'update-state-variables' ? 'get-state-variables' : undefined
  const reader = named ?? (way === undefined ? undefined : binding.resources.get(type ?? '')?.[way])
  return binding.operations.get(reader ?? '')?.offered === true ? reader : undefined
}
