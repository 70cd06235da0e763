import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { withoutSlash } from '../../schemas/url.ts'

/** Where everything goes, and how. */
export interface TargetOptions {
  /** http or https; a path in it stands before the path of each request */
  readonly url: string
  /** PEM; certificates that vouch for the target beside those the system trusts; undefined: only those */
  readonly ca?: string | Buffer | undefined
  /** PEM; shown to the target */
  readonly cert?: string | Buffer | undefined
  readonly key?: string | Buffer | undefined
  /** the target's certificate is not checked */
  readonly insecure?: boolean | undefined
  /** the client's Host goes through as it came; otherwise it names the target */
  readonly keepHost?: boolean | undefined
  /** milliseconds without a byte from the target before the exchange is given up */
  readonly timeoutMs: number
}

/** A target, parsed once. */
export interface Target {
  /** what http-proxy needs to know of it */
  readonly address: {
    readonly protocol: string
    readonly host: string
    readonly hostname: string
    readonly port: number
  }
  /** its Host, in place of the client's */
  readonly hostHeader: string
  /** the client's Host goes through, where there is one */
  readonly keepHost: boolean
  /** stands before every path; '' or begins with a slash and does not end with one */
  readonly prefix: string
  /** of the target, as in an absolute URL: `host:port`, lower case */
  readonly authority: string
  readonly agent: HttpAgent
}

/** Idle connections to the target that are kept. */
const MOST_IDLE = 256

export function openTarget(options: TargetOptions): Target {
  const url = new URL(options.url)
  const secure = url.protocol === 'https:'
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // Without this time a target that says nothing would keep the client waiting for ever.
  const common = { keepAlive: true, maxFreeSockets: MOST_IDLE, timeout: options.timeoutMs, scheduling: 'lifo' as const }
  const tls = {
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(options.cert === undefined ? {} : { cert: options.cert }),
    ...(options.key === undefined ? {} : { key: options.key }),
    rejectUnauthorized: options.insecure !== true,
  }
  return {
    address: { protocol: url.protocol, host: hostname, hostname, port },
    hostHeader: url.host,
    keepHost: options.keepHost === true,
    prefix: withoutSlash(url.pathname),
    authority: url.host.toLowerCase(),
    agent: secure ? new HttpsAgent({ ...common, ...tls }) : new HttpAgent(common),
  }
}
