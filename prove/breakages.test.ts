import { describe, expect, test } from 'vitest'
import { allFaults } from '../reference/faults/index.ts'
import { allCases } from '../suites/cases/index.ts'
import { type Example, smallestExample } from './prove-variant.ts'
import { tried } from './testing.ts'

/** What the specification gives a path for; the breakages are all about that. */
const FEATURES = new Set([
  'enterprise-keys',
  'preset-alerts',
  'member-removal',
  'exclusion-removal',
  'screen-removal',
  'usage-by-tag',
  'pipelines',
])
const cases = allCases().filter(({ features }) => features.some((feature) => FEATURES.has(feature)))

const ID = '[0-9a-f-]{36}'

/** The request, as a person would write it to show the fault: method, path, and what matters of the body or the finding. */
const examples: Readonly<Record<string, Partial<Record<keyof Example, RegExp>>>> = {
  'node/title/maxLength-513': { method: /^(PUT|POST)$/, body: /"title":"a{513}"/, message: /length 513/ },
  'node/title/pattern-takes-greater-than': { method: /^(PUT|POST)$/, body: /"title":">"/ },
  'create-preset-alert/body-object': {
    method: /^POST$/,
    path: /^\/v1\/config\/presetalert$/,
    actual: /^a body of 2 bytes$/,
  },
  'delete-member/unknown-member/code-notfound': {
    method: /^DELETE$/,
    path: /%40example\.com$/,
    actual: /^"notfound"$/,
  },
  'delete-member/no-deleted': { method: /^DELETE$/, path: /%40example\.com$/, actual: /^the field is missing$/ },
  'v3-open': { method: /^GET$/, path: /^\/v3\//, actual: /^status 200$/ },
  'route-patch-replaces': {
    method: /^GET$/,
    path: new RegExp(`^/v3/pipeline/gateway-route/${ID}$`),
    message: /was not sent and did not stay$/,
    actual: /^(?:null|false)$/,
  },
  'update-source-not-applied': { method: /^GET$/, message: /^the field title is read back with another value/ },
  'delete-screen-not-applied': { method: /^GET$/, path: /^\/v1\/config\/screen$/, message: /is still there$/ },
  'tap-limit-server-error': { method: /^POST$/, body: /^\{"limit":101,"timeout":2\}$/, actual: /^status 500 for 101$/ },
}

/** What the target's binding declares besides, and what the same fault breaks as well. */
const declared: Readonly<Record<string, readonly string[]>> = {
  // a screen that was not removed is deleted once more, as if it were unknown
  'delete-screen-not-applied': ['SCREEN-DELETE-UNKNOWN-REFUSED'],
  // of patches at the same time only the last one is left
  'route-patch-replaces': ['CHANGES-OVERLAP'],
}

/** Ten faults of ten kinds: the least that a suite has to find, each by its one requirement. */
const breakages = allFaults().filter(({ name }) => name in examples)

describe('ten breakages, each against the whole quick suite', () => {
  test.each(breakages)('$name turns exactly its own requirement red, by an example of a few words', async (mutant) => {
    const { trial, red } = await tried(mutant, { cases, concurrency: 16 })
    expect(red).toEqual([...(mutant.kills ?? []), ...(declared[mutant.name] ?? [])].sort())
    const example = smallestExample(mutant.kills[0] ?? '', trial)
    const wanted = Object.entries(examples[mutant.name] ?? {})
    expect(wanted.length).toBeGreaterThan(0)
    for (const [part, pattern] of wanted) expect(example?.[part as keyof Example]).toMatch(pattern)
  })
})
