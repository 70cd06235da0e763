// Everything that is made, read, listed, changed and removed one by one: panels, dashboards, people, credentials...
import { randomBytes } from 'node:crypto'
import { alertBody, isObject } from './checks.mjs'
import { demand, invalid, Refused } from './http.mjs'

export const OWNER = 'owner@example.com'

/** Records of one kind under numbers that only grow. */
function createStore(first = 100) {
  const records = new Map()
  let next = first
  return {
    records,
    add(fields) {
      next += 1
      records.set(String(next), { no: next, ...fields })
      return records.get(String(next))
    },
    get(no, code = 'Gone') {
      const found = records.get(String(no))
      if (!found) throw new Refused(410, code, `there is no number ${no}`)
      return found
    },
  }
}

/** The five verbs of one collection below a path; `check` refuses what cannot be stored. */
function collection(path, { check = () => {}, extra = () => ({}), remove = true } = {}) {
  const store = createStore()
  const routes = {
    [`GET ${path}`]: () => ({ json: { total: store.records.size, entries: [...store.records.values()] } }),
    [`POST ${path}`]: ({ body }) => {
      if (!isObject(body)) throw invalid('an object is needed')
      check(body)
      return { status: 201, json: { created: store.add({ ...body, ...extra(body) }) } }
    },
    [`GET ${path}/:no`]: ({ params }) => ({ json: { entry: store.get(params.no) } }),
    [`PUT ${path}/:no`]: ({ params, body }) => {
      const { no } = store.get(params.no)
      check(body)
      store.records.set(String(no), { no, ...body, ...extra(body) })
    },
    ...(remove
      ? {
          [`DELETE ${path}/:no`]: ({ params }) => {
            store.get(params.no)
            store.records.delete(params.no)
          },
        }
      : {}),
  }
  return { store, routes }
}

const named = (field) => (body) => {
  if (typeof body[field] !== 'string' || body[field] === '') throw invalid(`${field} is needed`)
}

const keyName = (body) => {
  named('name')(body)
  if (body.name.length > 30) throw invalid('a name has at most 30 characters')
}

export function createConfig(drops, enterprise) {
  const panels = collection('/v1/config/panels', { check: named('caption'), remove: false })
  const presets = createStore(7000)
  const secret = () => randomBytes(16).toString('base64url')
  const keys = collection('/v1/config/credentials', {
    check(body) {
      keyName(body)
      if (body.sort === 'service') throw invalid('service keys are not made any more')
    },
    extra: () => ({ secret: secret() }),
  })
  enterprise.push({ id: 'ek-1', key: secret(), name: 'first', type: 'service', created: Date.now() })
  const people = new Map([[OWNER, { address: OWNER, rights: 'owner' }]])
  let storage

  const person = (address) => {
    const found = people.get(address)
    if (!found) throw new Refused(422, 'NotFound', `${address} is not an active member`)
    return found
  }
  const configured = () => {
    if (!storage) throw new Refused(404, 'NotConfigured', 'there is no cold storage')
    return storage
  }

  return {
    ...panels.routes,
    'DELETE /v1/config/screen/:no': ({ params }) => {
      panels.store.get(params.no, 'NotFound')
      panels.store.records.delete(params.no)
      return { json: { deleted: true } }
    },
    ...collection('/v1/config/dashboards', { check: named('caption') }).routes,
    ...collection('/v1/config/searches', { check: named('caption') }).routes,
    ...collection('/v1/config/folders', { check: named('caption') }).routes,
    ...collection('/v1/config/watchers', { check: named('caption') }).routes,
    ...keys.routes,

    'GET /v1/config/presets': () => ({
      json: {
        entries: [...presets.records.values()].map(({ no, name, channels }) => ({ no, heading: name, channels })),
      },
    }),
    'GET /v1/config/presets/:no': ({ params }) => ({ json: presets.get(params.no) }),
    'POST /v1/config/presetalert': ({ body }) => {
      demand(alertBody(body))
      presets.add(body)
      return { status: 200 }
    },
    'PUT /v1/config/presetalert/:no': ({ params, body }) => {
      const { no } = presets.get(params.no)
      demand(alertBody(body))
      presets.records.set(String(no), { no, ...body })
      return { status: 200 }
    },
    'DELETE /v1/config/presets/:no': ({ params }) => {
      presets.get(params.no)
      presets.records.delete(params.no)
    },

    'GET /v1/config/people': () => ({ json: { entries: [...people.values()] } }),
    'POST /v1/config/people': ({ body }) => {
      named('address')(body ?? {})
      if (people.has(body.address)) throw new Refused(409, 'Known', 'is a member already')
      people.set(body.address, body)
      return { status: 201, json: { created: body } }
    },
    'GET /v1/config/people/:address': ({ params }) => ({ json: { entry: person(params.address) } }),
    'PUT /v1/config/people/:address': ({ params, body }) => {
      people.set(params.address, { ...person(params.address), ...body, address: params.address })
    },
    'DELETE /v1/config/members/:address': ({ params }) => {
      if (person(params.address).rights === 'owner') throw new Refused(409, 'Conflict', 'the owner stays')
      people.delete(params.address)
      return { json: { message: `${params.address} has left`, deleted: true } }
    },

    'GET /v1/config/ingestion/drop-rules': () => ({ json: { entries: [...drops.values()] } }),
    'POST /v1/config/ingestion/drop-rules': ({ body }) => {
      named('caption')(body ?? {})
      const tag = `drop-${randomBytes(4).toString('hex')}`
      drops.set(tag, { tag, ...body })
      return { status: 201, json: { created: { tag } } }
    },
    'GET /v1/config/ingestion/drop-rules/:tag': ({ params }) => ({ json: { entry: rule(params.tag) } }),
    'PUT /v1/config/ingestion/drop-rules/:tag': ({ params, body }) => {
      drops.set(params.tag, { ...rule(params.tag), ...body })
    },
    'DELETE /v1/config/ingestion/exclusions/:tag': ({ params }) => {
      rule(params.tag)
      drops.delete(params.tag)
    },

    'GET /v1/config/cold-storage': () => ({ json: { storage: configured() } }),
    'POST /v1/config/cold-storage': ({ body }) => {
      named('kind')(body ?? {})
      if (storage) throw new Refused(409, 'Known', 'there is a cold storage already')
      storage = body
      return { status: 201, json: { storage } }
    },
    'PUT /v1/config/cold-storage': ({ body }) => {
      configured()
      storage = body
    },
    'DELETE /v1/config/cold-storage': () => {
      configured()
      storage = undefined
    },

    'GET /v1/enterprise/keys': ({ query }) => {
      if (query.has('colour')) throw new Refused(400, 'BadRequest', 'keys have no colour')
      return { json: enterprise }
    },
    'POST /v1/enterprise/keys': ({ body }) => {
      keyName(body ?? {})
      const key = {
        id: `ek-${randomBytes(5).toString('hex')}`,
        key: secret(),
        name: body.name,
        type: 'ingestion',
        created: Date.now(),
      }
      enterprise.push(key)
      return { status: 201, json: { created: key.id } }
    },
    'PUT /v1/enterprise/keys/:id': ({ params, body }) => {
      const key = enterprise.find(({ id }) => id === params.id)
      if (!key) throw new Refused(404, 'Gone', 'there is no such key')
      keyName(body ?? {})
      key.name = body.name
    },
    'DELETE /v1/enterprise/keys/:id': ({ params }) => {
      const place = enterprise.findIndex(({ id }) => id === params.id)
      if (place < 0) throw new Refused(404, 'Gone', 'there is no such key')
      enterprise.splice(place, 1)
    },
  }

  function rule(tag) {
    const found = drops.get(tag)
    if (!found) throw new Refused(404, 'no_such_rule', `there is no rule ${tag}`)
    return found
  }
}
