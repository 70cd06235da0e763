import { type Fields, isRecord, placesOf } from './places.ts'
import type { Search } from './search.ts'
import { nameAmong, namesFor, plain } from './vocabulary.ts'

/** A sample under the names that creation learnt; a field that creation needs under its own name is taken from there. */
export function underNames(sample: Fields, created: Fields): Fields {
  const [only = ''] = Object.keys(created)
  const nested = created[only]
  if (Object.keys(created).length === 1 && isRecord(nested)) return { [only]: underNames(sample, nested) }
  const theirs = Object.keys(created).filter((name) => sample[name] === undefined)
  return Object.fromEntries(
    Object.entries(sample).map(([ours, value]) => {
      const name = created[ours] === undefined ? nameAmong(ours, theirs) : undefined
      return name === undefined || typeof created[name] !== typeof value ? [ours, value] : [name, value]
    }),
  )
}

export function isNode(type: string): boolean {
  return type === 'source' || type === 'transform'
}

export function kindName(template: Fields): string | undefined {
  return Object.keys(template).find((name) => namesFor('type').includes(plain(name)))
}

/** For nodes: the value of the kind that the record does not show is tried under other names. */
export function kindsOf(type: string, templates: readonly Fields[], record: unknown): readonly Fields[] {
  if (!isNode(type)) return templates
  return templates.flatMap((template) => {
    const own = kindName(template)
    if (own === undefined || placesOf(record, template[own]).length > 0) return [template]
    const { [own]: kind, ...rest } = template
    return namesFor('type').map((name) => ({ [name]: kind, ...rest }))
  })
}

/** A kind that was found under another name than it was sent under belongs into the sample of creation, too. */
export function renameKind({ hits }: Search, create: string, changed: Fields): void {
  const name = kindName(changed)
  const made = hits.get(create)
  const before = made?.body && kindName(made.body)
  if (!made?.body || name === undefined || before === undefined || before === name) return
  const { [before]: kind, ...rest } = made.body
  hits.set(create, { ...made, body: { [name]: kind, ...rest } })
}
