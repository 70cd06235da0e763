// Lines in, lines out: intake, both exports, usage, and the pause of the intake.
import { randomUUID } from 'node:crypto'
import { isObject } from './checks.mjs'
import { invalid, Refused } from './http.mjs'

const PAGE = 10_000
const DAY_MS = 86_400_000
const RETENTION_MS = 14 * DAY_MS

export function createLogs(drops) {
  /** in the order in which they came: {text, at, origin, service, severity, labels} */
  const lines = history(Date.now())
  let paused = false
  let code

  const isDropped = ({ service, origin }) =>
    [...drops.values()].some(
      ({ enabled, services = [], origins = [] }) => enabled && (services.includes(service) || origins.includes(origin)),
    )

  /** Lines that a query selects, the newest first. `upTo`: only those that came before so many. */
  function select(query, upTo) {
    const now = Date.now()
    const bound = (name, zero) => {
      const given = query.get(name)
      if (given === null) return zero
      if (!/^-?\d+$/.test(given)) throw invalid(`${name} is no time`)
      return Number(given) === 0 ? zero : Number(given) * 1000
    }
    const [after, before] = [bound('since', now - RETENTION_MS), bound('until', now)]
    const words = (name) => (query.get(name) ? new Set(query.get(name).split(',')) : undefined)
    const [origins, services, severities] = [words('origins'), words('services'), words('severities')]
    return lines
      .slice(0, upTo)
      .filter(
        (line) =>
          line.at >= after &&
          line.at <= before &&
          (origins?.has(line.origin) ?? true) &&
          (services?.has(line.service) ?? true) &&
          (severities?.has(line.severity) ?? true),
      )
      .sort((a, b) => b.at - a.at)
  }

  /** At most `most` of them, from the end of the period that is preferred. */
  function cut(selected, query, most) {
    const asked = Number(query.get('count') ?? most)
    if (!Number.isInteger(asked) || asked < 1) throw invalid('count is no number of lines')
    const count = Math.min(asked, most)
    return { count, ordered: query.get('side') === 'head' ? [...selected].reverse() : selected }
  }

  /** Rows of a report: what `namesOf` says of each line of the days, and how much `weigh` gives it. */
  function report(query, namesOf, weigh) {
    const times = ['from', 'to'].map((name) => {
      const given = query.get(name)
      if (!/^-?\d+$/.test(given ?? '')) throw invalid(`${name} is no time`)
      return Math.floor((Number(given) * 1000) / DAY_MS)
    })
    const most = query.get('top') ?? '1000000'
    if (!/^[1-9]\d*$/.test(most)) throw invalid('top is no number of rows')
    const sums = new Map()
    let total = 0
    for (const line of lines) {
      const day = Math.floor(line.at / DAY_MS)
      if (day < times[0] || day > times[1]) continue
      total += weigh(line)
      for (const name of namesOf(line)) sums.set(name, (sums.get(name) ?? 0) + weigh(line))
    }
    const rows = [...sums].sort((a, b) => b[1] - a[1]).slice(0, Number(most))
    return { rows, total }
  }
  const one = () => 1
  const bytes = ({ text }) => Buffer.byteLength(text)
  const by = {
    services: ({ service }) => [service],
    origins: ({ origin }) => [origin],
    labels: ({ labels }) => labels,
  }
  const shares = (query, namesOf, name, value) => {
    const { rows, total } = report(query, namesOf, one)
    return rows.map(([what, count]) => ({ [name]: what, [value]: (count * 100) / total }))
  }
  const sizes =
    (name) =>
    ({ query }) => ({
      json: { unit: 'bytes', rows: report(query, by[name], bytes).rows.map(([what, size]) => ({ what, size })) },
    })

  return {
    'POST /intake/batch': ({ body }) => {
      const records = body?.batch?.records
      if (!Array.isArray(records) || !records.every(isObject)) throw invalid('batch.records is a list of objects')
      let stored = 0
      for (const record of records) {
        const { text, at, origin, service, severity, labels = [] } = record
        if (typeof text !== 'string' || typeof at !== 'number') throw invalid('a record has text and at')
        if (paused || isDropped(record)) continue
        lines.push({ text, at, origin, service, severity, labels })
        stored += 1
      }
      return { status: 202, json: { stored } }
    },

    'GET /v1/lines': ({ query }) => {
      const selected = select(query)
      if (query.has('notify')) return { json: { queued: 'a link will be mailed' } }
      const { count, ordered } = cut(selected, query, PAGE)
      const text = ordered
        .slice(0, count)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join('')
      return { text, type: 'application/x-ndjson' }
    },
    'GET /v2/lines': ({ query }) => {
      const token = query.get('pagination_id')
      const known = token === null || token === '' || token === 'null' ? undefined : opened(token)
      const upTo = known?.upTo ?? lines.length
      const selection = new URLSearchParams(known?.query ?? query)
      selection.delete('pagination_id')
      // 'now' is the same for all pages of an export.
      if (!known && [null, '0'].includes(selection.get('until'))) {
        selection.set('until', String(Math.floor(Date.now() / 1000) + 1))
      }
      const { count, ordered } = cut(select(selection, upTo), selection, PAGE)
      const start = known?.start ?? 0
      const end = start + count
      const next = { query: selection.toString(), upTo, start: end }
      const more = end < ordered.length
      return { json: { lines: ordered.slice(start, end), pagination_id: more ? closed(next) : null } }
    },

    'GET /v1/usage/tags': ({ query }) => ({ json: { tags: shares(query, by.labels, 'tag', 'share') } }),
    'GET /v1/usage/services': ({ query }) => ({ json: { rows: shares(query, by.services, 'what', 'percent') } }),
    'GET /v1/usage/origins': ({ query }) => ({ json: { rows: shares(query, by.origins, 'what', 'percent') } }),
    'GET /v2/usage/services': sizes('services'),
    'GET /v2/usage/origins': sizes('origins'),
    'GET /v2/usage/labels': sizes('labels'),
    'GET /v2/usage/all': ({ query }) => {
      const { total } = report(query, by.services, bytes)
      return { json: { all: { size: total, count: report(query, by.services, one).total } } }
    },

    'GET /v1/intake': () => ({ json: { intake: { paused } } }),
    'POST /v1/intake/pause': () => {
      code = randomUUID()
      return { status: 202, json: { again: code } }
    },
    'PUT /v1/intake/pause': ({ body }) => {
      if (code === undefined || body?.again !== code) throw new Refused(409, 'WrongCode', 'that is not the code')
      code = undefined
      paused = true
    },
    'DELETE /v1/intake/pause': () => {
      code = undefined
      paused = false
    },
  }
}

const closed = (place) => Buffer.from(JSON.stringify(place)).toString('base64url')

function opened(token) {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    throw invalid('pagination_id is none of ours')
  }
}

/** A service that has been in use for a while: a few lines of each of the last days. */
function history(now) {
  return Array.from({ length: 12 * 24 }, (_, hour) => ({
    text: `hour ${hour} went by`,
    at: now - (hour + 1) * 3_600_000,
    origin: `host-${hour % 3}`,
    service: hour % 2 === 0 ? 'shop' : 'stock',
    severity: 'info',
    labels: ['old', `team-${hour % 4}`],
  })).reverse()
}
