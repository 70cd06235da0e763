import type { TargetOperation } from '../../schemas/binding.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import { at, pointerSegment } from '../../schemas/pointer.ts'
import { UsageError } from '../errors.ts'
import { type SeenRoute, type Source, unclear } from './exchanges.ts'
import { type Documented, followed, listOf, NOTHING, routesIn, type Schema, sampleOf } from './openapi-document.ts'
import { type Fields, isInList, isRecord, leavesOf, listsIn } from './places.ts'
import { assign, withAccount } from './routes.ts'
import { shipped } from './shipped.ts'
import { LINE_FIELDS, nameAmong, namesAmong, namesFor, plain } from './vocabulary.ts'

/**
 * A document as exchanges: of each operation one, whose values have the names of their fields. `name`: as messages call it.
 * `account`: its id, where the paths stand in one. @throws UsageError where that is missing
 */
export function fromOpenApi(document: Fields, name: string, account?: string): Source {
  const all = withAccount(routesIn(document), (parameter, inside) => {
    const id = account ?? inside.map(({ fixed }) => fixed[parameter]).find((one) => one !== undefined)
    if (id !== undefined) return id
    const what = `${inside.length} operations stand below {${parameter}}, and it does not say its value`
    throw new UsageError({ where: name, what, hint: 'give it as --account ID' })
  })
  const { routes: assigned, open } = assign(all)
  const routes = new Map<string, SeenRoute>()
  for (const operation of shipped()[0].operations.values()) {
    const route = assigned.get(operation.id) ?? all.find(({ also }) => also.includes(operation.id))
    if (route) routes.set(operation.id, seenIn(route, operation, document, name))
  }
  return {
    routes,
    answers: answersIn(assigned, document, name),
    ...unclear(open, name),
  }
}

function seenIn(route: Documented, operation: TargetOperation, document: Fields, name: string): SeenRoute {
  const { method, path, names, request, response, parameters, status } = route
  // A schema that says nothing shows no places.
  const isKnown = response !== undefined && (response.types.length > 0 || Object.keys(response.properties).length > 0)
  const fixed = Object.entries(operation.query).filter(([one]) => parameters.includes(one))
  const query = Object.fromEntries(parameters.map((one) => [one, one]))
  const sent = request && sampleOf(request)
  return {
    method,
    path,
    names,
    seen: [{ ids: [], query, sent, answer: isKnown ? sampleOf(response) : undefined, status }],
    count: 1,
    from: `${name}: ${method} ${path}`,
    sure: 'documented',
    told: toldIn(route),
    body: bodyFor(route, operation),
    ...(operation.id === 'ingest-lines' && request ? ofLines(request) : {}),
    query: fixed.length > 0 && !path.includes('{') ? Object.fromEntries(fixed) : undefined,
    also: operation.specified ? undefined : alsoNeeded(route, operation, document),
    pages: operation.specified || operation.verb !== 'list' ? undefined : pagesOf(route),
  }
}

/** The families whose credentials an operation needs beside its own. */
function alsoNeeded({ together }: Documented, { family }: TargetOperation, document: Fields): SeenRoute['also'] {
  const schemes = together.map((name) => followed(document, at(document, `/components/securitySchemes/${name}`)))
  const needed = schemes.flatMap((one) => (isRecord(one) ? (familyOf(String(one.name ?? one.scheme)) ?? []) : []))
  const also = [...new Set(needed)].filter((one) => one !== family && !(one === 'v1' && /^v/.test(family)))
  return together.length > 1 && also.length > 0 ? also : undefined
}

/** How a list goes on. */
function pagesOf({ parameters, response, firstPage = 1 }: Documented): SeenRoute['pages'] {
  const parameter = nameAmong('pagination_id', parameters)
  const leaves = response && parameter !== undefined ? leavesOf(sampleOf(response)) : []
  const next = leaves.find(({ name, pointer }) => NEXT.test(name) && !isInList(pointer))?.pointer
  if (parameter !== undefined && next !== undefined) return { parameter, next }
  if (!parameters.includes('page')) return undefined
  return { parameter: 'page', ...(firstPage === 1 ? {} : { first: firstPage }) }
}

/** `prev_cursor` leads back. */
const NEXT = /^(?!.*prev).*(next|cursor)/i

/** Whose credentials stand in a header field; undefined: assay has none for it. */
function familyOf(header: string): 'v1' | 'enterprise' | 'ingestion' | undefined {
  if (/^enterprise-/i.test(header)) return 'enterprise'
  if (/^(authorization|servicekey|bearer)$/i.test(header)) return 'v1'
  return /ingest|intake|^(x-)?api-?key$|log-key/i.test(header) ? 'ingestion' : undefined
}

/** Places in the answer that the document marks, and the id that its links name. */
function toldIn({ response, links }: Documented): Record<string, string> {
  const told: Record<string, string> = {}
  const walk = (schema: Schema, pointer: string): void => {
    for (const answer of schema.answers) told[answer] ??= pointer
    for (const [field, inner] of Object.entries(schema.properties)) walk(inner, `${pointer}/${pointerSegment(field)}`)
  }
  if (response) walk(response, '')
  // `"path.screen_id": "$response.body#/created/no"`
  for (const link of Object.values(links)) {
    for (const value of Object.values(isRecord(link) && isRecord(link.parameters) ? link.parameters : {})) {
      const pointer = typeof value === 'string' ? /^\{?\$response\.body#(\/[^}]*)\}?$/.exec(value)?.[1] : undefined
      if (pointer !== undefined) told.id ??= pointer
    }
  }
  return told
}

/**
 * A sample body of the form that the document gives: the shipped one under its names, with what it requires beside.
 * Undefined if the shipped one will do, or no source has one.
 */
function bodyFor(
  { request, example }: Pick<Documented, 'request' | 'example'>,
  operation: TargetOperation,
): Fields | undefined {
  if (!request || Object.keys(request.properties).length === 0) return undefined
  if (operation.id === 'ingest-lines') return ofLines(request)?.body
  const names = Object.keys(request.properties)
  const sample = isRecord(operation.body) ? operation.body : {}
  const [only = ''] = names
  const inner = request.properties[only] ?? NOTHING
  // A record stands in one field, which has its name.
  if (
    names.length === 1 &&
    Object.keys(inner.properties).length > 0 &&
    !Object.keys(sample).some((ours) => nameAmong(ours, names))
  ) {
    const own = { request: inner, example: isRecord(example) ? example[only] : undefined }
    return { [only]: bodyFor(own, operation) ?? sample }
  }
  const renamed = Object.fromEntries(
    Object.entries(sample).flatMap(([ours, value]) => {
      const others = names.filter((one) => sample[one] === undefined)
      const name = names.includes(ours) ? ours : nameAmong(ours, others)
      if (name === undefined) return []
      const allowed = request.properties[name]?.values ?? []
      const isAllowed = allowed.length === 0 || allowed.includes(value) || typeof value === 'object'
      // There is one owner of an account, and it stays.
      return [[name, isAllowed ? value : allowed.find((one) => one !== 'owner')]]
    }),
  )
  const given = isRecord(example) ? example : {}
  const missing = request.required.filter((name) => renamed[name] === undefined && names.includes(name))
  const filled = Object.fromEntries(
    missing.map((name) => [name, sampleValue(name, request.properties[name] ?? NOTHING, given[name])]),
  )
  const body = { ...renamed, ...filled }
  return Object.keys(body).length === 0 || JSON.stringify(body) === JSON.stringify(sample) ? undefined : body
}

/** How a body sends lines: its first list of records, what stands beside it, and the names of their fields. */
function ofLines(request: Schema): Pick<SeenRoute, 'body' | 'fields' | 'forms'> | undefined {
  const sample = sampleOf(request)
  const [list] = listsIn(sample).filter((pointer) => isRecord((at(sample, pointer) as unknown[])[0]))
  if (list === undefined || list === '') return undefined
  const [row] = at(sample, list) as [Fields]
  const names = Object.keys(row)
  const fields = namesAmong(LINE_FIELDS, names)
  const fill = (schema: Schema, pointer: string): Fields =>
    Object.fromEntries(
      Object.entries(schema.properties).flatMap(([name, inner]): [string, unknown][] => {
        const own = `${pointer}/${name}`
        if (own === list) return [[name, '{{lines}}']]
        if (list.startsWith(`${own}/`)) return [[name, fill(inner, own)]]
        const known = ['host', 'tags'].find((ours) => fields[ours] === undefined && nameAmong(ours, [name]))
        if (known !== undefined) return [[name, `{{${known}}}`]]
        return schema.required.includes(name) ? [[name, sampleValue(name, inner)]] : []
      }),
    )
  const lines = schemaAt(request, list)?.items?.properties
  const isIso = fields.time !== undefined && lines?.[fields.time]?.format === 'date-time'
  return { body: fill(request, ''), fields, ...(isIso ? { forms: { time: 'iso' } } : {}) }
}

function schemaAt(schema: Schema, pointer: string): Schema | undefined {
  const names = pointer.split('/').slice(1)
  return names.reduce<Schema | undefined>((inner, name) => inner?.properties[name], schema)
}

const IDS: Readonly<Record<string, string>> = {
  viewid: 'view_id',
  search: 'view_id',
  pipelineid: 'pipeline_id',
  transformgroupid: 'transform_group_id',
  generationid: 'generation_id',
}

/** A value for a field that a target wants and our sample lacks. */
export function sampleValue(name: string, schema: Schema, example?: unknown): unknown {
  const word = plain(name)
  const id = IDS[word.replace(/(ref|uuid)$/, 'id')]
  if (id !== undefined) return `{{${id}}}`
  if (schema.values.length > 0) return schema.values[0]
  const isText = schema.types.length === 0 || schema.types.includes('string')
  if (isText && namesFor('title').includes(word)) return '{{label}}'
  if (isText && /mail|^address$/.test(word)) return '{{email}}'
  return example ?? schema.example ?? sampleOf(schema, 'assay')
}

const VENDORS = ['vendor-hec', 'vendor-agent', 'vendor-monitoring-source', 'vendor-event-hub']

/** Gaps that take a value, as far as only the document shows one. */
function answersIn(assigned: ReadonlyMap<string, Documented>, document: Fields, name: string): Source['answers'] {
  const answers = new Map<string, { value: unknown; from: string; sure: 'documented' }>()
  const set = (gap: string, value: unknown, from: string): void =>
    void answers.set(gap, { value, from: `${name}: ${from}`, sure: 'documented' })
  const [field, values] = Object.entries(assigned.get('update-processing-status')?.request?.properties ?? {})[0] ?? []
  if (field !== undefined && values) {
    const [on, off] = values.types.includes('boolean') ? [true, false] : values.values
    if (on !== undefined && off !== undefined)
      set(
        'GAP-PROCESSING-STATUS-BODY',
        { enabled: { [field]: on }, disabled: { [field]: off } },
        'the body of update-processing-status',
      )
  }
  // Where the specification writes `vendor`, a document has the vendor's name.
  const kinds = Object.values(assigned.get('create-source')?.request?.properties ?? {}).flatMap(
    ({ values: all }) => all,
  )
  const named = VENDORS.flatMap((kind): [string, unknown][] => {
    const own = kinds.filter((one) => String(one).endsWith(kind.replace('vendor', '')))
    return own.length === 1 ? [[kind, own[0]]] : []
  })
  if (named.length > 0) set('GAP-VENDOR-KINDS', Object.fromEntries(named), 'the kinds of create-source')
  const headers = ingestionHeader(document, assigned.get('ingest-lines'))
  if (headers) set('GAP-INGESTION-AUTH', { headers }, 'the security scheme of ingest-lines')
  // A document that `assay openapi` made holds the answers of its binding.
  for (const gap of listOf(document['x-gaps'])) {
    if (!isRecord(gap) || typeof gap.id !== 'string' || gap.answered !== true) continue
    const entry = ledger().get(gap.id)
    if (entry && isGap(entry) && entry.answer !== undefined && gap.answer !== true) set(gap.id, gap.answer, 'x-gaps')
  }
  return answers
}

function ingestionHeader(document: Fields, route: Documented | undefined): Record<string, string> | undefined {
  const schemes = at(document, '/components/securitySchemes')
  const name = route?.security[0]
  const scheme = isRecord(schemes) && name !== undefined ? followed(document, schemes[name]) : undefined
  if (!isRecord(scheme)) return undefined
  const word = /^(bearer|basic)$/i.exec(String(scheme.scheme))?.[0].toLowerCase()
  if (scheme.type === 'http' && word !== undefined)
    return { authorization: `${word === 'basic' ? 'Basic' : 'Bearer'} {{ingestionKey}}` }
  if (scheme.type !== 'apiKey' || scheme.in !== 'header') return undefined
  const before = /`(\w+ )<[^>]*>`/.exec(String(scheme.description ?? ''))?.[1] ?? ''
  return { [String(scheme.name).toLowerCase()]: `${before}{{ingestionKey}}` }
}
