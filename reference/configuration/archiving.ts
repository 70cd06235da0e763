import { ok } from '../core/message.ts'
import { invalid, notFound, Refusal } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, type Route } from '../core/route.ts'

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

type Archiving = Readonly<Record<string, unknown>>

const get: Handler = (call) => ok(shown(current(call)))

const create: Handler = (call) => {
  const archiving = sent(call)
  if (call.state.archiving) throw new Refusal('Conflict', 'archiving is configured already')
  call.state.archiving = archiving
  return ok(shown(archiving))
}

const replace: Handler = (call) => {
  const archiving = sent(call)
  current(call)
  call.state.archiving = archiving
  return ok(shown(archiving))
}

const remove: Handler = (call) => {
  current(call)
  call.state.archiving = null
  return ok({ message: 'archiving is no longer configured', deleted: true })
}

function current(call: Call): Archiving {
  if (!call.state.archiving) throw notFound('archiving is not configured')
  return call.state.archiving
}

/** The integration and its fields, all of which have to be there. */
function sent(call: Call): Archiving {
  const body = bodyOf(call)
  const { integration } = body
  const known = typeof integration === 'string' && Object.hasOwn(INTEGRATIONS, integration)
  const fields = known ? INTEGRATIONS[integration] : undefined
  if (!fields) throw invalid('/integration', `must be one of ${Object.keys(INTEGRATIONS).join(', ')}`)
  for (const field of fields) {
    if (typeof body[field] !== 'string' || body[field] === '')
      throw invalid(`/${field}`, 'must be a string with content')
  }
  return Object.fromEntries([['integration', integration], ...fields.map((field) => [field, body[field]])])
}

// Secrets go in and do not come out.
function shown(archiving: Archiving): Archiving {
  return Object.fromEntries(Object.entries(archiving).filter(([name]) => !SECRETS.has(name)))
}

const v1 = family('v1', 'v1')
const PATH = '/v1/config/archiving'

export const archivingRoutes: readonly Route[] = [
  v1('get-archiving', 'GET', PATH, get),
  v1('create-archiving', 'POST', PATH, create, 'object-body'),
  v1('update-archiving', 'PUT', PATH, replace, 'object-body'),
  v1('delete-archiving', 'DELETE', PATH, remove),
]
