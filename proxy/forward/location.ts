import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { headerOf } from '../../fixtures/recording/raw.ts'
import type { Target } from './target.ts'

export interface Moving {
  readonly target: Target
  /** told of each response in which an address of the target became one of this proxy */
  readonly onMoved?: (() => void) | undefined
}

const NAMES_ADDRESS = /^(?:content-)?location$/i

/**
 * Header fields in which a response names an address of the target. The client gets the one by which it knows this proxy:
 * else it would go past the recorder. `headers`: name, value, name, value.
 */
export function movedToProxy(
  headers: string[],
  { headers: { host }, socket }: IncomingMessage,
  { target: { address, authority, prefix }, onMoved }: Moving,
): string[] {
  if (headerOf(headers, 'location') === undefined && headerOf(headers, 'content-location') === undefined) return headers
  const own =
    host === undefined ? '' : `${(socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http'}://${host}`
  const theirs = `${address.protocol}//${authority}`
  let isMoved = false
  const moved = headers.map((value, index) => {
    if (index % 2 === 0 || !NAMES_ADDRESS.test(headers[index - 1] ?? '')) return value
    const isWhole = own !== '' && value.toLowerCase().startsWith(theirs) && /^$|^[/?#]/.test(value.slice(theirs.length))
    const path = isWhole ? value.slice(theirs.length) : value
    // A path that the target's base URL begins with is none of the proxy's: clients ask without it.
    const isBelow = prefix === '' || path === prefix || path.startsWith(`${prefix}/`)
    if (!isBelow || (!isWhole && prefix === '') || path.startsWith('//')) return value
    isMoved = true
    return `${isWhole ? own : ''}${path.slice(prefix.length) || '/'}`
  })
  if (isMoved) onMoved?.()
  return moved
}
