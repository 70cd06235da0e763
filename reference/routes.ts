import { alertRoutes } from './config/alerts.ts'
import { archivingRoutes } from './config/archiving.ts'
import { boardRoutes } from './config/boards.ts'
import { categoryRoutes } from './config/categories.ts'
import { enterpriseKeyRoutes } from './config/enterprise-keys.ts'
import { keyRoutes } from './config/keys.ts'
import { memberRoutes } from './config/members.ts'
import { presetRoutes } from './config/presets.ts'
import { screenRoutes } from './config/screens.ts'
import { viewRoutes } from './config/views.ts'
import type { Route } from './core/route.ts'
import { exclusionRoutes } from './logs/exclusions.ts'
import { exportV1Routes } from './logs/export-v1.ts'
import { exportV2Routes } from './logs/export-v2.ts'
import { ingestionRoutes } from './logs/ingestion.ts'
import { suspensionRoutes } from './logs/suspension.ts'
import { usageRoutes } from './logs/usage.ts'
import { usageV2Routes } from './logs/usage-v2.ts'
import { gatewayRouteRoutes } from './pipelines/gateway-routes.ts'
import { groupRoutes } from './pipelines/groups.ts'
import { nodeRoutes } from './pipelines/nodes.ts'
import { pipelineRoutes } from './pipelines/pipelines.ts'
import { placedGroupRoutes } from './pipelines/placed-groups.ts'
import { stateVariableRoutes } from './pipelines/state-variables.ts'
import { tapRoutes } from './pipelines/taps.ts'

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
