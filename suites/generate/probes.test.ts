import { expect, test } from 'vitest'
import { fieldOf as field } from './fields.ts'
import { drawProbes, type Probe, textProbes, walk } from './probes.ts'

function line({ kind, requirement, label }: Probe): string {
  return `${kind} ${requirement ?? '-'} ${label}`
}

test('a walk accepts, then refuses, then observes', () => {
  expect(walk(field('tap-request', '/limit')).map(line)).toEqual([
    'accept TAP-LIMIT-MIN value 1',
    'accept TAP-LIMIT-MAX value 100',
    'accept TAP-LIMIT-MAX value 50',
    'refuse TAP-LIMIT-TYPE a word',
    'refuse TAP-LIMIT-TYPE true',
    'refuse TAP-LIMIT-TYPE empty array',
    'refuse TAP-LIMIT-TYPE empty object',
    'refuse TAP-LIMIT-TYPE fraction 10.5',
    'refuse TAP-LIMIT-TYPE null',
    'refuse TAP-LIMIT-TYPE the good value in text',
    'refuse TAP-LIMIT-TYPE empty text',
    'refuse TAP-LIMIT-TYPE false',
    'refuse TAP-LIMIT-TYPE array of the good value',
    'refuse TAP-LIMIT-TYPE object of the good value',
    'refuse TAP-LIMIT-TYPE fraction 9.5',
    'refuse TAP-LIMIT-TYPE fraction 1.001',
    'refuse TAP-LIMIT-MIN value 0',
    'refuse TAP-LIMIT-MIN value -1',
    'refuse TAP-LIMIT-MIN value -100',
    'refuse TAP-LIMIT-MIN value -2147483648',
    'refuse TAP-LIMIT-MAX value 101',
    'refuse TAP-LIMIT-MAX value 1000',
    'refuse TAP-LIMIT-MAX value 2147483647',
    'refuse TAP-LIMIT-MAX value 2147483648',
    'observe - number written as 10.0',
    'observe - number written as 10e0',
    'observe - number written as 9007199254740993',
    'observe - number written as 1e400',
    'observe - missing',
  ])
})

test('an edge whose acceptance is not judged is observed', () => {
  const probes = walk(field('tap-request', '/edge_id'))
  expect(probes.filter(({ kind }) => kind === 'accept')).toEqual([])
  expect(probes.map(line)).toContain('observe TAP-EDGE-ID-MIN length 1')
})

test('a probe of a shadowed constraint names what is broken with it', () => {
  const probes = walk(field('group-placement', '/deploy_type'))
  const type = probes.find(({ requirement }) => requirement === 'PLACEMENT-DEPLOY-TYPE-TYPE')
  expect(type).toMatchObject({ kind: 'refuse', also: ['PLACEMENT-DEPLOY-TYPE-VALUES'] })
})

test('random probes take good values and each constraint in turn', () => {
  const kinds = drawProbes(field('transform-update', '/title'), 1, 6).map(({ kind, keyword }) => `${kind} ${keyword}`)
  expect(kinds).toEqual([
    'accept minLength',
    'accept maxLength',
    'accept pattern',
    'refuse type',
    'refuse maxLength',
    'refuse pattern',
  ])
})

test('nothing random is drawn where the edges say everything', () => {
  const drawn = drawProbes(field('tap-request', '/edge_id'), 1, 10)
  expect(new Set(drawn.map(({ keyword }) => keyword))).toEqual(new Set(['type']))
  expect(drawProbes(field('tap-request', '/filter'), 1, 10)).toEqual([])
  expect(drawProbes(field('tap-request', '/limit'), 1, 0)).toEqual([])
})

test('another seed and another field draw other values', () => {
  const drawn = (pointer: string, seed: number): unknown[] =>
    drawProbes(field('channel', pointer), seed, 30).map(({ value }) => value)
  expect(drawn('/key', 1)).toEqual(drawn('/key', 1))
  expect(drawn('/key', 1)).not.toEqual(drawn('/key', 2))
  expect(drawn('/key', 1)).not.toEqual(drawn('/operator', 1))
})

test('a random probe shrinks to one of the same kind that a person would write', () => {
  const probes = drawProbes(field('transform-update', '/title'), 1, 6)
  const smallest = probes.map((probe) => {
    let current = probe
    for (let step = 0; step < 200; step += 1) {
      const [next] = current.smaller()
      if (!next) break
      current = next
    }
    return current
  })
  expect(smallest.map(({ kind, keyword }) => [kind, keyword])).toEqual(
    probes.map(({ kind, keyword }) => [kind, keyword]),
  )
  const miss = smallest.find(({ keyword, kind }) => kind === 'refuse' && keyword === 'maxLength')
  expect(miss?.value).toBe('a'.repeat(513))
  expect(smallest.find(({ keyword, kind }) => kind === 'refuse' && keyword === 'pattern')?.value).toMatch(/^["<>]$/)
})

test('in a path stand texts that do not change the path', () => {
  const probes = textProbes(walk(field('parameters#component_id', '')), 'path')
  const refused = probes.filter(({ kind }) => kind === 'refuse').map(({ value }) => value)
  expect(refused).toEqual(['.logs', 'logs.'])
  expect(probes.every(({ value }) => typeof value === 'string' && value !== '')).toBe(true)
})

test('in a query everything is text, and wrong types are no question', () => {
  const probes = textProbes(walk(field('tap-request', '/limit')), 'query')
  expect(probes.map(({ value }) => value)).toEqual([
    '1',
    '100',
    '50',
    '0',
    '-1',
    '-100',
    '-2147483648',
    '101',
    '1000',
    '2147483647',
    '2147483648',
    '10.0',
    '10e0',
    '9007199254740993',
    '1e400',
    undefined,
  ])
})

test('a value that makes a URL longer than every server takes it is not sent in one', () => {
  const text = (value: string): Probe => ({ ...(walk(field('tap-request', '/limit'))[0] as Probe), value })
  const sent = (['path', 'query'] as const).flatMap((place) =>
    textProbes([text('a'.repeat(6_000)), text('a'.repeat(6_001)), text('ä'.repeat(1_001))], place),
  )
  expect(sent.map(({ value }) => value)).toEqual(['a'.repeat(6_000), 'a'.repeat(6_000)])
})
