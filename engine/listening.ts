import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Problem, UsageError } from './errors.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** The host that an option was given. Node takes an empty one for every address of the machine. */
export function hostOption(text: string, where: string): string | Problem {
  return text.trim() === '' ? { where, what: 'is empty', hint: 'name an address, such as 127.0.0.1' } : text
}

/** `127.0.0.1:9000`, `[::1]:9000`, `localhost:9000` or a port alone, which means this machine. */
export function addressOption(text: string, where: string): Address | Problem {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits !== undefined && port <= MOST_PORT) return { host: bracketed ?? plain ?? '127.0.0.1', port }
  return { where, what: `${JSON.stringify(text)} is not an address and a port`, hint: 'such as 127.0.0.1:9000' }
}

/** Whether only this machine can reach what listens there. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|::1|localhost)$/i.test(host)
}

const MOST_PORT = 65_535

/** The port that an option was given, or what is wrong with it. `where`: the option, as it is written. */
export function portOption(text: string, where: string): number | Problem {
  if (/^\d+$/.test(text) && Number(text) <= MOST_PORT) return Number(text)
  return { where, what: `${JSON.stringify(text)} is not a port`, hint: `from 0 to ${MOST_PORT}` }
}

/** Why nothing can listen at an address. `port`, `host`: the options that choose them. */
export function listenProblem(thrown: unknown, where: string, options: { port: string; host: string }): Problem {
  const { code = '', message }: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error(String(thrown))
  const [what, which] = KNOWN[code] ?? [message, undefined]
  if (which === undefined) return { where, what, hint: '' }
  return { where, what, hint: `choose another ${options[which]}${which === 'port' ? '; 0 means any free one' : ''}` }
}

const KNOWN: Readonly<Record<string, readonly [what: string, which: 'port' | 'host']>> = {
  EADDRINUSE: ['something listens there already', 'port'],
  EACCES: ['this user may not listen on that port', 'port'],
  EADDRNOTAVAIL: ['this machine does not have that address', 'host'],
  ENOTFOUND: ['the name of the host is not known', 'host'],
  EAI_AGAIN: ['the name of the host cannot be looked up', 'host'],
}

/**
 * Lets a server listen. `option`: what the user chose the address with, '' where `names` say it. `backlog`: connections that
 * may wait until they are accepted. @throws UsageError where nothing can listen
 */
export function listen(
  server: Server,
  { host, port, backlog }: Address & { readonly backlog?: number },
  option: string,
  names: { port: string; host: string } = { port: 'port', host: 'address' },
): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new UsageError(listenProblem(error, `${option} ${host}:${port}`.trim(), names)))
    })
    server.listen({ port, host, backlog }, () => {
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

/** The body of a request, or how many bytes it has if these are too many. Who still writes does not look at the answer. */
export async function bodyWithin(request: AsyncIterable<Buffer>, most: number): Promise<Buffer | number> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > most) chunks.length = 0
    else chunks.push(chunk)
  }
  return size > most ? size : Buffer.concat(chunks)
}

/** Files and connections that a recorder has open beside those of exchanges: its own code, recording, page and threads. */
const OWN = 48
/** of one exchange: to the client and to the target */
const EACH = 2
const LEAST = 8

/**
 * Lets a server take no more connections than this process may have open. So refused ones are counted: the system would
 * close them without a word. `limit`: of open files; undefined: it is not known.
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
