import fc from 'fast-check'
import type { Binding } from '../../schemas/binding.ts'
import type { Requirement } from '../../schemas/ledger.ts'
import type { JsonSchema } from '../../schemas/load.ts'
import { childrenOf } from '../../schemas/walk.ts'
import { draw } from './drawing.ts'
import type { Labelled } from './values/body.ts'

/** Where the words come from that somebody might have added to an enumeration. */
export interface WordSources {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly ledger: ReadonlyMap<string, Requirement>
  readonly binding: Binding
}

export interface WordChoice {
  /** so many are drawn of its own words in other forms, of likely ones, less likely ones and others; undefined: all */
  readonly own: number | undefined
  readonly likely: number | undefined
  readonly less: number | undefined
  readonly others: number | undefined
  readonly seed: number
}

/** Words that services use for states, places and purposes. */
const USUAL = words(`
  enabled disabled active inactive none any all both auto default custom other cloud edge hybrid remote
  hosted self-hosted managed on-prem on-premise docker kubernetes test staging production standard
  basic free enterprise read write admin log metric trace event json csv syslog file tcp udp grpc
  rename enrich lookup join merge split script lua limit count group tag swimlane access-key noop
`)

/** The things and purposes that the specification speaks of. */
const THINGS = words(`
  archiving board view alert preset-alert category member screen key export line exclusion suspension
  usage pipeline source transform processor processor-group node transform-group gateway gateway-route
  tap state state-variable variable component sink revision organisation organization account owner app
  host level token access-token
`)

/**
 * Words that an enumeration does not list and that somebody might have added. Its own words in other forms, those of
 * the other enumerations, common words of services, and words of the specification and the binding. The likely ones
 * first. One thing that the specification speaks of is less likely than several, as in paths.
 */
export function plausibleWords(members: readonly string[], sources: WordSources, choice: WordChoice): Labelled[] {
  const others = [...sources.schemas.values()].flatMap(enumerated)
  const vendors = vendorTails(members)
  const own = members.flatMap(likelyForms)
  const likely = [...USUAL, ...others, ...THINGS.map(otherNumber)]
  const less = [...THINGS, ...others.map(otherNumber)]
  const rest = [
    ...members.flatMap(otherForms),
    ...[...sources.schemas.values()].flatMap(fieldNames),
    ...[...sources.ledger.values()].flatMap(({ text }) => text.toLowerCase().match(/[a-z][a-z-]+[a-z]/g) ?? []),
    ...wordsOf(sources.binding, new Set(members)),
  ]
  // Which word a target has for a vendor's kind is open: it may be one of these.
  const isOpen = (word: string): boolean => members.includes(word) || vendors.some((tail) => word.endsWith(tail))
  const known = new Set<string>()
  const fresh = (some: readonly string[]): readonly string[] => {
    const found = [...new Set(some)].filter((word) => !isOpen(word) && !known.has(word))
    for (const word of found) known.add(word)
    return found
  }
  const chosen = [
    ...drawn(fresh(own), choice.own, choice.seed),
    ...drawn(fresh(likely), choice.likely, choice.seed),
    ...drawn(fresh(less), choice.less, choice.seed),
    ...drawn(fresh(rest), choice.others, choice.seed),
  ]
  return chosen.map((value) => ({ label: `the word ${JSON.stringify(value)}`, value }))
}

function drawn(all: readonly string[], most: number | undefined, seed: number): readonly string[] {
  if (most === undefined || most >= all.length) return all
  return draw(fc.shuffledSubarray([...all], { minLength: most, maxLength: most }), seed, 1)[0] ?? []
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/** The word in both numbers. */
function numbers(word: string): string[] {
  return [word, otherNumber(word)]
}

function otherNumber(word: string): string {
  if (/[^s]s$/.test(word)) return word.slice(0, -1)
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

function likelyForms(word: string): string[] {
  return [otherNumber(word), word.slice(0, 1).toUpperCase() + word.slice(1)]
}

function otherForms(word: string): string[] {
  const joined = word.includes('-')
    ? [word.replaceAll('-', '_'), word.replaceAll('-', ''), word.replaceAll('-', ' ')]
    : []
  return [word.toUpperCase(), ` ${word}`, `${word} `, `\t${word}`, `${word}\n`, ...joined]
}

function enumerated(schema: JsonSchema): string[] {
  const own = (schema.enum ?? []).filter((one): one is string => typeof one === 'string')
  return [...own, ...within(schema).flatMap(enumerated)]
}

function fieldNames(schema: JsonSchema): string[] {
  return [...Object.keys(schema.properties ?? {}).flatMap(numbers), ...within(schema).flatMap(fieldNames)]
}

function within(schema: JsonSchema): JsonSchema[] {
  return [...childrenOf(schema).map((child) => child.schema), ...Object.values(schema.$defs ?? {})]
}

const VENDOR = 'vendor-'

function vendorTails(members: readonly string[]): string[] {
  return members.flatMap((word) => (word.startsWith(VENDOR) ? [word.slice(VENDOR.length)] : []))
}

/** Words in the samples of a binding, but for those that stand where a word of the enumeration stands elsewhere. */
function wordsOf({ operations }: Binding, members: ReadonlySet<string>): string[] {
  const bodies = [...operations.values()].map(({ body }) => body)
  const named = bodies.flatMap(entriesIn)
  const own = new Set(named.flatMap(([name, value]) => (members.has(value) ? [name] : [])))
  return named.flatMap(([name, value]) => (own.has(name) || !/^[a-z][a-z0-9_-]+$/i.test(value) ? [] : [value]))
}

function entriesIn(value: unknown): [string, string][] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, child]): [string, string][] =>
    typeof child === 'string' ? [[name, child]] : entriesIn(child),
  )
}
