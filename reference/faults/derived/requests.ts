import { ledger } from '../../../schemas/ledger.ts'
import { type JsonSchema, loadResourceSchemas } from '../../../schemas/load.ts'
import { type OperationRow, service } from '../../../schemas/service.ts'
import { createResolver, schemaNamed, walkSchema } from '../../../schemas/walk.ts'
import { rule } from '../core/changes.ts'
import type { Changes, Fault } from '../core/fault.ts'
import { repaired } from '../core/repair.ts'

/** A changed rule that no client can tell from the proper one, and why. */
export interface Equivalent {
  readonly name: string
  readonly reason: string
}

interface Derived {
  readonly faults: readonly Fault[]
  readonly equivalents: readonly Equivalent[]
}

type Edit = (schema: JsonSchema) => JsonSchema

/** One changed rule; `way` says which side it errs on. */
interface Change {
  readonly suffix: string
  readonly about: string
  readonly keyword: string
  readonly way: 'loosened' | 'tightened'
  readonly edit: Edit
  /** cited in place of the keyword's own requirement */
  readonly requirement?: string
  readonly equivalent?: string
}

const JSON_TYPES = ['string', 'number', 'boolean', 'array', 'object', 'null'] as const

/** Faults about the kinds of node that are made where no kind is asked for. */
const USUAL = /-(?:demo-logs|drop-fields)$/

/** Every rule about requests, changed in every way that the keyword allows. */
export function derivedFromRequests(): Derived {
  const faults: Fault[] = []
  const equivalents: Equivalent[] = []
  for (const place of requestPlaces()) {
    for (const change of changesOf(place)) {
      const { suffix, about, keyword, way, edit } = change
      const requirement = change.requirement ?? requirementOf(place.schema, keyword)
      if (requirement === undefined) continue
      const name = `${place.name}/${suffix}`
      const reason = change.equivalent ?? unjudged(place, change, requirement)
      if (reason !== undefined) equivalents.push({ name, reason })
      else {
        faults.push({
          name,
          about: `${place.name}: ${about}`,
          kills: [requirement],
          ...(way === 'tightened' && (change.requirement === undefined || USUAL.test(name))
            ? { withheld: 'the value may be one of those that every good request is made of' }
            : {}),
          changes: laid(place, change, edit),
        })
      }
    }
  }
  return { faults, equivalents }
}

function laid(place: Place, { way }: Change, edit: Edit): Changes {
  const changed = rule(place.file, place.pointer, edit)
  return way === 'loosened' ? { ...changed, ...repaired(place.operations.filter(({ request }) => request)) } : changed
}

/** Why a changed rule is no fault of a target. */
function unjudged({ schema }: Place, change: Change, requirement: string): string | undefined {
  if (ledger().get(requirement)?.level === 'open') return 'what a target does with such values is only observed'
  const judged = change.requirement !== undefined || schema['x-accept']?.includes(change.keyword) === true
  return change.way === 'loosened' || judged ? undefined : 'the text does not say that its good values are accepted'
}

function changesOf(place: Place): Change[] {
  const { schema } = place
  return [
    ...bounds(schema, 'maxLength', 1),
    ...bounds(schema, 'minLength', -1),
    ...bounds(schema, 'maximum', 1),
    ...bounds(schema, 'minimum', -1),
    ...bounds(schema, 'minItems', -1),
    ...bounds(schema, 'maxItems', 1),
    ...patterns(place),
    ...members(place),
    ...types(schema),
    ...(schema.format === undefined ? [] : [dropped('format')]),
  ]
}

function dropped(keyword: keyof JsonSchema & string): Change {
  return {
    suffix: `no-${keyword}`,
    about: `${keyword} is not checked`,
    keyword,
    way: 'loosened',
    edit: ({ [keyword]: _, ...rest }) => rest,
  }
}

/** `outward`: the direction in which the bound is loosened. */
function bounds(
  schema: JsonSchema,
  keyword: 'maxLength' | 'minLength' | 'maximum' | 'minimum' | 'minItems' | 'maxItems',
  outward: 1 | -1,
): Change[] {
  const bound = schema[keyword]
  if (bound === undefined) return []
  const to = (value: number, way: Change['way']): Change => ({
    suffix: `${keyword}-${value}`,
    about: `${keyword} is ${value}`,
    keyword,
    way,
    edit: (node) => ({ ...node, [keyword]: value }),
  })
  // A count from 0 on is no bound at all, which the one that is dropped shows already.
  const outer = bound + outward === 0 && keyword !== 'minimum' ? [] : [to(bound + outward, 'loosened')]
  return [...outer, to(bound - outward, 'tightened'), dropped(keyword)]
}

const NAMES: Readonly<Record<string, string>> = {
  '<': 'less-than',
  '>': 'greater-than',
  '"': 'quote',
  "'": 'apostrophe',
  '&': 'ampersand',
  '/': 'slash',
  '\\': 'backslash',
  '%': 'percent',
  '{': 'brace',
  ' ': 'blank',
  ';': 'semicolon',
  '-': 'hyphen',
  '.': 'dot',
  A: 'capital-a',
  z: 'z',
  '0': 'zero',
}
const ALLOWED = ["'", '&', '/', '\\', '%', '{', ' ', ';', '-', '.', 'A', 'z', '0']

function patterns({ file, pointer, schema }: Place): Change[] {
  const { pattern } = schema
  if (pattern === undefined) return []
  const forbidden = /^\^\[\^([^\]]+)\]\*\$$/.exec(pattern)?.[1]
  if (forbidden === undefined) {
    const lookedUp = file === 'parameters' && pointer.endsWith('component_id')
    const reason = 'what does not match names nothing, and is refused for that'
    return [{ ...dropped('pattern'), ...(lookedUp ? { equivalent: reason } : {}) }]
  }
  const to = (suffix: string, about: string, value: string, way: Change['way']): Change => ({
    suffix: `pattern-${suffix}`,
    about,
    keyword: 'pattern',
    way,
    edit: (node) => ({ ...node, pattern: value }),
  })
  const none = (characters: string): string => `[^${characters.replaceAll('\\', '\\\\')}]`
  return [
    ...[...forbidden].map((one) =>
      to(`takes-${NAMES[one]}`, `may hold ${one}`, `^${none(forbidden.replace(one, ''))}*$`, 'loosened'),
    ),
    to('first-only', 'only its first character is checked', `^(${none(forbidden)}[^]*)?$`, 'loosened'),
    to('last-only', 'only its last character is checked', `^([^]*${none(forbidden)})?$`, 'loosened'),
    to(
      'not-alone',
      'a forbidden character by itself is not noticed',
      `^(${none(forbidden)}*|[${forbidden}])$`,
      'loosened',
    ),
    to(
      'each-line',
      'each line is checked by itself, and one is enough',
      `(^|\\n)${none(forbidden)}*(\\n|$)`,
      'loosened',
    ),
    ...ALLOWED.map((one) => {
      // In a class of the u flag a hyphen stands for itself at the end only, and a slash needs no escape.
      const value = `^${none(one === '-' ? `${forbidden}-` : `${one}${forbidden}`)}*$`
      return to(`refuses-${NAMES[one]}`, `may not hold ${one === ' ' ? 'a blank' : one}`, value, 'tightened')
    }),
    dropped('pattern'),
  ]
}

/** requirement of refusing other words -> the one of taking the listed ones, where they are two */
const TAKEN: Readonly<Record<string, string>> = {
  'NODE-TRANSFORM-KIND': 'NODE-TRANSFORM-KIND-ACCEPTED',
  'NODE-SOURCE-KIND': 'NODE-SOURCE-KIND-ACCEPTED',
}

function members({ schema }: Place): Change[] {
  const words = schema.enum?.filter((one) => typeof one === 'string')
  if (!words) return []
  const [first = ''] = words
  const taken = TAKEN[requirementOf(schema, 'enum') ?? '']
  const also = (suffix: string, about: string, added: readonly string[]): Change => ({
    suffix: `enum-${suffix}`,
    about,
    keyword: 'enum',
    way: 'loosened',
    edit: (node) => ({ ...node, enum: [...new Set([...words, ...added])] }),
  })
  return [
    ...words.map(
      (word): Change => ({
        suffix: `enum-without-${word}`,
        about: `${word} is refused`,
        keyword: 'enum',
        way: 'tightened',
        edit: (node) => ({ ...node, enum: words.filter((one) => one !== word) }),
        ...(taken === undefined ? {} : { requirement: taken }),
      }),
    ),
    also(
      'any-case',
      'words are compared without case',
      words.flatMap((word) => [word.toUpperCase(), capital(word)]),
    ),
    also(
      'trimmed',
      'blanks around a word are ignored',
      words.flatMap((word) => [` ${word}`, `${word} `]),
    ),
    also('empty', 'empty text is taken', ['']),
    also(
      'cut',
      'the beginning of a word is enough',
      words.flatMap((word) => [word.slice(0, -1)]),
    ),
    also('several', 'several words are taken, with commas between', [words.join(','), `${first},${words.at(-1)}`]),
    ...unlistedWords(words).map((word) =>
      also(`more-${word.trim()}`, `${JSON.stringify(word)} is taken as well`, [word]),
    ),
    dropped('enum'),
  ]
}

/** Words that somebody might have added, which the enumeration does not list. */
function unlistedWords(words: readonly string[]): string[] {
  const one = words.find((word) => !word.endsWith('s')) ?? ''
  const others = words.includes('saas') ? ['cloud', 'edge', 'ingestion', 'http'] : ['saas', 'syslog', 'pipelines']
  const ofNodes = words.includes('http') ? ['throttle'] : ['kafka']
  return [...others, ...ofNodes, `${one}s`].filter((word) => !words.includes(word))
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** The type widened by each other one, and by all. Whatever else the node says does not hold for the new ones. */
function types(schema: JsonSchema): Change[] {
  if (typeof schema.type !== 'string') return []
  const own = schema.type
  const others = JSON_TYPES.filter((type) => type !== own)
  return others.map((type) => ({
    suffix: `type-or-${type}`,
    about:
      own === 'integer' && type === 'number'
        ? 'may be a fraction'
        : `may be ${type === 'null' ? 'null' : `of type ${type}`}`,
    keyword: 'type',
    way: 'loosened',
    edit: ({ $id, $defs, ...node }) => ({
      ...($id === undefined ? {} : { $id }),
      ...($defs === undefined ? {} : { $defs }),
      // A fraction is a number that is no integer: whole ones stay within the bounds.
      anyOf: [node, own === 'integer' && type === 'number' ? { type, not: { type: own } } : { type }],
    }),
  }))
}

/** A node of a schema file that says something about requests. */
export interface Place {
  /** file of the schema, without its ending */
  readonly file: string
  /** JSON pointer into the file */
  readonly pointer: string
  /** for people: node/title, preset-alert/channels/* */
  readonly name: string
  readonly schema: JsonSchema
  /** operations whose requests have to fit it */
  readonly operations: readonly OperationRow[]
}

/** Every node of the schemas that requests of the specified operations have to fit, each once. */
function requestPlaces(): Place[] {
  const schemas = loadResourceSchemas()
  const files = new Map([...schemas].map(([name, schema]) => [schema, name]))
  const resolve = createResolver(schemas)
  const places = new Map<JsonSchema, Place & { readonly operations: OperationRow[] }>()
  for (const operation of service().operations) {
    const refs = (operation.parameters ?? []).map(({ schema }) => schema)
    if (operation.request) refs.push(operation.request.schema)
    // What stands in a field whose name is a gap: no schema of a body leads there.
    if (operation.kind) refs.push(operation.kind.schema)
    for (const ref of refs) {
      const start = schemaNamed(ref, schemas)
      if (!start) throw new Error(`there is no schema ${ref}`)
      for (const { schema, root, path } of walkSchema(start, resolve)) {
        const file = files.get(root) ?? ''
        const place = places.get(schema) ?? { file, pointer: path, name: nameOf(file, path), schema, operations: [] }
        if (!place.operations.includes(operation)) place.operations.push(operation)
        places.set(schema, place)
      }
    }
  }
  return [...places.values()]
}

/** The requirement that a keyword of a node stands for. */
function requirementOf(schema: JsonSchema, keyword: string): string | undefined {
  const cited = schema['x-requirement']?.[keyword]
  return typeof cited === 'string' ? cited : undefined
}

function nameOf(file: string, pointer: string): string {
  const path = pointer
    .replaceAll('/properties/', '/')
    .replaceAll('/$defs/', '/')
    .replaceAll(/\/(items|additionalProperties)(?=\/|$)/g, '/*')
  return `${file}${path}`
}
