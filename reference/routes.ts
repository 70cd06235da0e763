import { alertRoutes } from './configuration/alerts.ts'
import { archivingRoutes } from './configuration/archiving.ts'
import { boardRoutes } from './configuration/boards.ts'
import { categoryRoutes } from './configuration/categories.ts'
import { enterpriseKeyRoutes } from './configuration/enterprise-keys.ts'
import { keyRoutes } from './configuration/keys.ts'
import { memberRoutes } from './configuration/members.ts'
import { presetRoutes } from './configuration/presets.ts'
import { screenRoutes } from './configuration/screens.ts'
import { viewRoutes } from './configuration/views.ts'
import type { Route } from './core/route.ts'
import { exportV1Routes } from './exports/export-v1.ts'
import { exportV2Routes } from './exports/exports.ts'
import { exclusionRoutes } from './ingestion/exclusions.ts'
import { ingestionRoutes } from './ingestion/lines.ts'
import { suspensionRoutes } from './ingestion/suspension.ts'
import { gatewayRouteRoutes } from './pipelines/gateway-routes.ts'
import { groupRoutes } from './pipelines/groups.ts'
import { nodeRoutes } from './pipelines/nodes.ts'
import { pipelineRoutes } from './pipelines/pipelines.ts'
import { placedGroupRoutes } from './pipelines/placed-groups.ts'
import { stateVariableRoutes } from './pipelines/state-variables.ts'
import { tapRoutes } from './pipelines/taps.ts'
import { usageRoutes } from './usage/usage.ts'
import { usageV2Routes } from './usage/usage-v2.ts'

/** Every operation of the service. */
export const routes: readonly Route[] = [
  ...enterpriseKeyRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...presetRoutes,
  ...screenRoutes,
  ...boardRoutes,
  ...viewRoutes,
  ...alertRoutes,
  ...categoryRoutes,
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
