import { given, type TargetOperation, wrapperOf } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import { lastInPath } from '../../schemas/url.ts'
import type { SeenRoute, Source } from './exchanges.ts'
import { add, type Findings, type FoundOperation, noFindings } from './found.ts'
import { noteAnswers, noteRows } from './infer-rows.ts'
import {
  type Fields,
  fieldsIn,
  idsIn,
  isRecord,
  isSame,
  type Leaf,
  leavesOf,
  listsIn,
  listWith,
  mayBeId,
  parentOf,
  placesOf,
  recordIn,
  statusIn,
} from './places.ts'
import { withOurNames } from './routes.ts'
import { type Kind, kindOf, shipped } from './shipped.ts'
import { nameAmong, namesFor, nounsOf, plain } from './vocabulary.ts'

type Routes = ReadonlyMap<string, SeenRoute>

const VARIABLES = /state-variables$/

/** Concludes from the exchanges of a source where each operation has its id, record, list, fields and parameters. */
export function infer({ routes, answers, open }: Source): Findings {
  const [{ operations, resources }] = shipped()
  const findings: Findings = { ...noFindings(), answers: new Map(answers), open: new Map(open) }
  const isSingle = routes.get('get-archiving')?.path.includes('{') !== true
  for (const operation of operations.values()) {
    const route = routes.get(operation.id)
    if (route) findings.operations.set(operation.id, foundIn(route, operation, isSingle))
  }
  for (const type of resources.keys()) noteThing(findings, type, routes)
  const creates = new Set([...resources.keys()].map((type) => kindOf(type).create))
  for (const { id, path, answer } of operations.values()) {
    const route = routes.get(id)
    const noun = /\{(\w+)\}[^{]*$/.exec(path)?.[1]?.replace(/_?id$/i, '').replaceAll('_', '-')
    const has = answer.id ?? answer.record
    if (route && has !== undefined && !VARIABLES.test(id) && !creates.has(id))
      notePlaces(findings, id, route, nounsOf(noun ?? ''))
  }
  noteRows(findings, routes)
  noteShown(findings, routes)
  noteAnswers(findings, routes)
  // What nobody reads of a response is not written.
  for (const [id, found] of findings.operations) {
    const wanted = { suspended: '', ...(creates.has(id) ? { id: '' } : {}), ...operations.get(id)?.answer }
    const answer = Object.entries(found.answer ?? {}).filter(([place]) => Object.hasOwn(wanted, place))
    findings.operations.set(id, { ...found, answer: Object.fromEntries(answer) })
  }
  return findings
}

function foundIn(route: SeenRoute, operation: TargetOperation, isSingle: boolean): FoundOperation {
  const names = [...new Set(route.seen.flatMap(({ query }) => Object.keys(query)))]
  const answers = route.seen.map(({ answer }) => answer).filter((answer) => answer !== undefined)
  // The answer that shows most: a place that it does not have is not inherited.
  const [shape] = answers.sort((a, b) => leavesOf(b).length - leavesOf(a).length)
  const { query = queryOf(route, operation), body, forms, also, pages } = route
  return {
    id: operation.id,
    method: route.method as FoundOperation['method'],
    path: operation.specified ? operation.path : withOurNames(route.path, operation),
    ...given({ query, body, forms, also, pages }),
    parameters:
      route.parameters ??
      Object.fromEntries(
        Object.keys(operation.parameters).flatMap((ours) => {
          const found = names.includes(ours) ? ours : nameAmong(ours, names)
          return found === undefined ? [] : [[ours, found]]
        }),
      ),
    fields: { ...route.fields },
    answer: { ...leafPlaces(route, operation), ...specialPlaces(route, operation, isSingle), ...route.told },
    status: route.seen.find(({ status }) => status !== undefined)?.status,
    ...(shape === undefined ? {} : { shape }),
    from: route.from,
    sure: route.sure,
  }
}

/** A path that names the pipeline needs no parameter for it. */
function queryOf({ path }: SeenRoute, { query }: TargetOperation): Record<string, string> | undefined {
  return Object.keys(query).length > 0 && path.includes('{') ? {} : undefined
}

/** Places that are found by the name and the type of a value: ours, names of the leaf, its type. */
const LEAVES: readonly (readonly [place: string, names: RegExp, type: string])[] = [
  ['deleted', /^deleted$/, 'boolean'],
  ['message', /^message$/, 'string'],
  ['token', /token|code|^again$|confirm/, 'string'],
  ['status', /^status$/, 'string'],
  ['generation', new RegExp(`^(${namesFor('generation').join('|')})$`), 'number'],
  ['revision', /revision|edition|version/, 'string'],
]

/** A list of transforms, at its first element. */
const TRANSFORMS = /^(.*?\/(?:transform|processor|node)\w*)\/0(?:\/|$)/i

function leafPlaces({ seen, path }: SeenRoute, { id, answer: wanted }: TargetOperation): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { answer } of seen) {
    const leaves = leavesOf(answer).filter(({ pointer }) => !/\/\d+(\/|$)/.test(pointer))
    for (const [place, names, type] of LEAVES) {
      if (wanted[place] === undefined) continue
      // A document gives no values for places whose type it leaves open.
      const fitting = leaves.filter(
        ({ name, value }) => names.test(plain(name)) && (typeof value === type || value === null),
      )
      // A generation is none of the record's own numbers, so the most telling name is taken.
      const rank = ({ name }: Leaf): number => namesFor('generation').indexOf(plain(name))
      const [leaf] = place === 'generation' ? fitting.sort((a, b) => rank(a) - rank(b)) : fitting
      if (leaf) found[place] ??= leaf.pointer
    }
    // That lines are not taken in may be told instead of that they are; of more than two states, only that one stops them.
    const status = wanted.ingesting === undefined ? undefined : statusIn(answer, path)
    if (status?.place === 'suspended') delete found.ingesting
    if (status && found.suspended === undefined) found[status.place] ??= status.pointer
    if (wanted.transforms !== undefined) {
      // They may stand inside of a revision.
      const named = leavesOf(answer).flatMap(({ pointer }) => TRANSFORMS.exec(pointer)?.[1] ?? [])
      const [list] = [...named, ...listsIn(answer)].filter((pointer) => pointer !== '')
      if (list !== undefined) found.transforms ??= list
    }
    if (wanted.pagination_id !== undefined && isRecord(answer)) {
      const token = nameAmong('pagination_id', Object.keys(answer))
      if (token !== undefined) found.pagination_id ??= `/${token}`
    }
    if (id === 'ingest-lines' && isRecord(answer)) {
      const status = Object.keys(answer).find((name) => plain(name) === 'status')
      if (status !== undefined) found.status ??= `/${status}`
    }
  }
  return found
}

/** Places that one kind of operation has. */
function specialPlaces(
  { seen, sure }: SeenRoute,
  { id, answer: wanted }: TargetOperation,
  isSingle: boolean,
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { answer, sent } of seen) {
    const leaves = leavesOf(answer)
    // Where there is one archive alone, its kind stands for its id.
    const kind = isSingle ? leaves.find(({ name }) => namesFor('integration').includes(plain(name))) : undefined
    if (kind && /archiving$/.test(id)) Object.assign(found, { record: parentOf(kind.pointer), id: kind.pointer })
    if (wanted.signing_keys !== undefined || id === 'get-gateway-route') {
      const key = leaves.find(({ pointer }) => /signing[^/]*\/\d+/i.test(pointer))
      if (key) found.signing_keys = key.pointer.replace(/\/\d+.*$/, '')
    }
    if (id === 'update-state-variables' && isRecord(sent) && isRecord(sent.state)) {
      const { state } = sent
      const values: unknown[] = Object.values(state).filter((value) => typeof value === 'string')
      const place = leaves.find(({ name, value }) => isSame(state[name] ?? null, value) || values.includes(value))
      if (place) found.record = parentOf(place.pointer)
    }
    if (wanted.processing_status !== undefined) {
      const names = isRecord(sent) ? Object.keys(sent) : sure === 'documented' ? namesFor('processing_status') : []
      const place = leaves.find(
        (one) =>
          names.some((name) => plain(name) === plain(one.name)) &&
          (!isRecord(sent) || sure === 'documented' || Object.values(sent).some((value) => isSame(value, one.value))),
      )
      if (place) found.processing_status = place.pointer
    }
    if (id === 'create-access-key' || id === 'get-state-variables') {
      const place = leaves.find(({ name }) => namesFor('id').slice(0, 3).includes(plain(name)))
      if (place) found.id ??= place.pointer
    }
    const events = id === 'start-tap' ? listsIn(answer)[0] : undefined
    if (events !== undefined && (at(answer, events) as unknown[]).length > 0) found.events ??= events
  }
  return found
}

/** Fields that one operation sends and another one shows: the status of a pipeline, its variables. */
function noteShown(findings: Findings, routes: Routes): void {
  const sent = (id: string): unknown[] => (routes.get(id)?.seen ?? []).map((one) => one.sent)
  const show = (id: string, place: string, bodies: readonly unknown[]): void => {
    if (findings.operations.get(id)?.answer?.[place] !== undefined) return
    const names = new Set(bodies.filter(isRecord).flatMap((body) => Object.keys(body).map(plain)))
    const leaves = (routes.get(id)?.seen ?? []).flatMap(({ answer }) => leavesOf(answer))
    const leaf = leaves.find(({ name }) => names.has(plain(name)))
    if (leaf) add(findings, id, { answer: { [place]: place === 'record' ? parentOf(leaf.pointer) : leaf.pointer } })
  }
  show('get-pipeline', 'processing_status', sent('update-processing-status'))
  const states = sent('update-state-variables').map((body) => (isRecord(body) ? body.state : body))
  show('get-state-variables', 'record', states)
}

/** For a kind of resource: finds what was made again in reads and lists, by its id. */
function noteThing(findings: Findings, type: string, routes: Routes): void {
  const kind = kindOf(type)
  const [create, read, list, update, remove] = [kind.create, kind.read, kind.list, kind.update, kind.delete].map((id) =>
    routes.get(id),
  )
  const made = create?.seen.flatMap((one) => (isRecord(one.sent) ? [{ ...one, sent: innerOf(one.sent) }] : [])) ?? []
  const used = new Set([read, update, remove].flatMap((route) => route?.seen.map(({ ids }) => ids.at(-1) ?? '') ?? []))
  // Where nothing is read one by one, the list shows it.
  if (!read)
    for (const one of list?.seen ?? [])
      for (const { name, value } of idsIn(one.answer, {}, [type])) if (mayBeId(name, type)) used.add(String(value))
  const sample = shipped()[0].operations.get(kind.create)?.body
  const ids = new Map<string, Fields>()
  let idAt: string | undefined
  for (const { sent, answer, location } of made) {
    const place = leavesOf(answer).find(
      ({ value, name }) =>
        used.has(String(value)) &&
        mayBeId(name, type) &&
        (type === 'member' ? Object.values(sent).includes(value) : sent[name] === undefined),
    )
    const moved = lastInPath(location)
    if (place) {
      idAt ??= place.pointer
      ids.set(String(place.value), sent)
    } else if (moved !== undefined && used.has(moved)) {
      ids.set(moved, sent)
      add(findings, kind.create, { answer: { id: 'header:Location' } })
    } else if (type === 'member') {
      for (const { value } of leavesOf(sent)) if (used.has(String(value))) ids.set(String(value), sent)
    } else {
      // An answer that tells no id: a read that shows the name has it.
      const { [labelOf(create?.body ?? sample) ?? '']: name } = sent
      for (const one of read?.seen ?? []) if (placesOf(one.answer, name).length > 0) ids.set(one.ids.at(-1) ?? '', sent)
    }
  }
  const bodies = made.map(({ sent }) => sent)
  const best = ids.size > 0 ? bestBody(bodies, sample) : undefined
  const within = wrapperOf(create?.seen[0]?.sent)
  const body = create?.body ?? (best && within !== undefined ? { [within]: best } : best)
  if (body) add(findings, kind.create, { body })
  const nouns = nounsOf(type)
  if (create) notePlaces(findings, kind.create, create, nouns, { idAt })
  if (read) notePlaces(findings, kind.read, read, nouns)
  const documented = create?.sure === 'documented' ? create.seen[0]?.sent : undefined
  const sentFor = (id: string): Fields => ids.get(id) ?? (isRecord(documented) ? innerOf(documented) : {})
  noteListed(findings, kind, list, {
    sentFor,
    known: [...ids.keys(), ...used],
    label: labelOf(isRecord(body ?? sample) ? innerOf((body ?? sample) as Fields) : undefined),
  })
  for (const { ids: own, answer } of read?.seen ?? []) {
    const record = findings.operations.get(kind.read)?.answer?.record
    if (record !== undefined)
      add(findings, kind.read, {
        fields: fieldsIn(at(answer, record), sentFor(own.at(-1) ?? ''), read?.sure === 'documented'),
      })
  }
}

/** A body without the name that it may stand under. */
function innerOf(body: Fields): Fields {
  const within = wrapperOf(body)
  return within === undefined ? body : (body[within] as Fields)
}

/** The field of a sample that carries the name. */
function labelOf(body: unknown): string | undefined {
  return isRecord(body)
    ? Object.entries(body).find(([, value]) => value === '{{label}}' || value === '{{email}}')?.[0]
    : undefined
}

/** The accepted body that is most like the shipped sample, with its name as a placeholder. */
function bestBody(bodies: readonly Fields[], sample: unknown): Fields | undefined {
  if (!isRecord(sample) || bodies.length === 0) return undefined
  const ours = Object.keys(sample)
  const all = [...new Set(bodies.flatMap((body) => Object.keys(body)))]
  const strange = all.filter((one) => !ours.includes(one))
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(sample)) {
    const theirs = all.includes(name) ? name : nameAmong(name, strange)
    if (theirs !== undefined) body[theirs] = value
  }
  const needed = all.filter((name) => bodies.every((one) => one[name] !== undefined) && body[name] === undefined)
  for (const name of needed) {
    const value = bodies[0]?.[name]
    body[name] = typeof value === 'string' && /\bassay-[0-9a-f]{6}/.test(value) ? '{{label}}' : value
  }
  return Object.keys(body).length === 0 || JSON.stringify(body) === JSON.stringify(sample) ? undefined : body
}

/** Where a response has the id and the record: by values that are known, in a document by names. */
function notePlaces(
  findings: Findings,
  id: string,
  route: SeenRoute,
  nouns: readonly string[],
  made?: { readonly idAt: string | undefined },
): void {
  const told = findings.operations.get(id)?.answer ?? {}
  if (told.id !== undefined) {
    // A document names the id; the record is what holds it.
    if (route.sure === 'documented') add(findings, id, { answer: { record: told.record ?? parentOf(told.id) } })
    return
  }
  for (const { ids, answer, sent } of route.seen) {
    if (route.sure === 'documented') {
      const [place] = idsIn(answer, {}, nouns, NAMED).filter(({ pointer }) => !/\/\d+(\/|$)/.test(pointer))
      if (!place) continue
      add(findings, id, { answer: { record: parentOf(place.pointer), id: place.pointer, ...told } })
      return
    }
    const own = made ? at(answer, made.idAt ?? '/') : ids.at(-1)
    if (own === undefined || own === null) continue
    const place = recordIn(answer, String(own))
    if (!place) continue
    const record = at(answer, place.record)
    const isWhole =
      route.method === 'GET' ||
      !isRecord(sent) ||
      (!made && isRecord(record) && Object.keys(record).length > 2) ||
      leavesOf(sent).some(
        ({ value }) => String(value).length > 2 && !isSame(value, own) && placesOf(record, value).length > 0,
      )
    add(findings, id, { answer: { id: place.id, ...(isWhole ? { record: place.record } : {}) } })
    return
  }
}

/** Score from which on the name of a field alone says that it is an id. */
const NAMED = 3.5

function noteListed(
  findings: Findings,
  { type, list: id }: Kind,
  route: SeenRoute | undefined,
  about: {
    readonly sentFor: (id: string) => Fields
    readonly known: readonly string[]
    readonly label: string | undefined
  },
): void {
  const { sentFor, known, label } = about
  const documented = route?.sure === 'documented'
  for (const { answer } of route?.seen ?? []) {
    const list = findings.operations.get(id)?.answer?.list ?? listsIn(answer)[0]
    const rows = list === undefined ? [] : at(answer, list)
    const element = documented && Array.isArray(rows) ? rows[0] : undefined
    const [shown] = idsIn(element, {}, nounsOf(type), NAMED)
    const found = documented
      ? isRecord(element) && list !== undefined
        ? { list, element, field: shown?.pointer.slice(1) ?? 'id', value: '' }
        : undefined
      : known.flatMap((value) => {
          const place = value === '' ? undefined : listWith(answer, value)
          return place ? [{ ...place, value }] : []
        })[0]
    if (!found) continue
    const { element: row, field, value } = found
    const sent = sentFor(value)
    const names = fieldsIn(row, sent, documented)
    const isDeep = field.includes('/')
    add(findings, id, { fields: isDeep ? { ...names, id: `/${field}` } : names, answer: { list: found.list } })
    const isNamed = label !== undefined && (documented || placesOf(row, sent[label]).length > 0)
    findings.resources.set(type, { ...(isNamed ? { label } : {}), key: isDeep ? 'id' : field })
    return
  }
  const list = route?.seen.map(({ answer }) => listsIn(answer)[0]).find((one) => one !== undefined)
  if (list !== undefined && findings.operations.get(id)?.answer?.list === undefined)
    add(findings, id, { answer: { list } })
}
