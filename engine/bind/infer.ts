import { given, type TargetOperation, wrapperOf } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import { lastInPath } from '../../schemas/url.ts'
import type { Seen, SeenRoute, Source } from './exchanges.ts'
import { add, type Findings, type FoundOperation, noFindings } from './found.ts'
import { noteAnswers, noteRows } from './infer-rows.ts'
import {
  type Fields,
  fieldsIn,
  generationIn,
  idsIn,
  isInList,
  isRecord,
  isSame,
  isTime,
  type Leaf,
  leafNamed,
  leavesOf,
  listsIn,
  listWith,
  mayBeId,
  parentOf,
  placesOf,
  recordIn,
  recordsAt,
  statusIn,
} from './places.ts'
import { withOurNames } from './routes.ts'
import { type Kind, kindOf, shipped } from './shipped.ts'
import { nameAmong, namesAmong, nounsOf, plain } from './vocabulary.ts'

type Routes = ReadonlyMap<string, SeenRoute>

const VARIABLES = /state-variables$/

/** Concludes from the exchanges of a source where each operation has its id, record, list, fields and parameters. */
export function infer({ routes, answers, open, tried }: Source): Findings {
  const [{ operations, resources }] = shipped()
  const findings = { ...noFindings(), answers: new Map(answers), open: new Map(open), tried: new Map(tried) }
  for (const operation of operations.values()) {
    const route = routes.get(operation.id)
    if (route) findings.operations.set(operation.id, foundIn(route, operation, routes))
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
  noteAnswers(findings, routes)
  // What nobody reads of a response is not written.
  for (const [id, found] of findings.operations) {
    const { ingesting, ...ships } = operations.get(id)?.answer ?? {}
    // That lines are not taken in may be told instead of that they are.
    const isTold = ingesting !== undefined && (found.answer?.suspended === undefined ? 'ingesting' : 'suspended')
    const wanted = { ...(isTold ? { [isTold]: '' } : {}), ...(creates.has(id) ? { id: '' } : {}), ...ships }
    const answer = Object.entries(found.answer ?? {}).filter(([place]) => Object.hasOwn(wanted, place))
    findings.operations.set(id, { ...found, answer: Object.fromEntries(answer) })
  }
  return findings
}

function foundIn(route: SeenRoute, operation: TargetOperation, routes: Routes): FoundOperation {
  const names = [...new Set(route.seen.flatMap(({ query }) => Object.keys(query)))]
  const answers = route.seen.map(({ answer }) => answer).filter((answer) => answer !== undefined)
  // The answer that shows most: a place that it does not have is not inherited.
  const [shape] = answers.sort((a, b) => leavesOf(b).length - leavesOf(a).length)
  // The first answer that shows a place has it.
  const places = route.seen.map((one) => given(placesIn(one, operation, route, routes))).reverse()
  const { query = queryOf(route, operation), body, forms, also, pages } = route
  return {
    id: operation.id,
    method: route.method as FoundOperation['method'],
    path: operation.specified ? operation.path : withOurNames(route.path, operation),
    ...given({ query, body, forms, also, pages }),
    parameters: route.parameters ?? namesAmong(Object.keys(operation.parameters), names),
    fields: { ...route.fields },
    answer: Object.assign({}, ...places, route.told) as Record<string, string>,
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

/** A list of transforms, at its first element. */
const TRANSFORMS = /^(.*?\/(?:transform|processor|node)\w*)\/0(?:\/|$)/i

/** Where one answer has each place that an operation may have; undefined where it does not show it. */
function placesIn(
  { answer, sent }: Seen,
  { id, answer: ships }: TargetOperation,
  { path, sure }: SeenRoute,
  routes: Routes,
): Readonly<Record<string, string | undefined>> {
  const leaves = leavesOf(answer)
  const [lists, outer] = [listsIn(answer), leaves.filter(({ pointer }) => !isInList(pointer))]
  // A document gives no values for places whose type it leaves open.
  const leaf = (names: RegExp, type: string, fits: (leaf: Leaf) => boolean = () => true): string | undefined =>
    outer.find((one) => names.test(plain(one.name)) && [type, 'null'].includes(typeOf(one.value)) && fits(one))?.pointer
  const field = (ours: string): string | undefined => {
    const name = isRecord(answer) ? nameAmong(ours, Object.keys(answer)) : undefined
    return name === undefined ? undefined : `/${name}`
  }
  /** Bodies whose fields an operation shows: its own, or else those of another one. */
  const bodies = (isShown: boolean, other: string): Fields[] =>
    isShown ? (isRecord(sent) ? [sent] : (routes.get(other)?.seen ?? []).map((one) => one.sent)).filter(isRecord) : []
  const isOwn = isRecord(sent) && sure !== 'documented'
  const isId = ({ name }: Leaf): boolean => /^(id|uid|uuid)$/.test(plain(name))
  const status = statusIn(answer, path)
  // Where there is one archive alone, its kind stands for its id.
  const isSingle = /archiving$/.test(id) && routes.get('get-archiving')?.path.includes('{') !== true
  const only = isSingle ? leafNamed(leaves, 'integration')?.pointer : undefined
  const states = bodies(VARIABLES.test(id), 'update-state-variables').flatMap(({ state }) =>
    isRecord(state) ? [state] : [],
  )
  const texts = states.flatMap((state) => Object.values(state)).filter((value) => isOwn && typeof value === 'string')
  const variable = shown(leaves, states, isOwn) ?? leaves.find(({ value }) => texts.includes(value))
  const inner = VARIABLES.test(id) ? variable?.pointer : only
  return {
    deleted: leaf(/^deleted$/, 'boolean'),
    message: leaf(/^message$/, 'string'),
    token: leaf(/token|code|^again$|confirm/, 'string', ({ value }) => !isTime(value)),
    revision: leaf(/revision|edition|version/, 'string'),
    generation: generationIn(outer)?.pointer,
    // Of lines that were sent, each may have one.
    status: leaf(/^status$/, 'string') ?? (id === 'ingest-lines' ? field('status') : undefined),
    pagination_id: field('pagination_id'),
    ingesting: status?.place === 'ingesting' ? status.pointer : undefined,
    // Of more than two states, only this one stops lines.
    suspended: status?.place === 'suspended' ? status.pointer : undefined,
    processing_status: (
      (sure === 'documented' && !isRecord(sent) ? leafNamed(leaves, 'processing_status') : undefined) ??
      shown(leaves, bodies(ships.processing_status !== undefined, 'update-processing-status'), isOwn)
    )?.pointer,
    // They may stand inside of a revision.
    transforms:
      leaves.flatMap(({ pointer }) => TRANSFORMS.exec(pointer)?.[1] ?? [])[0] ?? lists.find((list) => list !== ''),
    signing_keys: leaves.find(({ pointer }) => /signing[^/]*\/\d+/i.test(pointer))?.pointer.replace(/\/\d+.*$/, ''),
    events: lists.slice(0, 1).find((list) => recordsAt(answer, list).length > 0),
    record: inner === undefined ? undefined : parentOf(inner),
    id: only ?? (/^(create-access-key|get-state-variables)$/.test(id) ? leaves.find(isId)?.pointer : undefined),
  }
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}

/** The leaf that shows a field of some bodies, under its name; `isOwn`: and with the value that was sent. */
function shown(leaves: readonly Leaf[], bodies: readonly Fields[], isOwn: boolean): Leaf | undefined {
  const all = bodies.flatMap((body) => Object.entries(body))
  return leaves.find(({ name, value }) =>
    all.some(([one, was]) => plain(one) === plain(name) && (!isOwn || isSame(was, value))),
  )
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
      const [place] = idsIn(answer, {}, nouns, NAMED).filter(({ pointer }) => !isInList(pointer))
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
  { type, list: id, read, create }: Kind,
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
    const [element] = documented && list !== undefined ? recordsAt(answer, list) : []
    const shown = idsIn(element, {}, nounsOf(type), NAMED).find(({ pointer }) => !isInList(pointer))
    const found = documented
      ? element && list !== undefined
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
  if (list === undefined) return
  if (findings.operations.get(id)?.answer?.list === undefined) add(findings, id, { answer: { list } })
  // A list that does not show the new thing yet, or shows nothing, mostly names the id as other answers do.
  const idAt = [read, create].flatMap((verb) => findings.operations.get(verb)?.answer?.id ?? [])[0]
  const key = idAt?.startsWith('/') === true ? idAt.slice(idAt.lastIndexOf('/') + 1) : undefined
  const [row] = route?.seen.flatMap(({ answer }) => recordsAt(answer, list)) ?? []
  if (key !== undefined && (row === undefined || row[key] !== undefined)) findings.resources.set(type, { key })
}
