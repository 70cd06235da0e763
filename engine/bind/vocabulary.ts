// What services call the things of this interface, and what their paths look like. One table serves both ways: a pattern
// is unfolded into paths to try, and a path is matched against it.

/** Thing or word of a path -> what it may be called, the specification's own word first. Singular, words joined by dashes. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  enterprise: ['enterprise', 'organization', 'organisation'],
  screen: ['screen', 'panel'],
  board: ['board', 'dashboard'],
  view: ['view', 'search', 'saved-view', 'saved-search'],
  category: ['category', 'view-category', 'folder'],
  alert: ['alert', 'watcher', 'monitor', 'alarm'],
  preset: ['preset-alert', 'preset', 'alert-preset', 'alert-template'],
  member: ['member', 'person', 'user', 'teammate'],
  key: ['key', 'credential', 'api-key', 'ingestion-key'],
  exclusion: ['exclusion', 'exclusion-rule', 'drop-rule', 'drop-filter'],
  archiving: ['archiving', 'archive', 'cold-storage', 'archive-config', 'archive-bucket'],
  bucket: ['bucket', 'target', 'destination'],
  pipeline: ['pipeline', 'flow'],
  source: ['source', 'input'],
  transform: ['transform', 'processor', 'transformation'],
  group: ['transform-group', 'group', 'bundle', 'processor-group'],
  revision: ['revision', 'edition', 'version'],
  route: ['gateway-route', 'gateway', 'route'],
  variable: ['state-variable', 'variable', 'state'],
  publish: ['publish', 'publication', 'deploy'],
  access: ['access-key', 'access-token'],
  ingestion: ['ingestion', 'intake', 'ingest'],
  status: ['status', 'state'],
  suspend: ['suspend', 'suspension', 'pause'],
  confirm: ['confirm', 'confirmation'],
  resume: ['resume', 'unpause', 'continue'],
  log: ['log', 'line', 'event'],
  batch: ['batch', 'bulk'],
  export: ['export', 'line', 'log'],
  usage: ['usage', 'consumption'],
  app: ['app', 'application', 'service'],
  host: ['host', 'origin', 'hostname', 'server', 'host-name'],
  tag: ['tag', 'label'],
  total: ['total', 'all', 'summary'],
}

/** A collection: what is made at the path itself, and read, changed and deleted below it. `?`: may be missing. `*`: an id. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  screen: 'v config? screen',
  board: 'v config? board',
  view: 'v config? view',
  category: 'v config? category view?',
  alert: 'v config? alert',
  'preset-alert': 'v config? preset',
  member: 'v config? member',
  key: 'v config? key',
  exclusion: 'v config? ingestion? exclusion',
  'enterprise-key': 'v1 enterprise key',
  archiving: 'v config? archiving bucket?',
  pipeline: 'v3 pipeline',
  source: 'v3 pipeline * source',
  transform: 'v3 pipeline * transform',
  group: 'v3 group',
  'group-revision': 'v3 group * revision',
  'placed-group': 'v3 pipeline * group',
  'gateway-route': 'v3 pipeline? route',
}

/** Operations that belong to no collection: `METHOD pattern`. */
const SINGLE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries({ get: ['GET'], update: ['PUT', 'PATCH'], delete: ['DELETE'] }).map(([verb, methods]) => [
      `${verb}-archiving`,
      ['v config? archiving bucket? *', 'v config? archiving bucket?'].flatMap((path) =>
        methods.map((method) => `${method} ${path}`),
      ),
    ]),
  ),
  'publish-pipeline': ['POST v3 pipeline * publish', 'PUT v3 pipeline * publish'],
  'create-access-key': ['POST v3 pipeline? route * access'],
  'get-state-variables': ['GET v3 pipeline variable', 'GET v3 pipeline * variable'],
  'get-ingestion-status': ['GET v config? ingestion status?', 'GET v config? ingestion? suspend'],
  'suspend-ingestion': ['POST v config? ingestion? suspend', 'POST v config? ingestion? suspend suspend'],
  'confirm-suspension': ['POST v config? ingestion? suspend confirm', 'PUT v config? ingestion? suspend'],
  'resume-ingestion': ['POST v config? ingestion? suspend? resume', 'DELETE v config? ingestion? suspend'],
  'ingest-lines': [
    'POST v? log? ingestion',
    'POST v? log batch?',
    'POST v? ingestion batch',
    'POST v? ingestion log',
    'POST v ingestion',
  ],
  'export-v1': ['GET v1 log? export log?'],
  'export-v2': ['GET v2 log? export log?'],
  'list-usage-by-app': ['GET v1 usage app'],
  'list-usage-by-host': ['GET v1 usage host'],
  'list-usage-v2-by-app': ['GET v2 usage app'],
  'list-usage-v2-by-host': ['GET v2 usage host'],
  'list-usage-v2-by-tag': ['GET v2 usage tag'],
  'get-usage-v2': ['GET v2 usage total?'],
}

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

/** Operation -> `METHOD pattern`s, those of the collections unfolded into their five operations. */
export const PATTERNS: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(COLLECTIONS).flatMap(([type, pattern]): [string, readonly string[]][] => [
    [`list-${plural(type)}`, [`GET ${pattern}`]],
    [`create-${type}`, [`POST ${pattern}`]],
    [`get-${type}`, [`GET ${pattern} *`]],
    [`update-${type}`, [`PUT ${pattern} *`, `PATCH ${pattern} *`, `POST ${pattern} *`]],
    [`delete-${type}`, [`DELETE ${pattern} *`]],
  ]),
  ['replace-gateway-route', ['PUT v3 pipeline? route *']] as const,
  ...Object.entries(SINGLE),
])

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
  const [holder = ''] = Object.entries(COLLECTIONS).find(([, one]) => one === tokens.slice(0, last).join(' ')) ?? []
  const prefix = last < 0 ? '' : pathOf(holder)
  if (prefix === undefined) return []
  let paths: { readonly path: string; readonly rank: number }[] = [{ path: prefix, rank: 0 }]
  for (const token of tokens.slice(last + 1)) {
    const word = token.replace('?', '')
    const names = LITERAL[word] ?? WORDS[word] ?? [word]
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
  return COLLECTIONS[type] ?? ''
}

/** Whether a segment of a path names a collection of the interface that stands in no other one. */
export function isCollection(segment: string): boolean {
  const own = Object.values(COLLECTIONS).filter((pattern) => !pattern.includes('*'))
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
  return (WORDS[word] ?? [word]).findIndex((name) => plain(name) === plain(segment))
}

/** Fields that mean the same: our name first. */
const FIELDS: readonly (readonly string[])[] = [
  ['title', 'name', 'caption', 'heading', 'label', 'display-name', 'subject'],
  ['description', 'about', 'summary', 'note', 'comment'],
  ['email', 'address', 'mail', 'email-address', 'user'],
  ['role', 'right', 'permission', 'access'],
  ['integration', 'kind', 'type', 'provider', 'storage', 'storage-type'],
  ['type', 'kind', 'sort', 'node-type', 'category', 'class', 'source-type', 'transform-type', 'processor-type'],
  ['user_config', 'setting', 'config', 'configuration', 'option'],
  ['inputs', 'feed', 'from', 'upstream'],
  ['deploy_type', 'place', 'deployment', 'deployment-type'],
  ['host', 'origin', 'hostname', 'server'],
  ['app', 'service', 'application', 'program', 'app-name', 'service-name'],
  ['level', 'severity', 'priority'],
  ['line', 'text', 'message', 'msg'],
  ['time', 'timestamp', 'at', 'ts', 'date'],
  ['tags', 'label', 'tag-name'],
  ['env', 'environment'],
  ['meta', 'metadata', 'attribute'],
  ['id', 'uid', 'uuid', 'no', 'number', 'key', 'identifier', 'tag', 'slug'],
  ['lines', 'count', 'current-total', 'total-line'],
  ['bytes', 'size', 'total-byte', 'volume'],
  ['percent', 'share', 'percentage', 'percentage-of-total'],
  ['generation', 'generation-id', 'rev', 'revision', 'version', 'etag', 'generation-number'],
  ['from', 'since', 'start', 'start-time', 'begin', 'after'],
  ['to', 'until', 'end', 'end-time', 'before'],
  ['size', 'count', 'limit', 'page-size', 'per-page', 'max'],
  ['limit', 'top', 'max', 'size', 'count', 'page-size', 'per-page'],
  ['mail', 'email', 'notify', 'recipient', 'mail-to', 'send-to'],
  ['hosts', 'origin', 'hostname', 'server', 'host-name'],
  ['apps', 'service', 'application', 'app-name', 'service-name'],
  ['levels', 'severity', 'severities'],
  ['query', 'q', 'search', 'filter'],
  ['prefer', 'side', 'direction', 'order', 'sort'],
  ['pagination_id', 'cursor', 'next', 'page-token', 'next-cursor', 'next-page-token'],
  ['active', 'enabled', 'is-active'],
  ['processing_status', 'active', 'enabled', 'status', 'state'],
]

/** What a kind of resource is called in the name of its id. */
export function nounsOf(type: string): string[] {
  return [type, type.replace(/^(preset|pipeline|group)-/, ''), ...(type === 'member' ? ['email'] : [])]
}

/** What a field or parameter of ours may be called, the likeliest first, without spelling (`plain`). */
export function namesFor(ours: string): readonly string[] {
  const known = FIELDS.find(([first]) => first === ours) ?? FIELDS.find((names) => names.includes(ours)) ?? []
  return [...new Set([plain(ours), ...known.map(plain)])]
}

/** The same in the spellings of parameters, in singular and plural, the likeliest first. */
export function spellingsOf(ours: string): string[] {
  const known = FIELDS.find(([first]) => first === ours) ?? []
  const forms = [ours, ...known].flatMap((name) => [
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
