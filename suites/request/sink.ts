import type { Sink } from '../../schemas/types/config.ts'
import { withoutSlash } from '../../schemas/url.ts'

/** A reserved name that leads nowhere, and stands in all that is generated. */
const NOWHERE = 'example.com'
const EMAIL = /^([^@\s]+)@(?:[\w-]+\.)*example\.com$/i
const URL_START = /^https?:\/\/(?:[\w-]+\.)*example\.com(?=[/?#]|$)/i

/** An address with a name of its own: below the sink's, or at a name that leads nowhere. */
export function emailFor({ email }: Sink, name: string): string {
  if (email === undefined) return `${name}@${NOWHERE}`
  const split = email.lastIndexOf('@')
  return `${email.slice(0, split)}+${name}${email.slice(split)}`
}

/** A body in which every address and URL at a name that leads nowhere leads to the sink. Without a sink it is the same. */
export function toSink(sink: Sink, body: unknown): unknown {
  if (sink.email === undefined && sink.url === undefined) return body
  return redirected(sink, body)
}

function redirected(sink: Sink, value: unknown): unknown {
  if (typeof value === 'string') return textFor(sink, value)
  if (Array.isArray(value)) return value.map((element) => redirected(sink, element))
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, redirected(sink, child)]))
}

function textFor(sink: Sink, text: string): string {
  const name = sink.email === undefined ? undefined : EMAIL.exec(text)?.[1]
  if (name !== undefined) return emailFor(sink, name)
  const { url } = sink
  return url === undefined ? text : text.replace(URL_START, () => withoutSlash(url))
}
