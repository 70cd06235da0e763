/** What stands in front of every path of a target: of a base URL or its path, without the slash at its end. */
export function withoutSlash(base: string): string {
  return base.endsWith('/') ? base.slice(0, -1) : base
}

/**
 * The path in a URL that stands for `*`, which asks a server as a whole (RFC 9112, 3.2.4). No URL has a place of its own
 * for that, and the path of a base URL does not stand before it.
 */
export const WHOLE_SERVER = '/*'

/** The path of a base URL, without a slash at its end: `` or `/base`. */
export function basePathOf(baseUrl: string): string {
  return withoutSlash(new URL(baseUrl).pathname)
}

/** Origin and path of a base URL in one spelling, without a slash at its end. */
export function plainBaseOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${withoutSlash(pathname)}`
}

/** A path without that of the base URL, where it begins with it. `basePath`: as `basePathOf` gives it. */
export function withoutBase(path: string, basePath: string): string {
  return basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}

/** Path and query of a whole URL, unchanged. */
export function withoutOrigin(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start < 0 ? '/' : url.slice(start)
}

/** The path of a whole URL, without that of the base URL and without its query. */
export function pathOf(url: string, basePath: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const question = url.indexOf('?')
  const path = start < 0 ? '/' : question < 0 ? url.slice(start) : url.slice(start, Math.max(start, question))
  return withoutBase(path, basePath)
}

/** The segment that an address ends with, decoded. */
export function lastInPath(address: string | undefined): string | undefined {
  const last = address
    ?.split(/[?#]/)[0]
    ?.split('/')
    .findLast((part) => part !== '')
  return last === undefined ? undefined : percentDecoded(last)
}

/** The query of a URL or of a path, decoded, as HAR has it. */
export function queryOf(url: string): { name: string; value: string }[] {
  const question = url.indexOf('?')
  return question < 0 ? [] : [...new URLSearchParams(url.slice(question + 1))].map(([name, value]) => ({ name, value }))
}

/**
 * A value as a part of a URL. Half of a surrogate pair is sent as the replacement character. JSON can spell it
 * (`"\ud800"`), and UTF-8 can not.
 */
export function percentEncoded(value: string): string {
  return encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
}

/** A part of a URL with its percent-encoding undone; unchanged if the encoding is wrong. */
export function percentDecoded(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What in a path may name something else behind a front that resolves it; undefined: nothing. */
export function unclearIn(path: string): string | undefined {
  const asked = path.split('?')[0] ?? ''
  const decoded = percentDecoded(asked)
  if (decoded === asked && asked.includes('%')) return 'a wrong or double percent-encoding'
  if (/%[0-9a-f]{2}/i.test(decoded)) return 'a wrong or double percent-encoding'
  if (path.includes('#') || /[\\;#?\p{Cc}]|%2f/iu.test(`${decoded}${asked}`))
    return 'a character that ends or divides it'
  return /(?:^|\/)\.{1,2}(?:\/|$)/.test(decoded) ? 'a dot segment' : undefined
}
