import { resolveBinding, shippedBinding, type TargetOperation } from '../schemas/binding.ts'
import { operationRow } from '../schemas/service.ts'
import { configurationKinds, listKeys } from './configuration/kinds.ts'
import type { Access } from './core/auth.ts'
import type { Handler, Route } from './core/route.ts'
import { shapeOf } from './core/shapes.ts'
import { type Kind, usual } from './core/things.ts'
import { exportHandlers } from './exports/exports.ts'
import { exclusionKind } from './ingestion/exclusions.ts'
import { ingestionHandlers } from './ingestion/lines.ts'
import { pipelineHandlers, pipelineKinds } from './pipelines/kinds.ts'
import { startTap } from './pipelines/taps.ts'
import { usageHandlers } from './usage/usage.ts'

const KINDS: Readonly<Record<string, Kind>> = { ...configurationKinds, ...pipelineKinds, exclusion: exclusionKind }

/** What is not the same for things of every type. */
const OWN: Readonly<Record<string, Handler>> = {
  ...ingestionHandlers,
  ...exportHandlers,
  ...usageHandlers,
  ...pipelineHandlers,
  'start-tap': startTap,
}

/** Where operations are that the specification gives no path for. */
const files = [shippedBinding('reference'), shippedBinding('default')]
const { operations } = resolveBinding({ name: 'reference', chain: ['reference', 'default'], files })

/** Every operation of the service: a row of its table, at the path of the specification or of the binding. */
export const routes: readonly Route[] = [...operations.values()].map(routeOf)

function routeOf({ id, method, path, family }: TargetOperation): Route {
  const row = operationRow(id)
  const handler = row && (OWN[id] ?? usual(row, method, path, KINDS[row.resource] ?? {}))
  if (!row || !handler) throw new Error(`nothing carries out ${id}`)
  const schema = shapeOf(row)
  return {
    operation: id,
    method,
    path,
    access: family as Access,
    errors: row.resource === 'exclusion' ? 'bare' : family === 'v3' ? 'v3' : 'v1',
    ...(schema === undefined ? {} : { schema }),
    handler: id === 'list-enterprise-keys' ? listKeys(handler) : handler,
  }
}
