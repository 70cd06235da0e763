// A second service behind the same interface: the paths that the specification gives are the same, all else is its own.
import { createConfig, OWNER } from './config.mjs'
import { serve } from './http.mjs'
import { createLogs } from './logs.mjs'
import { createPipelines } from './pipelines.mjs'

/** These open nothing but this example. */
const secrets = {
  token: 'example-access-token',
  service: 'example-service-key',
  enterprise: 'example-enterprise-key',
  ingestion: 'example-intake-key',
  /** keys that clients made: they open what lines are sent to */
  made: [],
}
const drops = new Map()
const routes = { ...createConfig(drops, secrets.made), ...createLogs(drops), ...createPipelines() }
const url = await serve(routes, secrets, Number(process.env.PORT ?? 8200))
process.stdout.write(`listens on ${url}, owned by ${OWNER}\n`)
