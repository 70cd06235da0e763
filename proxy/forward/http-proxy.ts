import { createRequire } from 'node:module'
import util from 'node:util'
import type httpProxy from 'http-proxy'

/**
 * http-proxy, loaded in such a way that it copies objects with `Object.assign`: it asks for `util._extend`, of which
 * newer versions of Node warn on the terminal of users who can do nothing about it.
 */
export function loadHttpProxy(): typeof httpProxy {
  const shared = util as { _extend?: unknown }
  const before = shared._extend
  shared._extend = Object.assign
  try {
    return createRequire(import.meta.url)('http-proxy') as typeof httpProxy
  } finally {
    shared._extend = before
  }
}
