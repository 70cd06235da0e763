import { openUnchanged } from '../../fixtures/recording/read.ts'
import type { Binding, TargetOperation } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type Findings, type FoundOperation, noFindings, verbsOf } from './found.ts'
import {
  type Fields,
  fieldsIn,
  idsIn,
  isRecord,
  isSame,
  leavesOf,
  listsIn,
  listWith,
  placesOf,
  recordIn,
} from './places.ts'
import { assign, outline, withOurNames } from './routes.ts'
import { note, type SeenRoute, templatesOf } from './traffic.ts'
import { nameAmong, namesFor, plain } from './vocabulary.ts'

/** What recorded traffic shows of the operations. @throws RecordingError */
export async function fromRecording(path: string, name: string, shipped: Binding): Promise<Findings> {
  const recording = await openUnchanged(path)
  const routes = new Map<string, SeenRoute>()
  const matches = templatesOf(shipped)
  for await (const exchange of recording.exchanges()) note(routes, exchange, matches)
  return fromRoutes([...routes.values()], name, shipped)
}

/** The same of exchanges that are at hand. */
export function fromExchanges(exchanges: Iterable<Exchange>, name: string, shipped: Binding): Findings {
  const routes = new Map<string, SeenRoute>()
  const matches = templatesOf(shipped)
  for (const exchange of exchanges) note(routes, exchange, matches)
  return fromRoutes([...routes.values()], name, shipped)
}

function fromRoutes(all: readonly SeenRoute[], name: string, shipped: Binding): Findings {
  const findings = noFindings()
  const { routes, open } = assign(all, shipped)
  for (const [id, why] of open) findings.open.set(id, `${name}: ${why}`)
  for (const operation of shipped.operations.values()) {
    const route = routes.get(operation.id)
    if (route) findings.operations.set(operation.id, foundIn(route, operation, name))
  }
  for (const type of shipped.resources.keys()) noteThing(findings, type, shipped, routes)
  noteRows(findings, routes, shipped)
  noteShown(findings, routes)
  noteAnswers(findings, routes, name)
  return findings
}

function foundIn(route: SeenRoute, operation: TargetOperation, name: string): FoundOperation {
  const times = route.count === 1 ? '1 exchange' : `${route.count} exchanges`
  const parameters = [...new Set(route.seen.flatMap(({ query }) => Object.keys(query)))]
  return {
    id: operation.id,
    method: route.method as FoundOperation['method'],
    path: operation.specified ? operation.path : withOurNames(route.path, operation),
    ...(operation.id === 'get-state-variables' && route.path.includes('{') ? { query: {} } : {}),
    parameters: Object.fromEntries(
      Object.keys(operation.parameters).flatMap((ours) => {
        const found = parameters.includes(ours) ? ours : nameAmong(ours, parameters)
        return found === undefined ? [] : [[ours, found]]
      }),
    ),
    answer: plainAnswers(route, operation),
    status: route.seen[0]?.status,
    ...fullest(route),
    from: `${name}: ${times} of ${route.method} ${outline(route.path)}`,
    sure: 'recorded',
  }
}

/** The answer that shows most: a place that it does not have is not inherited. */
function fullest({ seen }: SeenRoute): { shape?: unknown } {
  const answers = seen.map(({ answer }) => answer).filter((answer) => answer !== undefined)
  const [most] = answers.sort((a, b) => leavesOf(b).length - leavesOf(a).length)
  return most === undefined ? {} : { shape: most }
}

/** Places that are found by names, and not by sent values. */
function plainAnswers({ seen }: SeenRoute, operation: TargetOperation): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { answer } of seen) {
    for (const [name, words] of Object.entries(WORDS)) {
      if (operation.answer[name] === undefined && name !== 'suspended') continue
      if (name === 'suspended' && operation.id !== 'get-ingestion-status') continue
      const leaf = leavesOf(answer).find(
        (one) =>
          words.test(plain(one.name)) &&
          (typeof one.value === 'boolean') === (name !== 'token' && name !== 'status' && name !== 'message'),
      )
      if (leaf) found[name] ??= leaf.pointer
    }
  }
  if (found.suspended !== undefined) delete found.ingesting
  for (const { answer, sent } of seen) Object.assign(found, specialPlaces(operation.id, answer, sent))
  return found
}

/** Places that one kind of operation has. */
function specialPlaces(id: string, answer: unknown, sent: unknown): Record<string, string> {
  const leaves = leavesOf(answer)
  const parent = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))
  if (/archiving$/.test(id)) {
    const kind = leaves.find(
      ({ name, value }) => typeof value === 'string' && /^(integration|kind|type|provider)$/.test(plain(name)),
    )
    return kind ? { record: parent(kind.pointer), id: kind.pointer } : {}
  }
  if (id === 'add-signing-key' || id === 'get-gateway-route') {
    const key = leaves.find(({ pointer }) => /signing[^/]*\/\d+/i.test(pointer))
    return key ? { signing_keys: key.pointer.replace(/\/\d+.*$/, '') } : {}
  }
  if (id === 'update-state-variables' && isRecord(sent) && isRecord(sent.state)) {
    const state = sent.state
    const place = leaves.find(({ name, value }) => state[name] !== undefined && isSame(state[name], value))
    return place ? { record: parent(place.pointer) } : {}
  }
  if (id === 'update-processing-status' && isRecord(sent)) {
    const place = leaves.find(({ name, value }) => sent[name] !== undefined && isSame(sent[name], value))
    return place ? { processing_status: place.pointer } : {}
  }
  if (id === 'create-access-key') {
    const place = leaves.find(({ name }) => namesFor('id').slice(0, 3).includes(plain(name)))
    return place ? { id: place.pointer } : {}
  }
  return {}
}

/** Fields that one operation sends and another one shows: the status of a pipeline, its variables. */
function noteShown(findings: Findings, routes: ReadonlyMap<string, SeenRoute>): void {
  const namesSent = (id: string, inner?: string): Set<string> =>
    new Set(
      (routes.get(id)?.seen ?? []).flatMap(({ sent }) => {
        const body = isRecord(sent) && inner !== undefined ? sent[inner] : sent
        return isRecord(body) ? Object.keys(body) : []
      }),
    )
  const show = (id: string, place: string, names: ReadonlySet<string>, isParent: boolean): void => {
    const found = findings.operations.get(id)
    for (const { answer } of routes.get(id)?.seen ?? []) {
      const leaf = leavesOf(answer).find(({ name }) => names.has(name))
      if (!leaf || !found) continue
      const pointer = isParent ? leaf.pointer.slice(0, leaf.pointer.lastIndexOf('/')) : leaf.pointer
      findings.operations.set(id, { ...found, answer: { ...found.answer, [place]: pointer } })
      return
    }
  }
  show('get-pipeline', 'processing_status', namesSent('update-processing-status'), false)
  show('get-state-variables', 'record', namesSent('update-state-variables', 'state'), true)
}

const WORDS: Readonly<Record<string, RegExp>> = {
  suspended: /suspend|pause|stopped/,
  ingesting: /ingesting|isactive|running|accepting/,
  deleted: /^deleted$/,
  message: /^message$/,
  token: /token|code|^again$|confirmation/,
  status: /^status$/,
}

/** For a kind of resource: finds new resources again in later reads and lists. */
function noteThing(findings: Findings, type: string, shipped: Binding, routes: ReadonlyMap<string, SeenRoute>): void {
  const verbs = verbsOf(type, shipped)
  const [create, read, list, update] = [verbs.create, verbs.read, verbs.list, verbs.update].map((id) => routes.get(id))
  const sample = shipped.operations.get(verbs.create)?.body
  const made = create?.seen.flatMap((one) => (isRecord(one.sent) ? [{ ...one, sent: one.sent }] : [])) ?? []
  const ids = new Map<string, Fields>()
  let idAt: string | undefined
  for (const { sent, answer } of made) {
    // The id is what makes a later read, change or removal succeed.
    const used = usedIds([read, update, routes.get(verbs.delete)])
    // Where nothing is read one by one, the list shows it.
    if (!read)
      for (const one of list?.seen ?? []) for (const { value } of idsIn(one.answer, {}, [type])) used.add(String(value))
    const place = leavesOf(answer).find(
      ({ value, name }) => used.has(String(value)) && (sent[name] === undefined || type === 'member'),
    )
    if (place) {
      idAt ??= place.pointer
      ids.set(String(place.value), sent)
    }
  }
  const body = bestBody(
    made.map(({ sent }) => sent),
    sample,
  )
  if (body && idAt !== undefined) ids.size > 0 && setBody(findings, verbs.create, body)
  for (const verb of [verbs.create, verbs.read, verbs.update])
    notePlaces(findings, verb, routes.get(verb), idAt, verb === verbs.create, ids)
  noteListed(findings, type, verbs.list, list, read, ids, body)
  for (const route of [read]) {
    for (const { ids: own, answer } of route?.seen ?? []) {
      const sent = ids.get(own.at(-1) ?? '')
      const place = sent && recordIn(answer, own.at(-1) ?? '', [])
      const names = place && fieldsIn(at(answer, place.record), sent)
      const found = findings.operations.get(verbs.read)
      if (found && names && Object.keys(names).length > 0)
        findings.operations.set(verbs.read, { ...found, fields: { ...names, ...found.fields } })
    }
  }
}

function usedIds(routes: readonly (SeenRoute | undefined)[]): Set<string> {
  return new Set(routes.flatMap((route) => route?.seen.map(({ ids }) => ids.at(-1) ?? '') ?? []))
}

/** The accepted body that is most like the shipped sample, with its name as a placeholder. */
function bestBody(bodies: readonly Fields[], sample: unknown): Fields | undefined {
  if (!isRecord(sample) || bodies.length === 0) return undefined
  const ours = Object.keys(sample)
  const all = [...new Set(bodies.flatMap((body) => Object.keys(body)))]
  // Fields under other names than the sample's: the first body that has the most of them.
  const names = Object.fromEntries(
    ours.map((name) => [
      name,
      all.includes(name)
        ? name
        : nameAmong(
            name,
            all.filter((one) => !ours.includes(one)),
          ),
    ]),
  )
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(sample)) {
    const theirs = names[name]
    if (theirs !== undefined) body[theirs] = value
  }
  const needed = all.filter((name) => bodies.every((one) => one[name] !== undefined) && body[name] === undefined)
  for (const name of needed) body[name] = templated(bodies[0]?.[name])
  return Object.keys(body).length === 0 || JSON.stringify(body) === JSON.stringify(sample) ? undefined : body
}

function templated(value: unknown): unknown {
  return typeof value === 'string' && /^assay-|\bassay-[0-9a-f]{6}/.test(value) ? '{{label}}' : value
}

function setBody(findings: Findings, id: string, body: Fields): void {
  const found = findings.operations.get(id)
  if (found) findings.operations.set(id, { ...found, body })
}

/** Where a response has the id and the record. */
function notePlaces(
  findings: Findings,
  id: string,
  route: SeenRoute | undefined,
  idAt: string | undefined,
  isCreate: boolean,
  made: ReadonlyMap<string, Fields>,
): void {
  const found = findings.operations.get(id)
  if (!route || !found) return
  for (const { ids, answer, sent } of route.seen) {
    const own = isCreate ? at(answer, idAt ?? '/') : ids.at(-1)
    if (own === undefined || own === null) continue
    const place = recordIn(answer, String(own), [])
    if (place?.id === undefined) continue
    const body = isRecord(sent) ? sent : made.get(String(own))
    const record = at(answer, place.record)
    const isWhole =
      !isCreate && route.method === 'GET'
        ? true
        : leavesOf(body).some(
            ({ value }) => String(value).length > 2 && !isSame(value, own) && placesOf(record, value).length > 0,
          )
    const more = Object.fromEntries(
      leavesOf(answer).flatMap(({ name, value, pointer }) => {
        if (typeof value === 'number' && namesFor('generation').includes(plain(name)) && !isSame(value, own))
          return [['generation', pointer]]
        if (/revision|edition/.test(plain(name)) && typeof value === 'string' && !/\/\d+\//.test(pointer))
          return [['revision', pointer]]
        if (/signing/.test(pointer) && /\/\d+$/.test(pointer)) return [['signing_keys', pointer.replace(/\/\d+$/, '')]]
        return []
      }),
    )
    findings.operations.set(id, {
      ...found,
      answer: { ...found.answer, ...more, id: place.id, ...(isWhole ? { record: place.record } : {}) },
    })
    return
  }
}

function noteListed(
  findings: Findings,
  type: string,
  id: string,
  route: SeenRoute | undefined,
  read: SeenRoute | undefined,
  made: ReadonlyMap<string, Fields>,
  body: Fields | undefined,
): void {
  const known = [...made.keys(), ...usedIds([read])].filter((one) => one !== '')
  const label = body && Object.entries(body).find(([, value]) => value === '{{label}}' || value === '{{email}}')?.[0]
  const found = findings.operations.get(id)
  for (const { answer } of route?.seen ?? []) {
    for (const one of known) {
      const place = listWith(answer, one)
      if (!place || !found) continue
      const isDeep = place.field.includes('/')
      const names = fieldsIn(place.element, made.get(one) ?? {})
      findings.operations.set(id, {
        ...found,
        fields: isDeep ? { ...names, id: `/${place.field}` } : names,
        answer: { list: place.list },
      })
      findings.resources.set(type, { ...(label === undefined ? {} : { label }), key: isDeep ? 'id' : place.field })
      return
    }
  }
  if (found && found.answer?.list === undefined) {
    const list = route?.seen.map(({ answer }) => listsIn(answer)[0]).find((one) => one !== undefined)
    if (list !== undefined) findings.operations.set(id, { ...found, answer: { list } })
  }
}

/** Rows of usage, lines of exports: by the names of their fields. */
function noteRows(findings: Findings, routes: ReadonlyMap<string, SeenRoute>, shipped: Binding): void {
  for (const [id, route] of routes) {
    if (!/usage|^export/.test(id)) continue
    const found = findings.operations.get(id)
    const known = shipped.operations.get(id)
    if (!found || !known) continue
    let list: string | undefined
    let row: unknown
    for (const { answer } of route.seen) {
      const [first] = id === 'export-v1' ? [] : listsIn(answer)
      list ??= first
      const rows = first === undefined ? [answer] : at(answer, first)
      row ??= Array.isArray(rows) ? rows.find(isRecord) : undefined
      if (id === 'get-usage-v2') row ??= answer
    }
    const leaves = leavesOf(row)
    const names = leaves.map(({ name }) => name)
    const texts = leaves.filter(({ value }) => typeof value === 'string').map(({ name }) => name)
    const fields = Object.fromEntries(
      Object.keys(known.fields).flatMap((ours) => {
        const name = ours === 'name' && texts.length === 1 ? texts[0] : nameAmong(ours, names)
        return name === undefined ? [] : [[ours, name]]
      }),
    )
    const token =
      id === 'export-v2'
        ? nameAmong(
            'pagination_id',
            route.seen.flatMap(({ answer }) => (isRecord(answer) ? Object.keys(answer) : [])),
          )
        : undefined
    const total = id === 'get-usage-v2' ? leaves.find(({ name }) => Object.values(fields).includes(name)) : undefined
    findings.operations.set(id, {
      ...found,
      fields,
      answer: {
        ...(list === undefined ? {} : { list }),
        ...(token === undefined ? {} : { pagination_id: `/${token}` }),
        ...(total ? { record: total.pointer.slice(0, total.pointer.lastIndexOf('/')) } : {}),
      },
    })
  }
}

function noteAnswers(findings: Findings, routes: ReadonlyMap<string, SeenRoute>, name: string): void {
  const set = (gap: string, value: unknown, from: string): void =>
    void findings.answers.set(gap, { value, from: `${name}: ${from}`, sure: 'recorded' })
  for (const type of ['source', 'transform']) {
    const bodies = routes.get(`update-${type}`)?.seen ?? []
    const names = [...new Set(bodies.flatMap(({ sent }) => (isRecord(sent) ? Object.keys(sent) : [])))]
    const kind = nameAmong('type', names)
    if (kind !== undefined) set(`GAP-${type.toUpperCase()}-KIND-FIELD`, kind, `bodies of update-${type}`)
  }
  const limit = findings.operations.get('list-usage-by-tag')?.parameters?.limit
  if (limit !== undefined) set('GAP-USAGE-LIMIT-PARAMETER', limit, 'a parameter of list-usage-by-tag')
  const taps = routes.get('start-tap')?.seen ?? []
  for (const { answer } of taps) {
    const events = listsIn(answer).find((pointer) => {
      const list = at(answer, pointer)
      return Array.isArray(list) && list.length > 0
    })
    if (events === undefined) continue
    set('GAP-TAP-ANSWER', { events }, 'a response of start-tap')
    const found = findings.operations.get('start-tap')
    if (found) findings.operations.set('start-tap', { ...found, answer: { events } })
    break
  }
}
