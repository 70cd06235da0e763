import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Binding, TargetOperation } from '../../../schemas/binding.ts'
import { createMatcher, fillPath } from '../../../schemas/matcher.ts'
import { specifiedOperations } from '../../../schemas/operations.ts'
import { pointerSegments } from '../../../schemas/pointer.ts'
import type { Served, World } from '../../testing/world.ts'
import { effective } from './bound.ts'

type Body = Readonly<Record<string, unknown>>
type Spelling = 'kebab' | 'snake' | 'camel'

/** How a service writes what the specification leaves open. */
export interface Style {
  /** path of its base URL */
  readonly base: string
  readonly plural: boolean
  readonly paths: Spelling
  /** stands in paths for `config`; '' for nothing */
  readonly config: string
  /** names around a body, from the outside */
  readonly envelope: readonly string[]
  /** stands beside the body, in the outermost of these */
  readonly beside: Body
  /** the field of a list; undefined: the list itself; '': named after what it holds */
  readonly listKey: string | undefined
  readonly id: 'id' | '_id' | 'kind'
  /** of settings */
  readonly ids: 'uuids' | 'numbers' | 'words'
  readonly names: 'snake' | 'camel'
  /** stands for the field `title` of responses */
  readonly title: string
  readonly update: 'PUT' | 'PATCH' | 'POST'
  readonly statuses: { readonly made: number; readonly changed: number; readonly deleted: number }
  /** what things are called */
  readonly words: Readonly<Record<string, string>>
}

/** What services call the things of this interface. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  screen: ['screen', 'panel'],
  board: ['board', 'dashboard'],
  view: ['view', 'saved-view'],
  category: ['category', 'view-category'],
  alert: ['alert', 'monitor'],
  preset: ['preset', 'preset-alert'],
  member: ['member', 'user'],
  key: ['key', 'api-key'],
  exclusion: ['exclusion', 'exclusion-rule'],
  archiving: ['archiving', 'archive'],
  app: ['app', 'application'],
  pipeline: ['pipeline', 'flow'],
  source: ['source', 'input'],
  transform: ['transform', 'processor'],
  group: ['transform-group', 'group'],
  revision: ['revision', 'version'],
  route: ['gateway-route', 'route'],
}

export function styleOf(seed: number): Style {
  const pick = <T>(about: string, ...values: readonly T[]): T => {
    const number = createHash('sha256').update(`${seed} ${about}`).digest().readUInt32BE()
    return values[number % values.length] as T
  }
  return {
    base: pick('base', '', '/api', '/logs/api'),
    plural: pick('plural', true, false),
    paths: pick<Spelling>('paths', 'kebab', 'snake', 'camel'),
    config: pick('config', 'config', 'settings', ''),
    envelope: pick<string[]>('envelope', [], ['data'], ['result'], ['response', 'body']),
    beside: pick<Body>('beside', {}, { errors: [] }, { status: 'ok', links: [] }),
    listKey: pick('list', undefined, 'items', 'entries', ''),
    id: pick<Style['id']>('id', 'id', '_id', 'kind'),
    ids: pick<Style['ids']>('ids', 'uuids', 'numbers', 'words'),
    names: pick<Style['names']>('names', 'snake', 'camel'),
    title: pick('title', 'title', 'name', 'caption', 'label'),
    update: pick<Style['update']>('update', 'PUT', 'PATCH', 'POST'),
    statuses: { made: pick('made', 200, 201), changed: pick('changed', 200, 204), deleted: pick('deleted', 200, 204) },
    words: Object.fromEntries(Object.entries(WORDS).map(([word, names]) => [word, pick(word, ...names)])),
  }
}

/** Paths of the reference, and what they are about. */
const PLACES: readonly (readonly [path: string, ...words: string[]])[] = [
  ['/v1/config/categories/views', 'v1', 'config', 'category*'],
  ['/v1/config/ingestion/exclusions', 'v1', 'config', 'ingestion', 'exclusion*'],
  ['/v1/config/ingestion', 'v1', 'config', 'ingestion'],
  ['/v1/config/presetalert', 'v1', 'config', 'preset*'],
  ['/v1/config/archiving', 'v1', 'config', 'archiving'],
  ['/v1/config/members', 'v1', 'config', 'member*'],
  ['/v1/config/screen', 'v1', 'config', 'screen*'],
  ['/v1/config/board', 'v1', 'config', 'board*'],
  ['/v1/config/alert', 'v1', 'config', 'alert*'],
  ['/v1/config/view', 'v1', 'config', 'view*'],
  ['/v1/config/keys', 'v1', 'config', 'key*'],
  ['/v1/usage/apps', 'v1', 'usage', 'app*'],
  ['/v2/usage/apps', 'v2', 'usage', 'app*'],
  ['/v3/pipeline/gateway-route', 'v3', 'route*'],
  ['/v3/transform-group', 'v3', 'group*'],
  ['/v3/pipeline', 'v3', 'pipeline*'],
]
/** Parts of paths below those of pipelines. */
const PARTS: Readonly<Record<string, string>> = {
  source: 'source*',
  transform: 'transform*',
  'transform-group': 'group*',
  revision: 'revision*',
}

function spelled(name: string, spelling: Spelling): string {
  const words = name.split(/[-_]/)
  if (spelling !== 'camel') return words.join(spelling === 'snake' ? '_' : '-')
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
}

function pathIn(style: Style, path: string): string {
  const word = (token: string): string[] => {
    if (token === 'config') return style.config === '' ? [] : [style.config]
    const name = style.words[token.replace('*', '')] ?? token
    const many = style.plural && token.endsWith('*')
    return [spelled(many ? name.replace(/([^aeiou])y$/, '$1ie').concat('s') : name, style.paths)]
  }
  const [from, ...words] = PLACES.find(([own]) => path === own || path.startsWith(`${own}/`)) ?? ['']
  const rest = path.slice(from.length).split('/').slice(1)
  const parts = from.startsWith('/v3')
    ? rest.flatMap((part) => (part.startsWith('{') ? [part] : word(PARTS[part] ?? part)))
    : rest
  return from === '' ? path : `/${[...words.flatMap(word), ...parts].join('/')}`
}

/** Operations whose responses are as the specification shows them, or as lines are. */
const SHOWN = new Set([
  ...specifiedOperations().flatMap(({ id, response: { body } }) => (body === 'open' ? [] : [id])),
  ...['create-enterprise-key', 'delete-enterprise-key', 'ingest-lines', 'export-v1', 'export-v2'],
])
/** Operations that are of a thing, and not one of its five. */
const ABOUT: Readonly<Record<string, string>> = {
  'publish-pipeline': 'pipeline',
  'update-processing-status': 'pipeline',
  'replace-gateway-route': 'gateway-route',
  'add-signing-key': 'gateway-route',
  'switch-group-revision': 'placed-group',
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const isRecord = (value: unknown): value is Body => value !== null && typeof value === 'object' && !Array.isArray(value)

/** The thing that an operation answers with, and what its id is called. */
interface About {
  readonly type: string
  readonly idName: string
}

/** The reference in a style. */
class Styled {
  /** as it is bound */
  readonly binding: Binding
  readonly #style: Style
  readonly #reference: Binding
  /** ids of settings, and what stands for them */
  readonly #own = new Map<string, number | string>()
  readonly #ids = new Map<string, string>()

  constructor(style: Style) {
    this.#style = style
    this.#reference = effective('reference', '/')
    const operations = [...this.#reference.operations].map(([id, one]): [string, TargetOperation] => [
      id,
      one.specified
        ? { ...one, answer: this.#places(one) }
        : { ...one, method: this.#method(one), path: pathIn(style, one.path), answer: this.#places(one) },
    ])
    this.binding = { ...this.#reference, operations: new Map(operations) }
  }

  listener(upstream: string): (request: IncomingMessage, response: ServerResponse) => void {
    const match = createMatcher(this.binding.operations.values())
    const behind = createMatcher(this.#reference.operations.values())
    return async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { pathname, search } = new URL(request.url ?? '', 'http://styled.invalid')
      const own = pathname.startsWith(this.#style.base) ? pathname.slice(this.#style.base.length) : '/nowhere'
      const found = match(request.method ?? '', own)
      const known = found && this.#reference.operations.get(found.operation.id)
      const params = Object.fromEntries(
        Object.entries(found?.params ?? {}).map(([name, value]) => [name, this.#ids.get(value) ?? value]),
      )
      const path = known ? fillPath(known.path, params) : ''
      // An operation that this style lacks is answered like any unknown path.
      const isThere = known !== undefined && behind(known.method, path)?.operation.id === known.id
      const url = new URL((isThere ? path : '/v1/nowhere/at/all') + search, upstream)
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
      const whole = Buffer.concat(chunks).toString()
      const send = (method: string, body?: string): Promise<Response> =>
        fetch(url, { method, headers: headers as Record<string, string>, ...(body === undefined ? {} : { body }) })
      const method = known?.method ?? request.method ?? ''
      const isPart = known !== undefined && request.method === 'PATCH' && method === 'PUT'
      const before = isPart ? await (await send('GET')).text() : undefined
      const answer = await send(method, whole === '' ? undefined : this.#sent(whole, known, before))
      const text = await answer.text()
      const type = answer.headers.get('content-type')
      const status = known && answer.ok ? this.#status(known, answer.status) : answer.status
      response.writeHead(status, type === null ? {} : { 'content-type': type })
      response.end(known && answer.ok ? (status === 204 ? '' : this.#shown(known, text)) : text)
    }
  }

  #isChange({ id, specified }: TargetOperation): boolean {
    return id.startsWith('update-') && !specified
  }

  #method(operation: TargetOperation): string {
    if (!this.#isChange(operation)) return operation.method
    // A resource that exists only once is made by POST.
    return operation.id === 'update-archiving' && this.#style.update === 'POST' ? 'PUT' : this.#style.update
  }

  #status(operation: TargetOperation, status: number): number {
    const { made, changed, deleted } = this.#style.statuses
    if (operation.specified || SHOWN.has(operation.id)) return status
    if (this.#isChange(operation)) return changed
    if (operation.id.startsWith('delete-')) return deleted
    return operation.id.startsWith('create-') ? made : status
  }

  #about(id: string): About {
    const { resources } = this.#reference
    const type =
      ABOUT[id] ??
      [...resources].find(([name, one]) =>
        [one.create, one.read, one.list, one.delete, `update-${name}`].includes(id),
      )?.[0] ??
      ''
    // Addresses are ids as well, and no such ones.
    return { type, idName: ['member', 'archiving'].includes(type) ? '' : (resources.get(type)?.key ?? '') }
  }

  #name(name: string, about: About | undefined): string {
    const { id, names, title } = this.#style
    if (about !== undefined && name === about.idName) return id === 'kind' ? spelled(`${about.type}-id`, names) : id
    const own = { title, viewid: 'view-id', presetid: 'preset-id', alertid: 'alert-id' }[name] ?? name
    return /^[a-z]+([-_][a-z]+)+$/.test(own) ? spelled(own, names) : own
  }

  #places(operation: TargetOperation): Record<string, string> {
    const { id, family, answer } = operation
    if (SHOWN.has(id)) return { ...answer }
    const { envelope, listKey, statuses } = this.#style
    if (this.#isChange(operation) && statuses.changed === 204) return {}
    if (id.startsWith('delete-') && !operation.specified && statuses.deleted === 204) return {}
    const about = this.#about(id)
    const pointer = (place: string, isList: boolean): string => {
      const segments = pointerSegments(place).slice(family === 'v3' ? 1 : 0)
      const inner = segments.map((name, index) => this.#name(name, index === 0 ? about : undefined))
      const list = isList && inner.length === 0 && listKey !== undefined ? [listKey || about.type || 'rows'] : []
      return [...envelope, ...list, ...inner].map((name) => `/${name}`).join('')
    }
    return Object.fromEntries(Object.entries(answer).map(([name, place]) => [name, pointer(place, name === 'list')]))
  }

  #shown({ id, family }: TargetOperation, text: string): string {
    if (SHOWN.has(id) || text === '') return text
    const { envelope, beside, listKey } = this.#style
    const whole: unknown = JSON.parse(text)
    const inner = family === 'v3' && isRecord(whole) && 'data' in whole ? whole.data : whole
    const about = this.#about(id)
    const own = Array.isArray(inner)
      ? inner.map((one) => this.#value(one, about, family))
      : this.#value(inner, about, family)
    const body =
      Array.isArray(own) && listKey !== undefined ? { total: own.length, [listKey || about.type || 'rows']: own } : own
    const wrapped = envelope.reduceRight<unknown>((held, name) => ({ [name]: held }), body)
    return JSON.stringify(envelope.length > 0 ? { ...beside, ...(wrapped as Body) } : wrapped)
  }

  #value(value: unknown, about: About | undefined, family: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#value(one, undefined, family))
    if (isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => {
          const isId = /id$/.test(name) && family === 'v1' && typeof inner === 'string'
          return [this.#name(name, about), isId ? this.#id(inner) : this.#value(inner, undefined, family)]
        }),
      )
    }
    return value
  }

  #id(id: string): unknown {
    const { ids } = this.#style
    if (ids === 'uuids' || !UUID.test(id)) return id
    const number = 1_000 + this.#own.size
    const own = this.#own.get(id) ?? (ids === 'numbers' ? number : `n${number}`)
    this.#own.set(id, own)
    this.#ids.set(String(own), id)
    return own
  }

  /** A request body as it is behind: under the names that are there, and whole where only a part was sent. */
  #sent(text: string, operation: TargetOperation | undefined, before: string | undefined): string {
    if (operation === undefined || operation.specified || operation.family !== 'v1') return text
    const { type } = this.#about(operation.id)
    const behind = new Map(
      ['title', 'viewid', 'presetid', 'alertid'].map((name) => [this.#name(name, undefined), name]),
    )
    const renamed = (value: unknown): unknown =>
      isRecord(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, inner]) => {
              const plain = name === this.#style.title && !TITLED.has(type) ? name : (behind.get(name) ?? name)
              return [plain, /id$/.test(plain) ? (this.#ids.get(String(inner)) ?? inner) : inner]
            }),
          )
        : value
    try {
      const sent = renamed(JSON.parse(text)) as Body
      return JSON.stringify(before === undefined ? sent : { ...(JSON.parse(before) as Body), ...sent })
    } catch {
      return text
    }
  }
}

/** Settings that go by a title, and not by a name. */
const TITLED = new Set(['board', 'screen', 'exclusion'])

/** Starts the reference in a style, before a served one; returns its URL and how it is bound. */
export async function startStyled(
  world: World,
  style: Style,
  served: Served,
): Promise<{ readonly url: string; readonly binding: Binding }> {
  const styled = new Styled(style)
  const listener = styled.listener(served.url)
  const url = await world.http((request, response) => void listener(request, response))
  return { url: `${url}${style.base}`, binding: styled.binding }
}
