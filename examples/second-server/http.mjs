// Requests in, answers out: routing, credentials, and what a refusal looks like.
import { createServer } from 'node:http'

/** What a handler throws to refuse a request. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const invalid = (message) => new Refused(422, 'Unprocessable', message)

/** Throws where a check finds something wrong. */
export function demand(fault) {
  if (fault !== undefined) throw invalid(fault)
}

/** `{ 'GET /v1/things/:id': handler }` -> a function that finds the handler of a request; literal parts win. */
function router(routes) {
  const all = Object.entries(routes).map(([line, handler]) => {
    const [method, path] = line.split(' ')
    const parts = path.split('/')
    return { method, parts, handler, names: parts.filter((part) => part.startsWith(':')).length }
  })
  all.sort((a, b) => a.names - b.names)
  return (method, path) => {
    const given = path.split('/')
    for (const { method: wanted, parts, handler } of all) {
      if (wanted !== method || parts.length !== given.length) continue
      const params = {}
      const fits = parts.every((part, index) => {
        if (!part.startsWith(':')) return part === given[index]
        params[part.slice(1)] = decode(given[index])
        return given[index] !== ''
      })
      if (fits) return { handler, params }
    }
    return undefined
  }
}

function decode(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Who may call what. Lines have a key of their own, enterprise paths another. */
function admitted(path, headers, secrets) {
  if (path.startsWith('/intake/')) {
    const keys = secrets.made.flatMap(({ type, key }) => (type === 'ingestion' ? [key] : []))
    return [secrets.ingestion, ...keys].some((key) => headers['x-intake-key'] === `Key ${key}`)
  }
  if (path.startsWith('/v1/enterprise/')) return headers['enterprise-servicekey'] === secrets.enterprise
  if (headers.authorization === `Token ${secrets.token}`) return true
  return !path.startsWith('/v3/') && headers.servicekey === secrets.service
}

/** Starts to listen; resolves with the URL. A handler gets {params, query, body} and returns {status, json, text}. */
export function serve(routes, secrets, port) {
  const find = router(routes)
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const { pathname, searchParams } = new URL(request.url, 'http://second.invalid')
      const send = ({ status = 200, json, text, type = 'application/json' }) => {
        const body = text ?? (json === undefined ? '' : JSON.stringify(json))
        response.writeHead(status, { ...(body === '' ? {} : { 'content-type': type }), 'x-served-by': 'second' })
        response.end(body)
      }
      try {
        const found = find(request.method, pathname)
        if (!admitted(pathname, request.headers, secrets)) throw new Refused(403, 'Forbidden', 'who are you?')
        if (!found) throw new Refused(404, 'NoSuchPlace', 'there is nothing here')
        const body = parsed(Buffer.concat(chunks).toString())
        send((await found.handler({ params: found.params, query: searchParams, body })) ?? { status: 204 })
      } catch (thrown) {
        const { status, code, message } = thrown instanceof Refused ? thrown : new Refused(500, 'Bug', String(thrown))
        const pipelines = pathname.startsWith('/v3/')
        const plain = pathname.includes('/exclusions/')
          ? { code, error: message }
          : { status: 'error', code, error: message }
        send({ status, json: pipelines ? { problems: [{ what: message, sort: code }] } : plain })
      }
    })
  })
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`))
  })
}

function parsed(text) {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(400, 'NotJson', 'the body is not JSON')
  }
}
