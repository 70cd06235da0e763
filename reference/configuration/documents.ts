import { empty, isPending, ok } from '../core/message.ts'
import { invalid, notFound, Refusal } from '../core/refusal.ts'
import { bodyOf, type Call, family, type Handler, param, type Route } from '../core/route.ts'
import type { Document } from '../model/configuration.ts'
import type { CategoryOf, State } from '../model/state.ts'

/** A kind of resource whose body is kept as it was sent. */
interface DocumentKind {
  readonly word: string
  /** the path placeholder and the field of the record that carry the id */
  readonly placeholder: string
  readonly idField: string
  readonly of: (state: State) => Map<string, Document>
  /** throws a Refusal where the body, though well-formed, cannot be stored; `self`: the document that it replaces */
  readonly check?: (body: Readonly<Record<string, unknown>>, call: Call, self: Document | undefined) => void
}

interface DocumentHandlers {
  readonly create: Handler
  readonly get: Handler
  readonly list: Handler
  readonly update: Handler
  readonly remove: Handler
}

/** The usual five operations on one kind of document. */
function documentHandlers(kind: DocumentKind): DocumentHandlers {
  const record = (document: Document): Record<string, unknown> => ({ ...document.body, [kind.idField]: document.id })
  const documentOf = (call: Call): Document => {
    const document = kind.of(call.state).get(param(call, kind.placeholder))
    if (!document) throw notFound(`there is no ${kind.word} ${param(call, kind.placeholder)}`)
    return document
  }
  return {
    create: (call) => {
      const body = bodyOf(call)
      kind.check?.(body, call, undefined)
      const document: Document = { id: call.env.newId(), body }
      kind.of(call.state).set(document.id, document)
      return ok(record(document))
    },
    get: (call) => ok(record(documentOf(call))),
    list: (call) => ok([...kind.of(call.state).values()].map(record)),
    update: (call) => {
      const document = documentOf(call)
      const body = bodyOf(call)
      kind.check?.(body, call, document)
      document.body = body
      return ok(record(document))
    },
    remove: (call) => {
      const document = documentOf(call)
      kind.of(call.state).delete(document.id)
      return ok({ message: `${kind.word} ${document.id} was deleted`, deleted: true })
    },
  }
}

/** Where the documents of a kind stand, and what their operations are called. */
interface Collection extends DocumentKind {
  /** the ids of the operations end in it: `create-board` */
  readonly type: string
  readonly plural: string
  readonly path: string
  /** the schema of the bodies that create and update take */
  readonly schema: string
  /** where an operation answers otherwise than the usual one */
  readonly answers?: (usual: DocumentHandlers) => Partial<DocumentHandlers>
}

const v1 = family('v1', 'v1')

function routesOf({ type, plural, path, schema, answers, ...kind }: Collection): Route[] {
  const usual = documentHandlers(kind)
  const { create, list, get, update, remove } = { ...usual, ...answers?.(usual) }
  const one = `${path}/{${kind.placeholder}}`
  return [
    v1(`create-${type}`, 'POST', path, create, schema),
    v1(`list-${plural}`, 'GET', path, list),
    v1(`get-${type}`, 'GET', one, get),
    v1(`update-${type}`, 'PUT', one, update, schema),
    v1(`delete-${type}`, 'DELETE', one, remove),
  ]
}

/** Create and update answer 200 without a body; what they made is found in the list. */
function silent(handler: Handler): Handler {
  return (call) => {
    handler(call)
    return empty()
  }
}

const FILTERS = ['query', 'hosts', 'apps', 'levels', 'tags'] as const

/** The categories of one kind of thing; a name stands for one category of its kind. */
function categoriesOf(things: CategoryOf, suffix: string): Collection {
  const of = (state: State): State['views'] => state.categories[things]
  return {
    type: `category${suffix}`,
    plural: `categories${suffix}`,
    path: `/v1/config/categories/${things}`,
    schema: 'named-body',
    word: 'category',
    placeholder: 'category_id',
    idField: 'id',
    of,
    check: ({ name }, { state }, self) => {
      const taken = [...of(state).values()].some((one) => one !== self && one.body.name === name)
      if (taken) throw new Refusal('Conflict', `there is a category ${String(name)} already`)
    },
  }
}

const COLLECTIONS: readonly Collection[] = [
  {
    type: 'preset-alert',
    plural: 'preset-alerts',
    path: '/v1/config/presetalert',
    schema: 'preset-alert',
    word: 'preset alert',
    placeholder: 'presetId',
    idField: 'presetid',
    of: ({ presets }) => presets,
    answers: ({ create, update }) => ({ create: silent(create), update: silent(update) }),
  },
  {
    type: 'screen',
    plural: 'screens',
    path: '/v1/config/screen',
    schema: 'titled-body',
    word: 'screen',
    placeholder: 'screen_id',
    idField: 'id',
    of: ({ screens }) => screens,
    // Rule 13. The result of this operation has one field.
    answers: ({ remove }) => ({
      remove: (call) => {
        const reply = remove(call)
        return isPending(reply) ? reply : ok({ deleted: true })
      },
    }),
  },
  {
    type: 'board',
    plural: 'boards',
    path: '/v1/config/board',
    schema: 'titled-body',
    word: 'board',
    placeholder: 'board_id',
    idField: 'id',
    of: ({ boards }) => boards,
  },
  {
    type: 'view',
    plural: 'views',
    path: '/v1/config/view',
    schema: 'view-body',
    word: 'view',
    placeholder: 'view_id',
    idField: 'viewid',
    of: ({ views }) => views,
    check: (body) => {
      const filters = FILTERS.map((name) => body[name]) as (string | readonly string[] | undefined)[]
      if (filters.every((filter) => filter === undefined || filter.length === 0)) {
        throw invalid('', `must have at least one of ${FILTERS.join(', ')}`)
      }
    },
  },
  // An alert is a preset alert's body that belongs to one view.
  {
    type: 'alert',
    plural: 'alerts',
    path: '/v1/config/alert',
    schema: 'preset-alert',
    word: 'alert',
    placeholder: 'alert_id',
    idField: 'alertid',
    of: ({ alerts }) => alerts,
    check: ({ viewid }, { state }) => {
      if (!state.views.has(String(viewid))) throw invalid('/viewid', 'names no view')
    },
  },
  // The category operations are those of views; boards and screens have the same under ids of their own.
  categoriesOf('views', ''),
  categoriesOf('boards', '-of-boards'),
  categoriesOf('screens', '-of-screens'),
]

export const documentRoutes: readonly Route[] = COLLECTIONS.flatMap(routesOf)

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

const PATH = '/v1/config/archiving'

export const archivingRoutes: readonly Route[] = [
  v1('get-archiving', 'GET', PATH, get),
  v1('create-archiving', 'POST', PATH, create, 'object-body'),
  v1('update-archiving', 'PUT', PATH, replace, 'object-body'),
  v1('delete-archiving', 'DELETE', PATH, remove),
]
