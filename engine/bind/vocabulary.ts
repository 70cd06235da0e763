import { type OperationRow, resourceRow, service } from '../../schemas/service.ts'

// What services call the things of this interface, and what their paths look like. One table serves both ways: a pattern
// is unfolded into paths to try, and a path is matched against it.

/** Our names of the fields of a line. */
export const LINE_FIELDS: readonly string[] = ['line', 'time', 'app', 'level', 'host', 'env', 'meta', 'tags']

/** Words of a path that have one spelling each. */
const LITERAL: Readonly<Record<string, readonly string[]>> = {
  // Where the text gives no path, it gives no version.
  v: ['v1', 'v2'],
  v1: ['v1'],
  v2: ['v2'],
  v3: ['v3'],
  config: ['config', 'configuration', 'settings'],
}

const PLURALS: Readonly<Record<string, string>> = { person: 'people', category: 'categories' }
const SINGULARS: Readonly<Record<string, string>> = { people: 'person' }

/** What is sent below a collection, or to it, by what the operation does. */
const METHODS: Readonly<Partial<Record<OperationRow['verb'], readonly (readonly [method: string, below: string])[]>>> =
  {
    list: [['GET', '']],
    create: [['POST', '']],
    read: [['GET', ' *']],
    update: ['PUT', 'PATCH', 'POST'].map((method) => [method, ' *']),
    change: ['PUT', 'PATCH', 'POST'].map((method) => [method, ' *']),
    remove: [['DELETE', ' *']],
  }

/** Operation -> `METHOD pattern`s, the likeliest first. */
export const PATTERNS: ReadonlyMap<string, readonly string[]> = new Map(
  service().operations.flatMap(({ id, verb, resource, ways }): [string, readonly string[]][] => {
    const paths = collectionOf(resource)
    const own = METHODS[verb]?.map(([method, below]) => `${method} ${paths}${below}`)
    return ways || (own && paths !== '') ? [[id, ways ?? own ?? []]] : []
  }),
)

function plural(word: string): string {
  const last = word.split('-').at(-1) ?? word
  const known = PLURALS[last]
  if (known !== undefined) return word.slice(0, -last.length) + known
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

function singular(word: string): string {
  const known = SINGULARS[word]
  if (known !== undefined) return known
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(x|z|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

/** A name without its spelling: `gatewayRoutes`, `gateway_route` and `gateway-routes` are one. */
export function plain(name: string): string {
  const words = wordsIn(name)
  const last = words.pop()
  return last === undefined ? '' : [...words, singular(last)].join('')
}

/** The spellings of a word in a path, the likeliest first. */
function spellings(word: string): string[] {
  const forms = [word, plural(word)]
  const others = word.includes('-')
    ? forms.flatMap((form) => [
        form.replaceAll('-', ''),
        form.replaceAll('-', '_'),
        form.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      ])
    : []
  return [...forms, ...others]
}

/** Where one thing of a type was found, as far as it was: its parts stand below. */
export type PathOf = (type: string) => string | undefined

/**
 * The paths that a pattern stands for, the likeliest first: those whose words are the specification's own before others.
 * The path of a thing stands in place of the pattern's beginning up to its last `*`.
 */
export function pathsOf(pattern: string, pathOf: PathOf = () => undefined): string[] {
  const tokens = pattern.split(' ')
  const last = tokens.lastIndexOf('*')
  const { type: holder = '' } = service().resources.find(({ paths }) => paths === tokens.slice(0, last).join(' ')) ?? {}
  const prefix = last < 0 ? '' : pathOf(holder)
  if (prefix === undefined) return []
  let paths: { readonly path: string; readonly rank: number }[] = [{ path: prefix, rank: 0 }]
  for (const token of tokens.slice(last + 1)) {
    const word = token.replace('?', '')
    const names = LITERAL[word] ?? service().words[word] ?? [word]
    paths = paths.flatMap(({ path, rank }) => [
      ...names.flatMap((name, place) =>
        (LITERAL[word] ? [name] : spellings(name)).map((spelling, form) => ({
          path: `${path}/${spelling}`,
          // Another version comes after all words of the first one.
          rank: rank + place * (word === 'v' ? 100 : 10) + form,
        })),
      ),
      ...(token.endsWith('?') ? [{ path, rank: rank + 5 }] : []),
    ])
  }
  return [...paths].sort((a, b) => a.rank - b.rank).map(({ path }) => path)
}

/** The ways in which an operation may be called, the likeliest of each of its patterns first. */
export function waysOf(operation: string, pathOf?: PathOf): { readonly method: string; readonly path: string }[] {
  const each = (PATTERNS.get(operation) ?? []).map((pattern) => {
    const [method = '', ...rest] = pattern.split(' ')
    return pathsOf(rest.join(' '), pathOf).map((path) => ({ method, path }))
  })
  const most = Math.max(0, ...each.map(({ length }) => length))
  const ways = Array.from({ length: most }, (_, index) => each.flatMap((some) => some[index] ?? [])).flat()
  // Another version comes after all words of the first one.
  const isOther = ({ path }: { readonly path: string }): number => Number(path.startsWith('/v2/'))
  return ways.sort((a, b) => isOther(a) - isOther(b))
}

/** The list, with the other patterns of collections, that a type of resource has. */
export function collectionOf(type: string): string {
  return resourceRow(type)?.paths ?? ''
}

/** Whether a segment of a path names a collection of the interface that stands in no other one. */
export function isCollection(segment: string): boolean {
  const own = service().resources.flatMap(({ paths = '*' }) => (paths.includes('*') ? [] : [paths]))
  const words = own.map((pattern) => pattern.split(' ').findLast((token) => !token.endsWith('?')) ?? '')
  return words.some((word) => placeOf(word, segment) >= 0)
}

/**
 * How well a path fits a pattern: 0 where it does not; the more of its words are the specification's own, the nearer to 1.
 * Placeholders of the path are in braces, whatever their names.
 */
export function howWell(pattern: string, path: string): number {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '' && segment !== 'api' && segment !== 'current')
    .map((segment) => (segment.startsWith('{') ? '*' : segment))
  const tokens = pattern.split(' ')
  // Only version 3 has pipelines, so a path without any version can be nothing else.
  const isBare = tokens[0] === 'v3' && !/^v\d/.test(segments[0] ?? '')
  return isBare ? fitFrom(tokens.slice(1), segments, 0.5, 1) : fitFrom(tokens, segments, 0, 0)
}

function fitFrom(tokens: readonly string[], segments: readonly string[], strange: number, words: number): number {
  const [token, ...rest] = tokens
  if (token === undefined) return segments.length === 0 ? 1 - strange / Math.max(1, words + 1) : 0
  const skipped = token.endsWith('?') ? fitFrom(rest, segments, strange, words) : 0
  const [segment, ...others] = segments
  if (segment === undefined) return skipped
  const place = placeOf(token.replace('?', ''), segment)
  const taken = place < 0 ? 0 : fitFrom(rest, others, strange + (place > 0 ? 0.5 : 0), words + 1)
  return Math.max(taken, skipped)
}

/** Which of its words names a segment; -1: none. */
function placeOf(word: string, segment: string): number {
  if (word === '*' || segment === '*') return word === segment ? 0 : -1
  const literal = LITERAL[word]
  if (literal) return literal.indexOf(segment)
  return (service().words[word] ?? [word]).findIndex((name) => plain(name) === plain(segment))
}

/** What a kind of resource is called in the name of its id. */
export function nounsOf(type: string): string[] {
  return [type, type.replace(/^(preset|pipeline|group)-/, ''), ...(type === 'member' ? ['email'] : [])]
}

/** What a field or parameter of ours may be called, the likeliest first, without spelling (`plain`). */
export function namesFor(ours: string): readonly string[] {
  const { names } = service()
  const [first, others] = Object.entries(names).find(([one, more]) => one === ours || more.includes(ours)) ?? []
  const known = names[ours] ? [ours, ...names[ours]] : first === undefined ? [] : [first, ...(others ?? [])]
  return [...new Set([ours, ...known].map(plain))]
}

/** The same in the spellings of parameters, in singular and plural, the likeliest first. */
export function spellingsOf(ours: string): string[] {
  const forms = [ours, ...(service().names[ours] ?? [])].flatMap((name) => [
    name.replaceAll('-', '_'),
    name.replaceAll(/[-_](.)/g, (_, letter: string) => letter.toUpperCase()),
    name.replaceAll('-', ''),
  ])
  return [...new Set(forms.flatMap((form) => [form, plural(form)]))]
}

/** The name among `given` that stands for ours; undefined where none does. */
export function nameAmong(ours: string, given: readonly string[]): string | undefined {
  if (given.includes(ours)) return ours
  for (const name of namesFor(ours)) {
    const found = given.find((one) => plain(one.replace(/^_+/, '')) === name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Our names of fields or parameters -> those among `given` that stand for them, as far as there are any. */
export function namesAmong(ours: readonly string[], given: readonly string[]): Record<string, string> {
  const found = ours.map((name) => [name, nameAmong(name, given)] as const)
  return Object.fromEntries(found.flatMap(([name, theirs]) => (theirs === undefined ? [] : [[name, theirs]])))
}

/** The words of a name, in small letters. */
export function wordsIn(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
