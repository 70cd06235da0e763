import type { Server } from 'node:http'

/** Files and connections that a recorder has open beside those of exchanges: its own code, recording, page and threads. */
const OWN = 48
/** of one exchange: to the client and to the target */
const EACH = 2
const LEAST = 8

/**
 * Lets a server take no more connections than this process may have open, so that those it turns away are counted: the
 * system would close them without a word. `limit`: of open files; undefined: it is not known.
 */
export function limitConnections(server: Server, limit: number | undefined, onTurnedAway: () => void): void {
  if (limit === undefined) return
  server.maxConnections = Math.max(LEAST, Math.floor((limit - OWN) / EACH))
  server.on('drop', onTurnedAway)
}

/** How many files and connections this process may have open; undefined: no limit, or none that can be read. */
export function openFilesLimit(): number | undefined {
  const { report } = process
  // Names of hosts would be looked up.
  const shared = report as typeof report & { excludeNetwork?: boolean }
  const before = shared.excludeNetwork ?? false
  shared.excludeNetwork = true
  try {
    const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
    const soft = Number(userLimits?.open_files?.soft)
    return Number.isFinite(soft) ? soft : undefined
  } finally {
    shared.excludeNetwork = before
  }
}
