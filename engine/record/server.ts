import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BACKLOG } from '../../proxy/settings.ts'
import { UsageError } from '../errors.ts'
import { listenProblem } from '../listening.ts'
import type { Address } from './plan.ts'

/** Lets a server listen; `option`: what the user chose the address with. @throws UsageError where that cannot be */
export function listen(server: Server, address: Address, option: string): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const where = `${option} ${address.host}:${address.port}`
      reject(new UsageError(listenProblem(error, where, { port: 'port', host: 'address' })))
    })
    server.listen({ port: address.port, host: address.host, backlog: BACKLOG }, () => {
      const { address: host, port } = server.address() as AddressInfo
      resolve({ host, port })
    })
  })
}

/** Milliseconds that exchanges under way get to end. */
const GRACE_MS = 10_000
const POLL_MS = 20

/** Takes no more requests, and waits for those under way, but not for long. `hurry`: at once. */
export async function closeServer(server: Server, hurry: () => boolean): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const until = Date.now() + GRACE_MS
  let done = false
  void closed.then(() => {
    done = true
  })
  while (!done && !hurry() && Date.now() < until) {
    server.closeIdleConnections()
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  server.closeAllConnections()
  await closed
}

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
