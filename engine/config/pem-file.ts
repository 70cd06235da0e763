import { X509Certificate } from 'node:crypto'
import { readPem } from '../../fixtures/plain-file.ts'

const CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/
const KEY = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/

/**
 * Why a file does not hold what TLS needs of it, and what to do; undefined: it does. TLS itself would take it without a word,
 * and then trust nobody. Whether a key opens is seen where it is used.
 */
export function pemFault(
  path: string,
  kind: 'certificate' | 'private key',
): { readonly what: string; readonly hint: string } | undefined {
  let text: string
  try {
    text = readPem(path).toString('latin1')
  } catch (error) {
    return { what: `${path} ${(error as Error).message}`, hint: '' }
  }
  const hint = `it has to be a PEM file, with -----BEGIN ${kind.toUpperCase()}----- in it`
  if (kind === 'private key') return KEY.test(text) ? undefined : { what: `holds no private key: ${path}`, hint }
  const [first] = CERTIFICATE.exec(text) ?? []
  if (first === undefined) return { what: `holds no certificate: ${path}`, hint }
  try {
    new X509Certificate(first)
    return undefined
  } catch {
    return { what: `holds no certificate that can be read: ${path}`, hint: 'export it again as PEM' }
  }
}
