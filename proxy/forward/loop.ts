import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Exchanges under way from which on requests tell the target that they came through this proxy. In a loop that leads over
 * other proxies their number grows without end. Below it, the target gets each request as without a proxy.
 */
const MANY = 400

/** Recognises requests that this proxy sent itself. */
export class Loops {
  /** own port of each connection to the target -> both of its ends */
  readonly #own = new Map<number, string>()
  readonly #known = new WeakSet<Socket>()
  readonly #name = `assay-${randomBytes(8).toString('hex')}`

  /** A connection to the target. */
  note(socket: Socket): void {
    if (this.#known.has(socket)) return
    this.#known.add(socket)
    if (socket.connecting) socket.once('connect', () => this.#open(socket))
    else this.#open(socket)
  }

  /** The fields that tell where a request came through, where so many exchanges are under way (RFC 9110, 7.6.3). */
  fields(active: number): readonly string[] {
    return active < MANY ? NONE : ['Via', `1.1 ${this.#name}`]
  }

  /** Whether a request comes over one of our own connections, or tells that it came through here. */
  isOwn({ socket, headers }: IncomingMessage): boolean {
    const own = this.#own.get(socket.remotePort ?? 0)
    if (own !== undefined && own === ends(socket.remoteAddress, socket.localAddress, socket.localPort)) return true
    return headers.via?.includes(this.#name) === true
  }

  #open(socket: Socket): void {
    const { localPort, localAddress, remoteAddress, remotePort } = socket
    if (localPort === undefined) return
    this.#own.set(localPort, ends(localAddress, remoteAddress, remotePort))
    socket.once('close', () => this.#own.delete(localPort))
  }
}

const NONE: readonly string[] = []

/**
 * Where a connection comes from and leads to. Its own port alone does not tell it: clients of this machine may have the
 * same port on their connections to the proxy.
 */
function ends(from = '', to = '', port = 0): string {
  return `${from} ${to} ${port}`.replaceAll('::ffff:', '')
}
