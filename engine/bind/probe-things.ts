import { isSecretThing } from '../../fixtures/redact/names.ts'
import type { Binding } from '../../schemas/binding.ts'
import { at } from '../../schemas/pointer.ts'
import { fillTemplate, placeholders } from '../../schemas/template.ts'
import { emailFor } from '../../suites/request/sink.ts'
import type { Answer, Made } from './client.ts'
import { verbsOf } from './found.ts'
import { type Fields, fieldsIn, idsIn, isRecord, leavesOf, listsIn, listWith, placesOf, recordIn } from './places.ts'
import {
  ask,
  type Found,
  isNothing,
  note,
  operationOf,
  type Probe,
  paramsIn,
  placesIn,
  said,
  samplesOf,
} from './probing.ts'
import { mended } from './refusal.ts'
import { collectionOf, howWell, namesFor, pathsOf, plain } from './vocabulary.ts'

const MOST_PATHS = 140

const AT_ONCE = 6

const MOST_IDS = 8

const MOST_MENDS = 6

/** The paths at which a collection may stand, the shipped ones first. */
function candidates(probe: Probe, type: string): string[] {
  const { list } = verbsOf(type, probe.shipped[0] as Binding)
  const shipped = probe.shipped.flatMap((binding) => binding.operations.get(list)?.path || [])
  const pattern = collectionOf(type)
  const paths = [
    ...new Set([...shipped, ...parentsOf(probe, pattern).flatMap((prefix) => pathsOf(pattern, prefix))]),
  ].filter((path) => [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => probe.ids[name] !== undefined))
  // Operations found so far show where the target has its settings.
  const known = foldersIn(probe)
  return [
    ...paths.filter((path) => known.has(folderOf(path))),
    ...paths.filter((path) => !known.has(folderOf(path))),
  ].slice(0, MOST_PATHS)
}

/** Where lists of settings were found. */
function foldersIn({ findings }: Probe): ReadonlySet<string> {
  const lists = [...findings.operations.values()].filter(({ id }) => id.startsWith('list-'))
  return new Set(lists.map(({ path }) => folderOf(path)))
}

function folderOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('/v1/') && path.split('/').length > 3 ? 3 : 2)
    .join('/')
}

/** Paths of the thing that a collection belongs to: as found, then as the specification has it. */
function parentsOf({ findings, shipped }: Probe, pattern: string): (string | undefined)[] {
  if (!pattern.includes('*')) return [undefined]
  const read = pattern.startsWith('v3 group') ? 'get-group' : 'get-pipeline'
  const paths = [findings.operations.get(read)?.path, ...shipped.map(({ operations }) => operations.get(read)?.path)]
  return [...new Set(paths.filter((path) => path !== undefined && path !== ''))]
}

interface Listed {
  readonly path: string
  readonly answer: Answer
}

/** Reads every path where the collection may stand; returns those that answer with a list, the likeliest first. */
async function findLists(probe: Probe, type: string): Promise<Listed[]> {
  const taken = new Set([...probe.findings.operations.values()].map(({ method, path }) => `${method} ${path}`))
  const paths = candidates(probe, type).filter((path) => !taken.has(`GET ${path}`))
  const found: Listed[] = []
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    const some = paths.slice(start, start + AT_ONCE)
    const answers = await Promise.all(some.map((path) => ask(probe, 'GET', path)))
    for (const [index, answer] of answers.entries()) {
      const path = some[index] ?? ''
      const isList = answer.ok && listsIn(answer.json).length > 0 && !isNothing(probe, path, answer)
      if (isList) found.push({ path, answer })
    }
    // What stands where the specification's words say needs no other.
    if (found.some(({ path }) => howWell(collectionOf(type), path) === 1)) break
  }
  const { list } = verbsOf(type, probe.shipped[0] as Binding)
  // The reason why something was lacking is known before, and says more.
  if (found.length === 0 && !probe.findings.open.has(list)) probe.findings.open.set(list, triedInWords(paths))
  return found
}

function triedInWords(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => `GET ${path}`)
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : ''
  return `no list of them was found (tried ${shown.join(', ')}${more})`
}

/** Finds one kind of resource: where it is listed, made, read, changed. Returns what was made. */
export async function probeThing(probe: Probe, type: string): Promise<Found | undefined> {
  const verbs = verbsOf(type, probe.shipped[0] as Binding)
  const lists = await findLists(probe, type)
  if (!probe.agreed.modify || (type === 'exclusion' && !probe.agreed.exclusions)) {
    await readOnly(probe, type, lists)
    return undefined
  }
  const specified = operationOf(probe, verbs.create)
  const places = specified?.specified === true ? [specified.path] : lists.map(({ path }) => path)
  for (const place of places) {
    const made = await make(probe, type, place)
    if (!made) continue
    const list = specified?.specified === true ? lists.map(({ path }) => path) : [place]
    const found = await findAgain(probe, type, made, list)
    if (found) return found
  }
  if (lists.length > 0 && !probe.findings.operations.has(verbs.list)) await readOnly(probe, type, lists)
  return undefined
}

/** Without consent: the list, and one of what it holds. */
async function readOnly(probe: Probe, type: string, lists: readonly Listed[]): Promise<void> {
  const { list, read } = verbsOf(type, probe.shipped[0] as Binding)
  const [first, second] = lists
  if (!first) return
  if (second && howWell(collectionOf(type), first.path) < 1) {
    probe.findings.open.set(list, `${first.path} and ${second.path} both return lists; which of them is meant?`)
    return
  }
  const pointer = listsIn(first.answer.json)[0] ?? ''
  const from = `probe: ${said('GET', first.path, first.answer)} with a list`
  note(probe, {
    id: list,
    method: 'GET',
    path: first.path,
    answer: { list: pointer },
    status: first.answer.status,
    from,
    sure: 'likely',
  })
  const elements = at(first.answer.json, pointer)
  const element = Array.isArray(elements) ? elements.find(isRecord) : undefined
  const placeholder = probe.shipped[0]?.resources.get(type)?.id ?? ''
  if (element === undefined || operationOf(probe, read) === undefined) return
  for (const leaf of idsIn(element, {}, [type]).slice(0, MOST_IDS)) {
    if (isSecretThing(leaf.name)) continue
    const id = String(leaf.value)
    const item = `${first.path}/{${placeholder}}`
    probe.ids[placeholder] = id
    const answer = await ask(probe, 'GET', item)
    const place = answer.ok ? recordIn(answer.json, id, []) : undefined
    if (!place?.id || isNothing(probe, item, answer)) {
      delete probe.ids[placeholder]
      continue
    }
    const told = `probe: ${said('GET', item, answer)}; its id is what makes the read succeed`
    note(probe, {
      id: read,
      method: 'GET',
      path: item,
      answer: { record: place.record, id: place.id },
      status: answer.status,
      from: told,
      sure: 'proven',
    })
    probe.findings.resources.set(type, { key: leaf.pointer.slice(1) })
    return
  }
}

interface MadeThing {
  readonly thing: Made
  readonly answer: Answer
  readonly path: string
  readonly template: Fields
  readonly body: Fields
  readonly query: Readonly<Record<string, string>>
}

/** Makes one, learning from refusals what the body has to hold. */
async function make(probe: Probe, type: string, path: string): Promise<MadeThing | undefined> {
  const { create } = verbsOf(type, probe.shipped[0] as Binding)
  const resource = probe.shipped[0]?.resources.get(type)
  const label = `${probe.ledger.prefix}-${type}`.slice(0, resource?.labelMax ?? 60)
  const values = { label, email: emailFor(probe.sink, label), ...probe.ids }
  const samples = samplesOf(probe, create)
  let last: Answer | undefined
  for (const sample of samples.length > 0 ? samples : [{}]) {
    const query = operationOf(probe, create)?.query ?? {}
    let template: Fields | undefined = sample
    for (let attempt = 0; template !== undefined && attempt <= MOST_MENDS; attempt += 1) {
      if ([...placeholders(template)].some((name) => !Object.hasOwn(values, name))) break
      const body = fillTemplate(template, values) as Fields
      const thing = await probe.ledger.making(type, type === 'member' ? values.email : label, paramsIn(path, probe.ids))
      const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
      const answer = await ask(probe, 'POST', path, body, search)
      last = answer
      if (answer.ok) return { thing, answer, path, template, body, query }
      // After a failure nobody knows whether something was made: it stays in the journal, and is searched for.
      if (answer.status >= 400 && answer.status < 500) await probe.ledger.notMade(thing)
      template = answer.status >= 400 && answer.status < 500 ? mended(template, answer.json, type) : undefined
    }
  }
  if (last) probe.findings.open.set(create, `${said('POST', path, last)}; no sample body was accepted`)
  return undefined
}

/** Looks for what was made by its name, in lists and by reading it under each value that may be its id. */
async function findAgain(
  probe: Probe,
  type: string,
  made: MadeThing,
  lists: readonly string[],
): Promise<Found | undefined> {
  const { thing, answer, path, template, body } = made
  const verbs = verbsOf(type, probe.shipped[0] as Binding)
  const placeholder = probe.shipped[0]?.resources.get(type)?.id ?? ''
  const listed = await Promise.all(lists.map(async (list) => ({ path: list, answer: await ask(probe, 'GET', list) })))
  const shown = listed.flatMap((list) => {
    const found = list.answer.ok ? listWith(list.answer.json, thing.label) : undefined
    return found ? [{ ...list, ...found }] : []
  })
  const nouns = [type, type.replace(/^preset-/, '')]
  const possible = [
    ...(type === 'member' ? [thing.label] : []),
    ...idsIn(answer.json, body, nouns).filter(
      ({ name }) => !isSecretThing(name) || (name === 'key' && !/key/.test(type)),
    ),
    ...shown.flatMap(({ element }) => idsIn(element, body, nouns).filter(({ name }) => !isSecretThing(name))),
  ].map((one) => (typeof one === 'string' ? one : String(one.value)))
  const item = await readByIds(
    probe,
    type,
    [...new Set(possible)].slice(0, MOST_IDS),
    [...new Set([...shown.map((one) => one.path), ...lists, ...(lists.includes(path) ? [] : [path])])],
    thing.label,
  )
  const id = item?.id ?? listedId(listed, possible)
  if (id === undefined) {
    probe.findings.open.set(verbs.create, `${said('POST', path, answer)}, but the new resource was found nowhere`)
    return undefined
  }
  await probe.ledger.made(thing, id)
  probe.ids[placeholder] = id
  const label = nameOf(template)
  const from = `probe: ${said('POST', path, answer)}; what it made was found again`
  const places = { ...placesIn(answer.json, id, body), ...generationIn(answer.json, type) }
  note(probe, {
    id: verbs.create,
    method: 'POST',
    path,
    body: template,
    answer: { ...places, ...extrasIn(type, answer.json) },
    status: answer.status,
    from,
    sure: 'proven',
  })
  if (item) noteRead(probe, type, item, body, id)
  const listPath = item?.path.replace(/\/\{\w+\}$/, '')
  await noteList(probe, type, listed, { id, body, label, sent: thing.label, item: listPath })
  return { type, label: thing.label, item: item?.path, body, record: item?.record }
}

/** The field of a sample that carries the name. */
function nameOf(template: Fields): string | undefined {
  return Object.entries(template).find(([, value]) => value === '{{label}}' || value === '{{email}}')?.[0]
}

interface Item {
  readonly id: string
  readonly path: string
  readonly answer: Answer
  readonly record: unknown
}

/** Reads each possible id below each path: the right one shows the name, or the id. */
async function readByIds(
  probe: Probe,
  type: string,
  ids: readonly string[],
  lists: readonly string[],
  label: string,
): Promise<Item | undefined> {
  const placeholder = probe.shipped[0]?.resources.get(type)?.id ?? ''
  const { read } = verbsOf(type, probe.shipped[0] as Binding)
  if (read === '') return undefined
  const own = probe.shipped.flatMap(({ operations }) => operations.get(read)?.path || [])
  const before = probe.ids[placeholder]
  const paths = [...new Set([...lists.map((list) => `${list}/{${placeholder}}`), ...own])]
  for (const id of ids) {
    for (const path of paths) {
      probe.ids[placeholder] = id
      if ([...path.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => probe.ids[name] === undefined)) continue
      const answer = await ask(probe, 'GET', path)
      if (!answer.ok || isNothing(probe, path, answer)) continue
      const hasName = placesOf(answer.json, label).length > 0
      if (!hasName && (type !== 'placed-group' || placesOf(answer.json, id).length === 0)) continue
      const place = recordIn(answer.json, id, [label])
      return { id, path, answer, record: place && at(answer.json, place.record) }
    }
  }
  if (before === undefined) delete probe.ids[placeholder]
  else probe.ids[placeholder] = before
  return undefined
}

/** Where nothing is read one by one: the id is what the list shows too. */
function listedId(listed: readonly Listed[], ids: readonly string[]): string | undefined {
  for (const { answer } of listed) {
    const id = answer.ok ? ids.find((one) => listWith(answer.json, one) !== undefined) : undefined
    if (id !== undefined) return id
  }
  return undefined
}

function noteRead(probe: Probe, type: string, { id, path, answer, record }: Item, body: Fields, shown: string): void {
  const { read } = verbsOf(type, probe.shipped[0] as Binding)
  const place = recordIn(answer.json, id, [])
  note(probe, {
    id: read,
    method: 'GET',
    path,
    fields: fieldsIn(record, body),
    answer: {
      ...(place?.id === undefined ? {} : { record: place.record, id: place.id }),
      ...generationIn(answer.json, type),
      ...extrasIn(type, answer.json),
    },
    status: answer.status,
    from: `probe: ${said('GET', path, answer)} for the id ${type === 'member' ? 'that was sent' : shown}, with the name that was sent`,
    sure: 'proven',
  })
}

/** The list that shows the id: as its elements show it, so the fields of each are called. */
async function noteList(
  probe: Probe,
  type: string,
  listed: readonly Listed[],
  {
    id,
    body,
    label,
    sent,
    item,
  }: { id: string; body: Fields; label: string | undefined; sent: string; item: string | undefined },
): Promise<void> {
  const { list } = verbsOf(type, probe.shipped[0] as Binding)
  const paths = [...new Set([...(item === undefined ? [] : [item]), ...listed.map(({ path }) => path)])]
  for (const path of paths) {
    const answer = listed.find((one) => one.path === path)?.answer ?? (await ask(probe, 'GET', path))
    const found = answer.ok ? listWith(answer.json, id) : undefined
    if (!found) continue
    const fields = fieldsIn(found.element, body)
    const deep = found.field.includes('/')
    note(probe, {
      id: list,
      method: 'GET',
      path,
      fields: deep ? { ...fields, id: `/${found.field}` } : fields,
      answer: { list: found.list },
      status: answer.status,
      from: `probe: ${said('GET', path, answer)}, and lists what was made`,
      sure: 'proven',
    })
    probe.findings.resources.set(type, {
      ...(label === undefined || placesOf(found.element, sent).length === 0 ? {} : { label }),
      key: deep ? 'id' : found.field,
    })
    return
  }
}

export function generationIn(json: unknown, type: string): Record<string, string> {
  if (type !== 'source' && type !== 'transform') return {}
  const leaf = leavesOf(json).find(
    ({ name, value }) => typeof value === 'number' && namesFor('generation').includes(plain(name)),
  )
  return leaf ? { generation: leaf.pointer } : {}
}

/** Places that only some kinds of resource have. */
function extrasIn(type: string, json: unknown): Record<string, string> {
  if (type === 'group' || type === 'placed-group' || type === 'group-revision') {
    const lists = listsIn(json)[0]
    const leaf = leavesOf(json).find(
      ({ name }) => /revision|edition|version/.test(plain(name)) && !/^(generation)/.test(plain(name)),
    )
    return {
      ...(type === 'placed-group' || lists === undefined ? {} : { transforms: lists }),
      ...(leaf && type !== 'group-revision' ? { revision: leaf.pointer } : {}),
    }
  }
  return {}
}
