import { isIP } from 'node:net'
import { connect } from 'node:tls'

/** What a target shows of itself when it is spoken to with TLS. */
export interface Certificate {
  /** 'TLSv1.3' */
  readonly protocol: string
  readonly subject: string
  readonly issuer: string
  /** milliseconds since the epoch */
  readonly validTo: number
}

/**
 * The certificate of an https address, trusted or not: a request shows whether it is. undefined: not https, or no
 * certificate in time.
 */
export function certificateOf(baseUrl: string, timeoutMs: number): Promise<Certificate | undefined> {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol !== 'https:') return Promise.resolve(undefined)
  const host = hostname.replace(/^\[|\]$/g, '')
  const options = {
    host,
    port: Number(port || 443),
    rejectUnauthorized: false,
    ...(isIP(host) ? {} : { servername: host }),
  }
  return new Promise((resolve) => {
    const socket = connect(options, () => {
      const { subject, issuer, valid_to } = socket.getPeerCertificate()
      const validTo = Date.parse(valid_to ?? '')
      const shown = {
        protocol: socket.getProtocol() ?? 'TLS',
        subject: nameOf(subject),
        issuer: nameOf(issuer),
        validTo,
      }
      done(Number.isNaN(validTo) ? undefined : shown)
    })
    const done = (certificate: Certificate | undefined): void => {
      socket.destroy()
      resolve(certificate)
    }
    socket.setTimeout(timeoutMs, () => done(undefined))
    socket.once('error', () => done(undefined))
  })
}

/** Names in certificates may be lists. */
function nameOf(name: Partial<Record<string, string | string[]>> | undefined): string {
  const found = name?.CN ?? name?.O ?? 'somebody'
  return typeof found === 'string' ? found : found.join(', ')
}
