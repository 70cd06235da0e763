import type { Answer, Made } from './client.ts'
import { idsIn, listWith } from './places.ts'
import { ask, hit, isFilled, itemPaths, lookTwice, noteTried, type Search } from './search.ts'
import { type Kind, kindOf, operationOf, shipped } from './shipped.ts'

/** Removes what was made, the newest first, each by its own path; notes the operations that did it. */
export async function removeAll(search: Search): Promise<Made[]> {
  const left: Made[] = []
  for (const thing of [...search.ledger.things].reverse()) {
    if (thing.removed) continue
    // Suspension was taken back when it was tried, or could not be.
    if (thing.type === 'suspension' || !(await removeOne(search, thing))) left.push(thing)
  }
  return left
}

export async function removeOne(search: Search, thing: Made): Promise<boolean> {
  const kind = kindOf(thing.type)
  // A revision goes with its group.
  if (shipped()[0].resources.get(kind.type)?.with !== undefined && kind.delete === '') {
    await search.ledger.removed(thing)
    return true
  }
  const id = thing.id ?? (await idByName(search, thing))
  if (id === undefined) return false
  const known = operationOf(kind.delete)
  const below = [kind.list, kind.create].flatMap((verb) => search.hits.get(verb)?.path ?? [])
  const own = { ...search, ids: { ...search.ids, ...thing.params, [kind.id]: id, id } }
  const first = [known.specified ? known.path : undefined, search.hits.get(kind.read)?.path]
  for (const path of new Set([...first, ...itemPaths(own, kind.delete, kind.id, below)])) {
    if (path === undefined || !isFilled(own, path)) continue
    const way = { method: 'DELETE', path }
    const answer = await ask(own, way)
    noteTried(search, kind.delete, way, answer)
    if (!answer.ok || !(await isGone(own, kind, id))) continue
    await search.ledger.removed(thing)
    if (kind.delete !== '') hit(own, kind.delete, way, answer, { why: ', and what it names is gone' })
    return true
  }
  return false
}

/** Whether a deleted thing is neither read nor listed any more. */
async function isGone(search: Search, kind: Kind, id: string): Promise<boolean> {
  const read = search.hits.get(kind.read)
  const path = read?.path ?? search.hits.get(kind.list)?.path
  if (path === undefined) return true
  const shows = ({ ok, json }: Answer): boolean => (read ? ok : !ok || listWith(json, id) !== undefined)
  return !shows(
    await lookTwice(
      search,
      () => ask(search, { method: 'GET', path }),
      (seen) => !shows(seen),
    ),
  )
}

/** For a thing that was made without an answer that tells its id: the list has it under its name. */
async function idByName(search: Search, { type, label, params }: Made): Promise<string | undefined> {
  const kind = kindOf(type)
  const path = search.hits.get(kind.list)?.path ?? shipped()[0].operations.get(kind.list)?.path
  const own = { ...search, ids: { ...search.ids, ...params } }
  if (path === undefined || !isFilled(own, path)) return undefined
  const answer = await ask(own, { method: 'GET', path }).catch(() => undefined)
  const element = answer?.ok === true ? listWith(answer.json, label)?.element : undefined
  const [id] = element === undefined ? [] : idsIn(element, { label }, [type])
  return id === undefined ? undefined : String(id.value)
}
