import { expect, test } from 'vitest'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { ledger } from '../../schemas/ledger.ts'
import { loadResourceSchemas } from '../../schemas/load.ts'
import { plausibleWords, type WordChoice } from './plausible-words.ts'

const files = [shippedBinding('reference'), shippedBinding('default')]
const binding = resolveBinding({ name: 'reference', chain: [], files })
const sources = { schemas: loadResourceSchemas(), ledger: ledger(), binding }
const words = (members: readonly string[], choice: Partial<WordChoice> = {}): unknown[] =>
  plausibleWords(members, sources, {
    own: undefined,
    likely: undefined,
    less: undefined,
    others: 20,
    seed: 1,
    ...choice,
  }).map(({ value }) => value)
const kinds = (name: string): string[] => sources.schemas.get('node')?.$defs?.[name]?.enum as string[]

test('words of the other enumerations, in both numbers, are tried in every run', () => {
  expect(words(['saas', 'local'], { others: 0 })).toEqual(
    expect.arrayContaining(['ingestion', 'filter', 'filters', 'http', 'disabled', 'edge', 'cloud', 'locals', 'Local']),
  )
  expect(words(kinds('transform_kind'), { others: 0 })).toEqual(
    expect.arrayContaining(['kafka', 'saas', 'filters', 'Dedupe', 'metrics-tag-cardinality-limits']),
  )
})

test('all words are other forms of the own ones, and words of the specification and of the binding, too', () => {
  expect(words(['saas', 'local'], { others: undefined })).toEqual(
    expect.arrayContaining(['SAAS', ' local', 'local ', 'user_config', 'pagerduty', 'retention']),
  )
})

test('words that are listed, or that may be what a vendor calls a kind, are not among them', () => {
  const members = kinds('source_kind')
  const all = words(members, { others: undefined })
  expect(all.filter((word) => members.includes(String(word)))).toEqual([])
  for (const word of ['agent', 'acme-agent', 'hec', 'event-hub', 'demo-logs']) expect(all).not.toContain(word)
})

test('a word of the binding is not tried where the binding says that it is a kind', () => {
  const own = {
    'create-source': { method: 'POST', path: '/s', body: { sort: 'acme-watcher', mood: 'sunny' } },
  } as const
  const other = { 'update-source': { body: { sort: 'kafka' } } }
  const data = {
    name: 'own',
    chain: [],
    files: [{ formatVersion: 1, name: 'own', operations: { ...own, ...other } } as const],
  }
  const choice = { own: undefined, likely: undefined, less: undefined, others: undefined, seed: 1 }
  const all = plausibleWords(kinds('source_kind'), { ...sources, binding: resolveBinding(data) }, choice)
  const found = all.map(({ value }) => value)
  expect(found).toContain('sunny')
  expect(found).not.toContain('acme-watcher')
})

test('the less likely words are drawn by the seed', () => {
  expect(words(['saas'], { seed: 1 })).toEqual(words(['saas'], { seed: 1 }))
  expect(words(['saas'], { seed: 1 })).not.toEqual(words(['saas'], { seed: 2 }))
  expect(words(['saas'], { others: 20 }).length - words(['saas'], { others: 0 }).length).toBe(20)
})
