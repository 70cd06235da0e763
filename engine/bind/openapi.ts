import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { isGap, ledger } from '../../schemas/ledger.ts'
import { at } from '../../schemas/pointer.ts'
import { type Findings, type FoundOperation, noFindings, verbsOf } from './found.ts'
import { type Documented, followed, listOf, NOTHING, routesIn, type Schema, sampleOf } from './openapi-document.ts'
import { type Fields, isRecord, leavesOf, listsIn, parentOf } from './places.ts'
import { assign, withOurNames } from './routes.ts'
import { nameAmong, namesFor, plain } from './vocabulary.ts'

/** What a document says of the operations. `name`: as messages call it. */
export function fromOpenApi(document: Fields, name: string, shipped: Binding): Findings {
  const routes = routesIn(document)
  const { routes: assigned, open } = assign(routes, shipped)
  const findings = noFindings()
  for (const [id, why] of open) findings.open.set(id, `${name}: ${why}`)
  for (const operation of shipped.operations.values()) {
    const route = assigned.get(operation.id) ?? routes.find(({ also }) => also.includes(operation.id))
    if (!route) continue
    findings.operations.set(operation.id, foundIn(route, operation, name, shipped))
  }
  for (const type of shipped.resources.keys()) noteResource(findings, type, shipped, assigned)
  noteAnswers(findings, assigned, document, name)
  return findings
}

function foundIn(route: Documented, operation: TargetOperation, name: string, shipped: Binding): FoundOperation {
  const body = bodyFor(route, operation)
  // A schema that says nothing shows no places.
  const isKnown =
    route.response !== undefined &&
    (route.response.types.length > 0 || Object.keys(route.response.properties).length > 0)
  const sample = isKnown && route.response ? sampleOf(route.response) : undefined
  const answer = answersIn(route, operation, sample)
  return {
    id: operation.id,
    method: route.method as FoundOperation['method'],
    path: operation.specified ? operation.path : withOurNames(route.path, operation),
    ...queryFor(route, operation),
    ...(body === undefined ? {} : { body }),
    parameters: parametersIn(route, operation),
    fields: fieldsFor(operation, sample, answer, shipped),
    answer,
    status: route.status,
    ...(sample === undefined ? {} : { shape: sample }),
    from: `${name}: ${route.method} ${route.path}`,
    sure: 'documented',
  }
}

/** A path that names the pipeline needs no parameter for it. */
function queryFor(route: Documented, operation: TargetOperation): { query?: Record<string, string> } {
  const known = Object.entries(operation.query)
  if (known.length === 0) return {}
  const query = known.filter(([name]) => route.parameters.includes(name))
  return route.path.includes('{') && operation.id === 'get-state-variables'
    ? { query: {} }
    : { query: Object.fromEntries(query.length > 0 ? query : known) }
}

function parametersIn({ parameters }: Documented, operation: TargetOperation): Record<string, string> {
  return Object.fromEntries(
    Object.keys(operation.parameters).flatMap((ours) => {
      const name = parameters.includes(ours) ? ours : nameAmong(ours, parameters)
      return name === undefined ? [] : [[ours, name]]
    }),
  )
}

/** JSON pointers of what assay reads of a response: told by the document, by its links, or by the names of its fields. */
function answersIn(route: Documented, operation: TargetOperation, sample: unknown): Record<string, string> {
  const told: Record<string, string> = {}
  const walk = (schema: Schema, pointer: string): void => {
    for (const answer of schema.answers) told[answer] ??= pointer
    for (const [field, inner] of Object.entries(schema.properties))
      walk(inner, `${pointer}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
  if (route.response) walk(route.response, '')
  const wanted = Object.keys(operation.answer)
  const found: Record<string, string> = { ...told }
  const linked = linkedId(route)
  if (linked !== undefined) found.id ??= linked
  if (wanted.includes('list')) {
    const [list] = listsIn(sample)
    if (list !== undefined) found.list ??= list
  }
  const id =
    found.id ??
    leavesOf(sample).find(({ name, pointer }) => !/\/\d+(\/|$)/.test(pointer) && isIdName(name, operation.id))?.pointer
  if (wanted.includes('id') && id !== undefined) found.id = id
  // The record is what holds the id.
  if (wanted.includes('record') && id !== undefined) found.record ??= parentOf(id)
  for (const name of ['generation', 'pagination_id', 'processing_status'] as const) {
    if (!wanted.includes(name)) continue
    const leaf = leavesOf(sample).find((one) => namesFor(name).includes(plain(one.name)))
    if (leaf) found[name] ??= leaf.pointer
  }
  for (const [name, words] of Object.entries(FLAGS)) {
    const leaf =
      wanted.includes(name) || name === 'suspended'
        ? leavesOf(sample).find((one) => words.test(plain(one.name)))
        : undefined
    if (leaf && (operation.id === 'get-ingestion-status' || wanted.includes(name))) found[name] ??= leaf.pointer
  }
  if (found.suspended !== undefined && found.ingesting !== undefined) delete found.ingesting
  const [events] = wanted.includes('events') ? listsIn(sample) : []
  if (events !== undefined) found.events ??= events
  return found
}

const FLAGS: Readonly<Record<string, RegExp>> = {
  suspended: /suspend|pause|stopped/,
  ingesting: /ingesting|isactive|running|accepting/,
  deleted: /^deleted$/,
  message: /^message$/,
  token: /token|code|^again$|confirmation/,
}

function isIdName(name: string, operation: string): boolean {
  const word = plain(name)
  const noun = plain(operation.replace(/^\w+-/, ''))
  return (
    namesFor('id').slice(0, 6).includes(word) ||
    word === `${noun}id` ||
    (noun === 'member' && namesFor('email').includes(word)) ||
    (operation.includes('preset') && word === 'presetid')
  )
}

/** `"path.screen_id": "$response.body#/created/no"`: what a document says of the id that other operations take. */
function linkedId({ links }: Documented): string | undefined {
  for (const link of Object.values(links)) {
    const values = isRecord(link) && isRecord(link.parameters) ? Object.values(link.parameters) : []
    for (const value of values) {
      const pointer = typeof value === 'string' ? /^\{?\$response\.body#(\/[^}]*)\}?$/.exec(value)?.[1] : undefined
      if (pointer !== undefined) return pointer
    }
  }
  return undefined
}

/**
 * A sample body of the form that the document gives: the shipped one under its names, with what it requires beside.
 * Undefined if the shipped one will do, or no source has one.
 */
function bodyFor({ request, example }: Documented, operation: TargetOperation): Fields | undefined {
  if (!request || Object.keys(request.properties).length === 0) return undefined
  const names = Object.keys(request.properties)
  const sample = isRecord(operation.body) ? operation.body : {}
  const renamed = Object.fromEntries(
    Object.entries(sample).flatMap(([ours, value]) => {
      const name = names.includes(ours)
        ? ours
        : nameAmong(
            ours,
            names.filter((one) => sample[one] === undefined),
          )
      if (name === undefined) return []
      const allowed = request.properties[name]?.values ?? []
      const isAllowed = allowed.length === 0 || allowed.includes(value) || typeof value === 'object'
      return [[name, isAllowed ? value : allowed[0]]]
    }),
  )
  const given = isRecord(example) ? example : {}
  const missing = request.required.filter((name) => renamed[name] === undefined && names.includes(name))
  const filled = Object.fromEntries(
    missing.map((name) => [name, sampleValue(name, request.properties[name] ?? NOTHING, given[name])]),
  )
  const body = { ...renamed, ...filled }
  if (operation.id === 'ingest-lines') return linesIn(request)
  return Object.keys(body).length === 0 || JSON.stringify(body) === JSON.stringify(sample) ? undefined : body
}

/** The place of the lines in the body that sends them: its first list. */
function linesIn(request: Schema): Fields | undefined {
  const [list] = listsIn(sampleOf(request))
  if (list === undefined || list === '') return undefined
  const body = list
    .slice(1)
    .split('/')
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), '{{lines}}')
  return isRecord(body) ? body : undefined
}

const IDS: Readonly<Record<string, string>> = {
  viewid: 'view_id',
  search: 'view_id',
  pipelineid: 'pipeline_id',
  transformgroupid: 'transform_group_id',
}

function sampleValue(name: string, schema: Schema, example: unknown): unknown {
  const word = plain(name)
  if (IDS[word] !== undefined) return `{{${IDS[word]}}}`
  if (word === 'generationid') return '{{generation_id}}'
  if (namesFor('title').includes(word)) return '{{label}}'
  if (/mail|^address$/.test(word) && schema.types.includes('string')) return '{{email}}'
  if (example !== undefined) return example
  if (schema.example !== undefined) return schema.example
  return sampleOf(schema, 'assay')
}

/** Fields that the record of a response has under another name than the body that makes it. */
function fieldsFor(
  operation: TargetOperation,
  sample: unknown,
  answer: Readonly<Record<string, string>>,
  shipped: Binding,
): Record<string, string> {
  const list = answer.list === undefined ? undefined : at(sample, answer.list)
  const record = Array.isArray(list) ? list[0] : answer.record === undefined ? undefined : at(sample, answer.record)
  if (!isRecord(record)) return {}
  const isRows = /usage|^export/.test(operation.id)
  const type = [...shipped.resources.keys()].find((one) => {
    const verbs = verbsOf(one, shipped)
    return verbs.list === operation.id || verbs.read === operation.id
  })
  if (!isRows && type === undefined) return {}
  const create = type === undefined ? undefined : shipped.operations.get(verbsOf(type, shipped).create)
  const ours = isRows ? Object.keys(operation.fields) : Object.keys(isRecord(create?.body) ? create.body : {})
  const places = leavesOf(record).filter(({ pointer }) => !/\/\d+(\/|$)/.test(pointer))
  return Object.fromEntries(
    ours.flatMap((name): [string, string][] => {
      if (record[name] !== undefined) return isRows ? [[name, name]] : []
      const found = nameAmong(
        name,
        places.map((one) => one.name),
      )
      const place = found === undefined ? undefined : places.find((one) => one.name === found)
      if (!place) return []
      const isDeep = place.pointer.lastIndexOf('/') > 0
      return [[name, isDeep ? place.pointer : place.name]]
    }),
  )
}

/** The field that carries the name, and the one that carries the id in a list. */
function noteResource(
  findings: Findings,
  type: string,
  shipped: Binding,
  assigned: ReadonlyMap<string, Documented>,
): void {
  const { create, read, list } = verbsOf(type, shipped)
  const made = findings.operations.get(create)
  if (!made) return
  const body = made.body ?? shipped.operations.get(create)?.body
  const label = isRecord(body)
    ? Object.entries(body).find(([, value]) => value === '{{label}}' || value === '{{email}}')?.[0]
    : undefined
  const route = assigned.get(list)
  const sample = route?.response && sampleOf(route.response)
  const elements = sample === undefined ? undefined : at(sample, findings.operations.get(list)?.answer?.list ?? '')
  const element: unknown = Array.isArray(elements) ? elements[0] : undefined
  const shown = isRecord(element) ? Object.keys(element).find((name) => isIdName(name, create)) : undefined
  const id = findings.operations.get(read)?.answer?.id ?? made.answer?.id
  const own = id?.split('/').at(-1)
  const key = shown ?? own ?? shipped.resources.get(type)?.key
  if (label !== undefined || key !== undefined)
    findings.resources.set(type, { ...(label === undefined ? {} : { label }), ...(key === undefined ? {} : { key }) })
}

/** Gaps that take a value, as far as the document shows one. */
function noteAnswers(
  findings: Findings,
  assigned: ReadonlyMap<string, Documented>,
  document: Fields,
  name: string,
): void {
  const set = (gap: string, value: unknown, from: string): void =>
    void findings.answers.set(gap, { value, from: `${name}: ${from}`, sure: 'documented' })
  for (const type of ['source', 'transform']) {
    const body = assigned.get(`update-${type}`)?.request
    const kind = body && nameAmong('type', Object.keys(body.properties))
    if (kind !== undefined) set(`GAP-${type.toUpperCase()}-KIND-FIELD`, kind, `the body of update-${type}`)
  }
  const limit = findings.operations.get('list-usage-by-tag')?.parameters?.limit
  if (limit !== undefined) set('GAP-USAGE-LIMIT-PARAMETER', limit, 'a parameter of list-usage-by-tag')
  const events = findings.operations.get('start-tap')?.answer?.events
  if (events !== undefined) set('GAP-TAP-ANSWER', { events }, 'the response of start-tap')
  const status = assigned.get('update-processing-status')?.request
  const [field, values] = Object.entries(status?.properties ?? {})[0] ?? []
  if (field !== undefined && values) {
    const [on, off] = values.types.includes('boolean') ? [true, false] : values.values
    if (on !== undefined && off !== undefined)
      set(
        'GAP-PROCESSING-STATUS-BODY',
        { enabled: { [field]: on }, disabled: { [field]: off } },
        'the body of update-processing-status',
      )
  }
  const header = ingestionHeader(document, assigned.get('ingest-lines'))
  if (header) set('GAP-INGESTION-AUTH', { headers: header }, 'the security scheme of ingest-lines')
  // A document that `assay openapi` made holds the answers of its binding.
  for (const gap of listOf(document['x-gaps'])) {
    if (!isRecord(gap) || typeof gap.id !== 'string' || gap.answered !== true) continue
    const entry = ledger().get(gap.id)
    if (entry && isGap(entry) && entry.answer !== undefined && gap.answer !== true) set(gap.id, gap.answer, 'x-gaps')
  }
}

function ingestionHeader(document: Fields, route: Documented | undefined): Record<string, string> | undefined {
  const schemes = at(document, '/components/securitySchemes')
  const name = route?.security[0]
  const scheme = isRecord(schemes) && name !== undefined ? followed(document, schemes[name]) : undefined
  if (!isRecord(scheme)) return undefined
  if (scheme.type === 'http' && String(scheme.scheme).toLowerCase() === 'bearer')
    return { authorization: 'Bearer {{ingestionKey}}' }
  if (scheme.type !== 'apiKey' || scheme.in !== 'header') return undefined
  const word = /`(\w+ )<[^>]*>`/.exec(String(scheme.description ?? ''))?.[1] ?? ''
  return { [String(scheme.name).toLowerCase()]: `${word}{{ingestionKey}}` }
}
