import { invalid, Refusal, violated } from '../core/refusal.ts'
import type { Call, Handler } from '../core/route.ts'
import type { Kind } from '../core/things.ts'
import { type Fields, type Thing, things } from '../model/state.ts'

const FILTERS = ['query', 'hosts', 'apps', 'levels', 'tags'] as const

/** integration -> the fields that it needs */
const INTEGRATIONS: Readonly<Record<string, readonly string[]>> = {
  s3: ['bucket'],
  ibm: ['bucket', 'endpoint', 'apikey', 'resourceinstanceid'],
  azblob: ['accountname', 'accountkey'],
  gcs: ['bucket', 'projectid'],
  dos: ['space', 'endpoint', 'accesskey', 'secretkey'],
  swift: ['authurl', 'username', 'password', 'tenantname'],
}

const SECRETS = new Set(['apikey', 'accountkey', 'accesskey', 'secretkey', 'password'])

/** The one archiving configuration: its integration and the fields of that, all of which have to be there. */
const archiving: Kind = {
  idField: null,
  keyOf: () => 'archiving',
  settled(body, { state }, before) {
    const { integration } = body
    const known = typeof integration === 'string' && Object.hasOwn(INTEGRATIONS, integration)
    const fields = known ? INTEGRATIONS[integration] : undefined
    if (!fields) throw invalid('/integration', `must be one of ${Object.keys(INTEGRATIONS).join(', ')}`)
    for (const field of fields) {
      if (typeof body[field] !== 'string' || body[field] === '')
        throw invalid(`/${field}`, 'must be a string with content')
    }
    if (!before && things(state, 'archiving').size > 0) throw new Refusal('Conflict', 'archiving is configured already')
    return Object.fromEntries(['integration', ...fields].map((field) => [field, body[field]]))
  },
  // Secrets go in and do not come out.
  shown: ({ body }) => Object.fromEntries(Object.entries(body).filter(([name]) => !SECRETS.has(name))),
}

/** There is one owner, who can neither be made nor unmade here. */
const member: Kind = {
  idField: 'email',
  keyOf: (id, body) => String(body?.email ?? id).toLowerCase(),
  fields: { email: '', role: 'member', groups: [] },
  merges: true,
  settled(body, { state }, before) {
    if (!before && things(state, 'member').has(String(body.email).toLowerCase()))
      throw new Refusal('Conflict', `${body.email} is a member already`)
    const { role, email } = before?.body ?? {}
    if (before && body.role !== role && (body.role === 'owner' || role === 'owner'))
      throw new Refusal('Conflict', 'the ownership of the account cannot be changed')
    return before ? { ...body, email } : body
  },
  /** Rule 11: takes the member out of the organisation; the owner stays. */
  leaving({ body }) {
    if (body.role === 'owner') throw new Refusal('Conflict', `${body.email} owns the account and cannot be removed`)
  },
  gone: ({ body }) => ({ message: `${body.email} was removed from the account`, deleted: true }),
}

/** A key from the body's `name` and the query's `type` (`ingestion` by default), checked by the rules of a key. */
const key: Kind = {
  fields: { name: '' },
  settled(body, { env, query }, before) {
    const fresh = { key: env.newId().replaceAll('-', ''), type: query.get('type') ?? 'ingestion', created: env.now() }
    const made: Fields = before ? body : { ...body, ...fresh }
    if (made.name === '') throw invalid('/name', 'must not be empty')
    const violations = env.validator.violations('key', { id: before?.id ?? '', ...made })
    if (violations.length > 0) throw violated(violations)
    return made
  },
}

/** Service keys of the organisation are deprecated: those that exist work, new ones are not made. */
function keyOfOrganisation(body: Fields, call: Call, before: Thing | undefined): Fields {
  const made = key.settled?.(body, call, before) ?? body
  if (made.type === 'service') throw new Refusal('BadRequest', 'service keys can no longer be created')
  return made
}

export const configurationKinds: Readonly<Record<string, Kind>> = {
  'preset-alert': { idField: 'presetid' },
  // Rule 13. The result of its removal has one field.
  screen: { gone: () => ({ deleted: true }) },
  board: {},
  view: {
    idField: 'viewid',
    settled(body) {
      const filters = FILTERS.map((name) => body[name]) as (string | readonly string[] | undefined)[]
      if (filters.every((filter) => filter === undefined || filter.length === 0))
        throw invalid('', `must have at least one of ${FILTERS.join(', ')}`)
      return body
    },
  },
  // An alert is a preset alert's body that belongs to one view.
  alert: {
    idField: 'alertid',
    settled(body, { state }) {
      if (!things(state, 'view').has(String(body.viewid))) throw invalid('/viewid', 'names no view')
      return body
    },
  },
  category: {
    settled(body, { state }, before) {
      const taken = [...things(state, 'category').values()].some((one) => one !== before && one.body.name === body.name)
      if (taken) throw new Refusal('Conflict', `there is a category ${String(body.name)} already`)
      return body
    },
    // The path that the binding gives is that of categories of views.
    shown: ({ body }) => ({ ...body, type: 'views' }),
  },
  member,
  key: { ...key, settled: keyOfOrganisation },
  'enterprise-key': key,
  archiving,
}

/** Rule 15: the list of the enterprise's keys takes neither query parameters nor a body. */
export function listKeys(list: Handler): Handler {
  return (call) => {
    const [parameter] = call.query.keys()
    if (parameter !== undefined) throw new Refusal('BadRequest', `"${parameter}" is not a parameter of this request`)
    if (call.request.body.length > 0) throw new Refusal('BadRequest', 'the request takes no body')
    return list(call)
  }
}
