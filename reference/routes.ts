import { archivingRoutes, documentRoutes } from './configuration/documents.ts'
import { enterpriseKeyRoutes, keyRoutes } from './configuration/keys.ts'
import { memberRoutes } from './configuration/members.ts'
import type { Route } from './core/route.ts'
import { exportV1Routes, exportV2Routes } from './exports/exports.ts'
import { exclusionRoutes } from './ingestion/exclusions.ts'
import { ingestionRoutes, suspensionRoutes } from './ingestion/lines.ts'
import { gatewayRouteRoutes } from './pipelines/gateway-routes.ts'
import { groupRoutes, placedGroupRoutes } from './pipelines/groups.ts'
import { nodeRoutes } from './pipelines/nodes.ts'
import { pipelineRoutes, stateVariableRoutes } from './pipelines/pipelines.ts'
import { tapRoutes } from './pipelines/taps.ts'
import { usageRoutes, usageV2Routes } from './usage/usage.ts'

/** Every operation of the service. */
export const routes: readonly Route[] = [
  ...enterpriseKeyRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...documentRoutes,
  ...archivingRoutes,
  ...exclusionRoutes,
  ...ingestionRoutes,
  ...exportV1Routes,
  ...exportV2Routes,
  ...suspensionRoutes,
  ...usageRoutes,
  ...usageV2Routes,
  ...pipelineRoutes,
  ...nodeRoutes,
  ...groupRoutes,
  ...placedGroupRoutes,
  ...gatewayRouteRoutes,
  ...stateVariableRoutes,
  ...tapRoutes,
]
