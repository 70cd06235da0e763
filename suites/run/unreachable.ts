import type { Exchange } from '../../schemas/types/exchange.ts'

/** Why no run makes sense, in one line, and what to do about it. */
export interface Failure {
  readonly what: string
  readonly hint: string
}

/** Milliseconds that preflight waits in all for a target that puts requests off. */
export const PATIENCE_MS = 4_000

/** What undici makes of an answer that begins with `100 Continue` where nothing was asked for. */
const UNASKED = /\bbad response$/
/** What undici says where a proxy does not open a way to the target. */
const NO_TUNNEL = /Proxy response \((\d+)\)/
const NOT_TLS = /WRONG_VERSION_NUMBER|wrong version number|packet length too long|PACKET_LENGTH_TOO_LONG/
/** What the other side says of the certificate that it was shown, or of none. */
const OF_OURS = /alert (?:handshake failure|unknown ca|bad certificate|certificate )/
const OF_CERTIFICATE = /CERT|certificate|self-signed|UNABLE_TO_(?:GET|VERIFY)/i
/** OpenSSL's own line: thread, number, library, function, what it is about, place in its source. */
const OPENSSL = /[0-9A-F]{6,}:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):[^\s]*/

/** What a first request that got no whole answer tells. `proxy`: URL of the proxy that it went through. */
export function unreachable(exchange: Exchange, proxy?: string): Failure {
  const reason = inWords(exchange._error ?? exchange._outcome)
  const way = proxy === undefined ? '' : ` through the proxy ${withoutLogin(proxy)}`
  const refused = NO_TUNNEL.exec(reason)?.[1]
  if (proxy !== undefined && refused !== undefined) return noTunnel(refused, way)
  switch (exchange._outcome) {
    case 'timeout':
      return {
        what: `no response within ${Math.round(exchange.time)} ms${way}`,
        hint: 'check that the target is up; a slow one needs a longer --timeout (preflight waits 10 s at most)',
      }
    case 'refused':
      return { what: `no connection${way} (${reason})`, hint: refusedHint(exchange, reason, proxy !== undefined) }
    case 'too-large':
      return {
        what: `the response to a path that does not exist is endless (${reason})`,
        hint: 'check that the base URL is that of the service, and not of a file or a stream',
      }
    default:
      return brokenOff(exchange, reason, way)
  }
}

function noTunnel(status: string, way: string): Failure {
  return {
    what: `no connection${way}, which answers ${status}`,
    hint:
      status === '407'
        ? 'it wants a user and a password; write them into `proxy`, http://user:password@host:port'
        : 'check that it may reach the target, or remove `proxy` from the configuration',
  }
}

function refusedHint({ request }: Exchange, reason: string, proxied: boolean): string {
  if (/CERT_HAS_EXPIRED|certificate has expired/.test(reason))
    return 'its certificate is too old: renew it; tls.ca does not help, and tls.insecure is only for a test'
  if (/CERT_NOT_YET_VALID|not yet valid/.test(reason))
    return 'its certificate is not valid yet: set the clock of this machine or of the target right'
  if (/ALTNAME|does not match certificate/.test(reason))
    return 'its certificate is of another host: name the target as the certificate does; tls.insecure is only for a test'
  if (NOT_TLS.test(reason)) {
    // The proxy itself may be named with https.
    return `it does not seem to speak TLS there: write ${request.url.replace(/^https:\/\/([^/]*).*$/, 'http://$1')}${proxied ? ', and look at the protocol of `proxy`' : ''}`
  }
  if (OF_OURS.test(reason)) return 'it wants a client certificate that it knows: set tls.cert and tls.key'
  if (OF_CERTIFICATE.test(reason)) return 'name its certificate authority in tls.ca, or set tls.insecure'
  return proxied
    ? 'check that the proxy runs, or remove `proxy` from the configuration'
    : 'start the target, or check host, port and protocol of the URL'
}

function brokenOff(exchange: Exchange, reason: string, way: string): Failure {
  if (UNASKED.test(reason)) {
    return {
      what: 'the target sends 100 Continue before its response, without being asked',
      hint: 'that is allowed (RFC 9110, 15.2.1), but the HTTP client of Node does not take it: turn it off in the target, or put a proxy before it that drops it',
    }
  }
  return {
    what: `the response broke off or is not HTTP${way} (${exchange._outcome}: ${exchange._error === undefined ? 'no reason given' : reason})`,
    hint: 'check the port and whether it speaks http or https; look into the log of the target',
  }
}

/** In one line, without the places in the source of OpenSSL. */
function inWords(reason: string): string {
  return reason.replace(OPENSSL, '$1').replaceAll(/\s+/g, ' ').trim()
}

/** The address of a proxy without the user and the password in it. */
function withoutLogin(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).origin : proxy.replace(/\/\/[^/]*@/, '//')
}

/** Why none of the reads worked, in one line, and what to do about it. */
export function allAlike(seen: readonly Exchange[]): Failure {
  const kinds = [...new Set(seen.map(describe))]
  const [only] = kinds
  const [first] = seen
  if (kinds.length === 1 && only !== undefined && first) {
    return { what: `the target answers ${only} to everything`, hint: hintFor(first) }
  }
  return { what: `no read succeeds: ${kinds.join(', ')}`, hint: hintFor(seen[1] ?? first) }
}

function hintFor(exchange: Exchange | undefined): string {
  const status = exchange?._outcome === 'complete' ? exchange.response.status : 0
  if (status === 401 || status === 403) return 'check `credentials` and `headers` in the configuration'
  if (status === 404 || status === 405) return 'check the path of the base URL, and whether the binding fits the target'
  if (status === 429) {
    return `wait until its limit allows requests again, or raise it; preflight waits ${PATIENCE_MS / 1000} s in all`
  }
  if (status >= 300 && status < 400) return 'redirects are not followed: give the address that it points to'
  if (status >= 500) return 'look into the log of the target'
  return 'check the base URL, and whether the binding fits the target'
}

export function isPage({ response }: Exchange): boolean {
  return response.content.mimeType.startsWith('text/html')
}

export function describe({ response, _outcome }: Exchange): string {
  if (_outcome !== 'complete') return `nothing whole (${_outcome})`
  const type = response.content.mimeType.split(';')[0]?.trim() ?? ''
  return type === '' || type === 'application/json' ? `${response.status}` : `${response.status} ${type}`
}
