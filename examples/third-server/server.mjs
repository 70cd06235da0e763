// A service in a third style, in front of an existing one: plural paths, answers in {"result": …}, and numbers for ids.
// Some names are in camelCase, others in snake_case. UPSTREAM is the address of the one behind it, such as that of
// `assay serve`.
import { createServer } from 'node:http'

const upstream = process.env.UPSTREAM ?? 'http://127.0.0.1:8300'

/** Its paths, and those behind it. The longest beginning wins; whatever is not here has the path of the specification. */
const PATHS = [
  ['/v1/config/screens', '/v1/config/screen'],
  ['/v1/config/boards', '/v1/config/board'],
  ['/v1/config/views', '/v1/config/view'],
  ['/v1/config/viewCategories', '/v1/config/categories/views'],
  ['/v1/config/alerts', '/v1/config/alert'],
  ['/v1/config/presetAlerts', '/v1/config/presetalert'],
  ['/v1/config/users', '/v1/config/members'],
  ['/v1/config/api_keys', '/v1/config/keys'],
  ['/v1/config/exclusion_rules', '/v1/config/ingestion/exclusions'],
  ['/v1/config/archives', '/v1/config/archiving'],
  ['/v1/usage/applications', '/v1/usage/apps'],
  ['/v2/usage/applications', '/v2/usage/apps'],
  ['/v3/gatewayRoutes', '/v3/pipeline/gateway-route'],
  ['/v3/transform_groups', '/v3/transform-group'],
  ['/v3/pipelines', '/v3/pipeline'],
]
/** Parts of paths below those. */
const PARTS = { sources: 'source', processors: 'transform', transformGroups: 'transform-group', revisions: 'revision' }
/** Names in bodies: its own, and those behind it. Those of bodies that the specification shows stay. */
const NAMES = { displayName: 'title', view_id: 'viewid', presetId: 'presetid', alertId: 'alertid', viewId: 'viewid' }
const SHOWN = {
  title: 'displayName',
  viewid: 'viewId',
  presetid: 'presetId',
  alertid: 'alertId',
  generation_id: 'generationId',
  deploy_type: 'deployType',
}
/** Exchanges whose bodies the specification shows. */
const AS_SPECIFIED =
  /^(GET \/v1\/enterprise\/keys|GET \/v[12]\/export|GET \/v1\/usage\/tags|DELETE \/v1\/config\/(members|screen)\/|(POST|PUT) \/v1\/config\/presetalert|POST \/logs\/)/

/** Numbers for the ids of settings. Only pipelines have ids of the form that the specification asks for. */
const numbers = new Map()
const ids = new Map()
const numberOf = (id) => {
  if (!numbers.has(id)) {
    numbers.set(id, 1000 + numbers.size)
    ids.set(String(numbers.get(id)), id)
  }
  return numbers.get(id)
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ID_NAMES = new Set(['id', 'viewid', 'presetid', 'alertid'])

function pathBehind(path) {
  // A path that exists under another name does not exist under its own.
  const moved = PATHS.find(([own]) => path === own || path.startsWith(`${own}/`))
  const [own, behind] = moved ?? ['', '']
  const rest = path.slice(own.length).split('/')
  const parts = moved?.[0].startsWith('/v3/') ? rest.map((part) => PARTS[part] ?? part) : rest
  return behind + parts.map((part) => ids.get(part) ?? part).join('/')
}

/** Paths that it does not have: those behind its own, but for what the specification has there. */
const SPECIFIED =
  /^(DELETE \/v1\/config\/(screen|members|ingestion\/exclusions)\/[^/]+|POST \/v1\/config\/presetalert|PUT \/v1\/config\/presetalert\/[^/]+|POST \/v3\/transform-group\/from-pipeline|(PUT|POST) \/v3\/pipeline\/[^/]+\/(processing-status|transform-group|tap|transform|source)(\/.*)?|PATCH \/v3\/pipeline\/(state-variable|gateway-route\/[^/]+)|PUT \/v3\/pipeline\/gateway-route\/[^/]+\/signing-key|GET \/v3\/pipeline\/state-variable)$/
const BEHIND = new Set(Object.values(PARTS))
const isHidden = (method, path) => {
  if (SPECIFIED.test(`${method} ${path}`)) return false
  if (PATHS.some(([own]) => path === own || path.startsWith(`${own}/`))) {
    return path.startsWith('/v3/') && path.split('/').some((part) => BEHIND.has(part) || part === 'gateway-route')
  }
  return PATHS.some(([, behind]) => path === behind || path.startsWith(`${behind}/`))
}

const renamed = (value, names) => {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [names[name] ?? name, renamed(inner, names)]))
}
const sentBehind = (value) => ids.get(String(value)) ?? value
const numbered = (value) => {
  if (Array.isArray(value)) return value.map(numbered)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      ID_NAMES.has(name) && typeof inner === 'string' && UUID.test(inner) ? numberOf(inner) : numbered(inner),
    ]),
  )
}

/** What was answered behind it, as it answers itself. */
function shown(method, path, own, text) {
  if (text === '') return text
  const value = JSON.parse(text)
  if (AS_SPECIFIED.test(`${method} ${own}`)) return text
  const isPipelines = path.startsWith('/v3/')
  const inner = isPipelines && value !== null && typeof value === 'object' && 'data' in value ? value.data : value
  const body = renamed(isPipelines ? inner : numbered(inner), SHOWN)
  return JSON.stringify({ result: Array.isArray(body) ? { items: body, totalCount: body.length } : body })
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', async () => {
    const { pathname, search } = new URL(request.url, 'http://third.invalid')
    const path = pathBehind(pathname)
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const whole = Buffer.concat(chunks)
    let body = whole.length === 0 ? undefined : whole
    try {
      const isOwn = PATHS.some(([own]) => pathname.startsWith(own)) && path !== pathname
      if (body !== undefined && isOwn && !path.startsWith('/v3/')) {
        const sent = renamed(JSON.parse(body.toString()), NAMES)
        if (sent !== null && 'viewid' in sent) sent.viewid = sentBehind(sent.viewid)
        body = JSON.stringify(sent)
      }
    } catch {
      // The server behind it refuses bodies that are not JSON.
    }
    // Operations that it lacks are answered like any other unknown path.
    const place = isHidden(request.method, pathname) ? `${pathname}-nowhere/none/none` : path
    const send = () =>
      fetch(upstream + place + search, {
        method: request.method,
        headers: { ...headers, connection: 'close' },
        body,
        redirect: 'manual',
      })
    const answer = await send().catch(() => undefined)
    if (answer === undefined) {
      response.writeHead(502, { 'content-type': 'application/json' })
      return void response.end('{"error":"there is no answer from behind it","code":"BadGateway","status":"error"}')
    }
    const text = await answer.text()
    const type = answer.headers.get('content-type')
    const out =
      answer.ok && type?.includes('json') && !type.includes('ndjson')
        ? shown(request.method, path, pathname, text)
        : text
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type })
    response.end(out)
  })
})
server.listen(Number(process.env.PORT ?? 8400), '127.0.0.1', () => {
  process.stdout.write(`listens on http://127.0.0.1:${server.address().port}, before ${upstream}\n`)
})
