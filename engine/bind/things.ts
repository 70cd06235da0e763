import { firstOf } from '../../reports/counted.ts'
import { wrapperOf } from '../../schemas/binding.ts'
import { namesInPath } from '../../schemas/matcher.ts'
import { at } from '../../schemas/pointer.ts'
import { lastInPath } from '../../schemas/url.ts'
import { emailFor } from '../../suites/request/sink.ts'
import { CONSENTS } from '../consent.ts'
import type { Answer, Made } from './client.ts'
import { isNode, kindName, kindsOf, renameKind, underNames } from './names.ts'
import {
  type Fields,
  generationIn,
  idsIn,
  isInList,
  isSame,
  leavesOf,
  listsIn,
  listWith,
  mayBeId,
  placesOf,
  recordsAt,
} from './places.ts'
import { mended } from './refusal.ts'
import {
  ask,
  documentedWay,
  filled,
  hit,
  isFilled,
  isNothing,
  itemPaths,
  lookTwice,
  noteTried,
  type Search,
  said,
  samplesOf,
  type Way,
  waysOf,
} from './search.ts'
import { type Kind, kindOf, operationOf, shipped } from './shipped.ts'
import { collectionOf, howWell, namesFor, nounsOf, plain } from './vocabulary.ts'

const MOST_PATHS = 140
const MOST_POSTS = 12
const AT_ONCE = 6
const MOST_IDS = 8
const MOST_MENDS = 8
const MOST_SHOWN = 3

/** A thing that was made and found again. */
export interface Found {
  readonly label: string
  /** template of its own path; undefined where it cannot be read */
  readonly item: string | undefined
  readonly template: Fields
  readonly sent: Fields
}

/** The paths at which a collection may stand: as the document has it, as it ships, then by words. */
function candidates(search: Search, { read, list, create }: Kind): string[] {
  const told = [list, create].flatMap((id) => documentedWay(search, id).map(({ path }) => path))
  const paths = waysOf(search, list || read, [], Number.POSITIVE_INFINITY).map(({ path }) => path)
  // Operations found so far show where the target has its settings.
  const folders = new Set(
    [...search.hits].flatMap(([id, { path }]) => (id.startsWith('list-') ? [folderOf(path)] : [])),
  )
  const near = paths.filter((path) => folders.has(folderOf(path)))
  return [...new Set([...told, ...near, ...paths])].filter((path) => isFilled(search, path)).slice(0, MOST_PATHS)
}

function folderOf(path: string): string {
  const parts = path.split('/')
  return parts.slice(0, path.startsWith('/v1/') && parts.length > 3 ? 3 : 2).join('/')
}

/** Of archives there may be one alone, which has no id, and which the first change makes. */
function isOne({ type }: Kind): boolean {
  return type === 'archiving'
}

/** Whether an answer is an archive, which may hold lists of its own: outside of them it says where it archives to. */
function isSetUp({ json }: Answer): boolean {
  const names = namesFor('integration')
  return leavesOf(json).some(({ name, pointer }) => names.includes(plain(name)) && !isInList(pointer))
}

interface Listed {
  readonly path: string
  readonly answer: Answer
}

/** Reads the paths where the collection may stand: those that answer with a list, and those that are there without one. */
async function findLists(search: Search, kind: Kind): Promise<{ lists: Listed[]; others: string[] }> {
  const taken = new Set([...search.hits.values()].map(({ method, path }) => `${method} ${path}`))
  const paths = candidates(search, kind).filter((path) => !taken.has(`GET ${path}`))
  const lists: Listed[] = []
  const others: string[] = []
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    const some = paths.slice(start, start + AT_ONCE)
    const answers = await Promise.all(some.map((path) => ask(search, { method: 'GET', path })))
    for (const [index, answer] of answers.entries()) {
      const path = some[index] ?? ''
      noteTried(search, kind.list, { path }, answer)
      if (isNothing(search, path, answer)) continue
      const isList = answer.ok && listsIn(answer.json).length > 0
      // Archiving that is configured already is left as it is.
      if (answer.ok && isOne(kind) && (!isList || isSetUp(answer))) {
        hit(search, kind.read, { method: 'GET', path }, answer, { sure: 'likely' })
        return { lists: [], others: [] }
      }
      if (isList) lists.push({ path, answer })
      // A 405 proves a path; other refusals may. Where nothing is archived a 404 is right, and differs from others.
      else if ([400, 405, 422, ...(isOne(kind) ? [404] : [])].includes(answer.status)) others.push(path)
    }
    // What stands where the specification's words or the document say needs no other.
    const isSure = ({ path }: Listed): boolean =>
      howWell(collectionOf(kind.type), path) === 1 || (path === paths[0] && search.documented.routes.has(kind.list))
    if (lists.some(isSure)) break
  }
  // The reason why something was lacking is known before, and says more.
  if (lists.length === 0 && !search.open.has(kind.list)) {
    const tried = paths.map((path) => `GET ${path}`)
    search.open.set(kind.list, `no list of them was found (tried ${firstOf(tried, MOST_SHOWN)})`)
  }
  return { lists, others: [...others, ...paths.filter((path) => !others.includes(path))] }
}

/** Finds one kind of resource: where it is listed, made, read, changed. Returns what was made. */
export async function searchThing(search: Search, type: string): Promise<Found | undefined> {
  const kind = kindOf(type)
  const { lists, others } = await findLists(search, kind)
  const consent = CONSENTS.get(type)
  const isAgreed = consent === undefined || search.agreed[consent]
  // An archive that is there may also stand where a document says that one is made: nothing may overwrite it.
  if (!search.agreed.modify || !isAgreed || (isOne(kind) && search.hits.has(kind.read))) {
    await readOnly(search, kind, lists)
    return undefined
  }
  const specified = operationOf(kind.create)
  const told = documentedWay(search, kind.create).map(({ path }) => path)
  const places = specified.specified
    ? [specified.path]
    : [...new Set([...told, ...(lists.length > 0 ? lists.map(({ path }) => path) : others.slice(0, MOST_POSTS))])]
  for (const place of places) {
    for (const method of isOne(kind) ? ['POST', 'PUT', 'PATCH'] : ['POST']) {
      const made = await make(search, kind, { method, path: place })
      const found = made && (await findAgain(search, kind, made, [...lists.map(({ path }) => path), place]))
      if (!found) continue
      await changeIt(search, kind, found)
      return found
    }
  }
  if (lists.length > 0 && !search.hits.has(kind.list)) await readOnly(search, kind, lists)
  return undefined
}

/** Without consent: the list, and one of what it holds. */
async function readOnly(search: Search, kind: Kind, lists: readonly Listed[]): Promise<void> {
  const { type, list, read } = kind
  const [first, second] = lists
  if (!first) return
  if (second && howWell(collectionOf(type), first.path) < 1 && !search.documented.routes.has(list)) {
    search.open.set(list, `${first.path} and ${second.path} both return lists; which of them is meant?`)
    return
  }
  hit(search, list, { method: 'GET', path: first.path }, first.answer, { why: ' with a list', sure: 'likely' })
  const [element] = recordsAt(first.answer.json, listsIn(first.answer.json)[0] ?? '')
  if (element === undefined) return
  const ids = idsIn(element, {}, [type]).flatMap(({ name, value }) => (mayBeId(name, type) ? [String(value)] : []))
  const item = await readByIds(search, kind, ids.slice(0, MOST_IDS), [first.path])
  if (item) hit(search, read, item.way, item.answer, { why: '; its id is what makes the read succeed' })
}

interface MadeThing {
  readonly thing: Made
  readonly answer: Answer
  readonly way: Way
  readonly template: Fields
  readonly sent: Fields
  readonly query: Readonly<Record<string, string>>
}

/** Makes one, learning from refusals what the body has to hold. */
async function make(search: Search, kind: Kind, way: Way): Promise<MadeThing | undefined> {
  const { ledger, ids, sink } = search
  const { type, create } = kind
  const label = `${ledger.prefix}-${type}`.slice(0, shipped()[0].resources.get(type)?.labelMax ?? 60)
  const params = Object.fromEntries(namesInPath(way.path).map((name) => [name, ids[name] ?? '']))
  const samples = samplesOf(search, create)
  const tried = new Set<string>()
  const { query: told } = operationOf(create)
  // A target may refuse parameters that it does not know.
  const sends = (samples.length > 0 ? samples : [{}]).flatMap((sample) => [
    { sample, query: told },
    { sample, query: {} },
  ])
  let last: Answer | undefined
  for (const { sample, query } of sends) {
    let template: Fields | undefined = sample
    for (let attempt = 0; template !== undefined && attempt <= MOST_MENDS; attempt += 1) {
      const body = filled(search, template, label)
      if (!body || tried.has(JSON.stringify([query, body.sent]))) break
      tried.add(JSON.stringify([query, body.sent]))
      const texts = leavesOf(body.sent).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
      const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '')
      const name = type === 'member' ? emailFor(sink, label) : isOne(kind) ? longest : label
      const thing = await ledger.making(type, name, params)
      const answer = await ask(search, way, body.sent, query)
      noteTried(search, create, way, answer)
      last = answer
      if (answer.ok) return { thing, answer, way, query, ...body }
      const isRefused = answer.status >= 400 && answer.status < 500
      // After a failure nobody knows whether something was made: it stays in the journal, and is searched for.
      if (isRefused) await ledger.notMade(thing)
      template = isRefused ? mended(body.template, answer.json ?? answer.text, type) : undefined
      if (answer.status === 404 || answer.status === 405) break
    }
  }
  if (last && last.status !== 404)
    search.open.set(create, `${said(way, last)}; no sample body was accepted: ${last.text.slice(0, 200)}`)
  return undefined
}

/** Looks for what was made by its name, in lists and by reading it under each value that may be its id. */
async function findAgain(
  search: Search,
  kind: Kind,
  { thing, answer, way, template, sent, query }: MadeThing,
  lists: readonly string[],
): Promise<Found | undefined> {
  const { type, id: placeholder } = kind
  const look = async (): Promise<Listed[]> => {
    const asked = [...new Set(lists)].map(async (path) => ({
      path,
      answer: await ask(search, { method: 'GET', path }),
    }))
    return (await Promise.all(asked)).filter((list) => list.answer.ok)
  }
  const isShown = (list: Listed): boolean => listWith(list.answer.json, thing.label) !== undefined
  const listed = await lookTwice(search, look, (seen) => seen.length === 0 || seen.some(isShown))
  const shown = listed.flatMap((list) => {
    const found = listWith(list.answer.json, thing.label)
    return found ? [{ ...list, ...found }] : []
  })
  // A part of another thing may be shown by that alone.
  const holders = [...search.hits.values()].filter((one) => one.method === 'GET' && way.path.startsWith(`${one.path}/`))
  const holder = await Promise.all(holders.map((one) => ask(search, one)))
  const moved = lastInPath(answer.location)
  const told = [answer.json, ...shown.map(({ element }) => element)].flatMap((one) =>
    idsIn(one, sent, nounsOf(type)).flatMap(({ name, value }) => (mayBeId(name, type) ? [String(value)] : [])),
  )
  // The text removes members by their addresses, whatever other id they have.
  const possible = type === 'member' ? [thing.label] : [...(moved === undefined ? [] : [moved]), ...told]
  // An id that another kind has may be that of a parent. Where each kind counts for itself, it is one of both.
  const isKnown = (one: string): boolean => Object.values(search.ids).includes(one)
  const likely = [...new Set(possible)].sort((a, b) => Number(isKnown(a)) - Number(isKnown(b)))
  const under = [...new Set([...shown.map(({ path }) => path), way.path, ...lists])]
  const single = isOne(kind)
    ? listed.find(({ answer: { json } }) => !listWith(json, thing.label) && placesOf(json, thing.label)[0])
    : undefined
  const item: Item | undefined = single
    ? { id: thing.label, way: { method: 'GET', path: single.path }, under: single.path, answer: single.answer }
    : await readByIds(search, kind, likely.slice(0, MOST_IDS), under, thing.label)
  // A list names the parent as well: only a read tells it from the id.
  const fresh = likely.filter((one) => !isKnown(one))
  const id =
    item?.id ??
    fresh.find((one) => listed.some((list) => listWith(list.answer.json, one))) ??
    fresh.find((one) => holder.some(({ json }) => placesOf(json, one).length > 0))
  if (id === undefined) {
    search.open.set(kind.create, `${said(way, answer)}, but the new resource was found nowhere`)
    return undefined
  }
  await search.ledger.made(thing, id)
  search.ids[placeholder] = id
  const shownAs = [item?.answer.json, answer.json, ...listed.map((list) => list.answer.json)]
  if (shownAs.some((json) => placesOf(json, id).some(({ value }) => typeof value === 'number')))
    search.numbers.set(placeholder, true)
  const [shownAt] = item ? [] : placesOf(answer.json, id)
  hit(search, way.method === 'POST' ? kind.create : kind.update, way, answer, {
    body: template,
    sent,
    query,
    told: shownAt && { id: shownAt.pointer },
    why: '; what it made was found again',
  })
  const whose = type === 'member' ? 'that was sent' : id
  if (item) hit(search, kind.read, item.way, item.answer, { why: ` for the id ${whose}, with the name that was sent` })
  const holding = listed.filter((list) => listWith(list.answer.json, id))
  const list = holding.find(({ path }) => path === item?.under) ?? holding[0]
  if (list)
    hit(search, kind.list, { method: 'GET', path: list.path }, list.answer, { why: ', and lists what was made' })
  return { label: thing.label, item: item?.way.path, template, sent }
}

interface Item {
  readonly id: string
  readonly way: Way
  readonly under: string
  readonly answer: Answer
}

/** Reads each possible id below each path: the right one shows the name, or where there is none the id. */
async function readByIds(
  search: Search,
  { type, read, id: placeholder }: Kind,
  ids: readonly string[],
  lists: readonly string[],
  label?: string,
): Promise<Item | undefined> {
  if (read === '') return undefined
  const before = search.ids[placeholder]
  for (const id of ids) {
    search.ids[placeholder] = id
    // At a path without the id stands a list, which shows the thing as well.
    for (const path of itemPaths(search, read, placeholder, lists).filter((one) => one.includes(placeholder))) {
      const way = { method: 'GET', path }
      const answer = await ask(search, way)
      noteTried(search, read, way, answer)
      if (!answer.ok || isNothing(search, path, answer)) continue
      const mark = label === undefined || /^(placed-group|group-revision)$/.test(type) ? id : label
      if (placesOf(answer.json, mark).length > 0)
        return { id, way, under: path.slice(0, path.lastIndexOf('/')), answer }
    }
  }
  if (before === undefined) delete search.ids[placeholder]
  else search.ids[placeholder] = before
  return undefined
}

/** Changes what was made, and looks whether the change is there. */
async function changeIt(
  search: Search,
  kind: Kind,
  { label, item: read, template: created, sent: before }: Found,
): Promise<void> {
  // A thing that cannot be read alone is seen in its list.
  const look = read ?? (kind.read === '' ? search.hits.get(kind.list)?.path : undefined)
  if (kind.update === '' || look === undefined) return
  const item = read ?? `${look}/{${kind.id}}`
  const operation = operationOf(kind.update)
  const { specified } = operation
  const ways: Way[] = specified
    ? [operation]
    : [
        ...documentedWay(search, kind.update),
        ...[operation.method, 'PUT', 'PATCH', 'POST'].map((method) => ({ method, path: item })),
      ]
  // The specification gives the form of its own bodies: they stand under no name.
  const within = specified ? wrapperOf(created) : undefined
  const like = within === undefined ? created : (created[within] as Fields)
  const templates = [...samplesOf(search, kind.update).map((sample) => underNames(sample, like)), like]
  const first = await ask(search, { method: 'GET', path: look })
  const generation = generationIn(leavesOf(first.json))?.value ?? undefined
  for (const way of new Map(ways.map((one) => [`${one.method} ${one.path}`, one])).values()) {
    for (const one of kindsOf(kind.type, templates, first.json)) {
      let template: Fields | undefined = one
      for (let attempt = 0; template !== undefined && attempt < 3; attempt += 1) {
        const body = filled(search, template, `${label}-2`, generation)
        if (!body) break
        const answer = await ask(search, way, body.sent)
        noteTried(search, kind.update, way, answer)
        if (!answer.ok) {
          const isRefused =
            answer.status >= 400 && answer.status < 500 && answer.status !== 404 && answer.status !== 405
          template = isRefused ? mended(body.template, answer.json ?? answer.text, kind.type, created) : undefined
          continue
        }
        const now = await ask(search, { method: 'GET', path: look })
        const isChanged = leavesOf(body.sent).some(
          ({ pointer, value }) =>
            !isSame(at(before, pointer), value) &&
            placesOf(now.json, value).length > placesOf(first.json, value).length,
        )
        const shape = isNode(kind.type) ? body.sent[kindName(one) ?? ''] : undefined
        if (!now.ok || !isChanged || (shape !== undefined && placesOf(now.json, shape).length === 0)) break
        hit(search, kind.update, way, answer, {
          body: body.template,
          sent: body.sent,
          why: `, and ${kind.read || kind.list} then shows the change`,
        })
        renameKind(search, kind.create, one)
        return hit(search, kind.read, { method: 'GET', path: look }, now, { why: ', with what was sent' })
      }
    }
  }
  search.open.set(
    kind.update,
    `${ways.map(({ method }) => method).join(', ')} ${item} changed nothing that could be seen`,
  )
}
