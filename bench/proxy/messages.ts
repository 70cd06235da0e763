import type { AddressInfo, Server } from 'node:net'

/** What the upstream noted: for each answer its sum, in order; for each body that it got how often it came. */
export interface UpstreamLog {
  requests: number
  readonly answers: number[]
  requestSums: Record<string, number>
}

/** Listens on a free port of this machine and tells the parent which. */
export function reportPort(server: Server, backlog?: number): void {
  server.listen({ port: 0, host: '127.0.0.1', ...(backlog === undefined ? {} : { backlog }) }, () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  )
}
