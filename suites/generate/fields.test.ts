import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../schemas/load.ts'
import { at } from '../../schemas/pointer.ts'
import { type Field, fieldOf as field, fields, specificationSet } from './fields.ts'
import { schemaSet } from './testing/schema-set.ts'
import { lift } from './values/body.ts'
import { sampleOf } from './values/good.ts'
import { rootNode } from './values/nodes.ts'

const set = specificationSet()

function goodOf({ good }: Field, count: number): unknown[] {
  return good ? fc.sample(good, { seed: 1, numRuns: count }) : []
}

function values(list: readonly { readonly label: string; readonly value: unknown }[]): unknown[] {
  return list.map(({ value }) => value)
}

describe('the places of a schema', () => {
  test('are the body, its properties, the first element of arrays and one name of maps', () => {
    expect(fields(set, 'transform-update').map(({ pointer }) => pointer)).toEqual([
      '',
      '/user_config',
      '/generation_id',
      '/inputs',
      '/inputs/0',
      '/title',
      '/description',
      '/deploy_type',
    ])
    const preset = fields(set, 'preset-alert').map(({ pointer }) => pointer)
    expect(preset).toContain('/channels/0/emails/0')
    expect(preset).toContain('/channels/0/headers/assay')
  })

  test('carry the constraints of their own node with the requirements that they stand for', () => {
    expect(field('transform-update', '/title').constraints).toEqual([
      { keyword: 'type', requirement: 'NODE-TITLE-TYPE', property: undefined, judged: false },
      { keyword: 'minLength', requirement: 'NODE-TITLE-MIN', property: undefined, judged: true },
      { keyword: 'maxLength', requirement: 'NODE-TITLE-MAX', property: undefined, judged: true },
      { keyword: 'pattern', requirement: 'NODE-TITLE-PATTERN', property: undefined, judged: true },
    ])
  })
})

describe('a node title', () => {
  const title = field('transform-update', '/title')

  test('is tried at both lengths and with every printable character that is not forbidden', () => {
    const judged = title.edges.filter((edge) => edge.judged)
    expect(judged.map(({ label }) => label)).toContain('length 512')
    const tried = new Set(judged.flatMap(({ value }) => [...String(value)]))
    const printable = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index))
    expect(printable.filter((character) => !tried.has(character))).toEqual(['"', '<', '>'])
  })

  test('is tried with letters outside ASCII, and where they are taken with as many of them as there may be', () => {
    const foreign = title.edges.filter(({ label }) => label.includes('outside ASCII'))
    expect(foreign.map(({ requirement, judged, after }) => [requirement, judged, after])).toEqual([
      ['NODE-TITLE-PATTERN', true, undefined],
      ['NODE-TITLE-MAX', true, 'letters outside ASCII'],
    ])
    const [short, long] = foreign.map(({ value }) => String(value))
    expect([long?.length, Buffer.byteLength(long ?? '')]).toEqual([512, 3 * 512])
    expect(short).toContain(long?.slice(0, 1))
  })

  test('is refused one character too long and with each forbidden character in each position', () => {
    const broken = (keyword: string): unknown[] =>
      values(title.misses.find((miss) => miss.keyword === keyword)?.edges ?? [])
    expect(broken('maxLength')).toContain('a'.repeat(513))
    expect(broken('minLength')).toEqual([''])
    expect(broken('pattern')).toEqual([
      ...['"', '<', '>'].flatMap((one) => [one, `${one}logs`, `lo${one}gs`, `logs${one}`]),
      'logs\n"l',
      '"\nlogs',
    ])
    expect(broken('type')).toEqual([1, true, [], {}, null, 0, 123, false, ['assay'], { value: 'assay' }])
  })

  test('never draws null, which many take for a field that was not sent', () => {
    const type = title.misses.find((miss) => miss.keyword === 'type')
    if (!type?.arbitrary) throw new Error('no wrong types')
    expect(fc.sample(type.arbitrary, { seed: 1, numRuns: 500 })).not.toContain(null)
  })

  test('is only observed with what the text leaves open', () => {
    const observed = new Map(title.observed.map(({ label, value }) => [label, value]))
    expect(observed.get('512 emoji, 512 code points')).toBe('😀'.repeat(512))
    expect(observed.get('256 emoji, 512 UTF-16 units')).toHaveLength(512)
    expect(observed.has('U+0000')).toBe(true)
    expect(observed.has('length 10000')).toBe(false)
    expect(observed.has('empty text')).toBe(false)
    expect(title.observed.at(-1)).toEqual({ label: 'missing', value: undefined })
  })

  test('is drawn in printable ASCII without blanks at its ends', () => {
    for (const value of goodOf(title, 1000)) expect(value).toMatch(/^(?! )[ !#-;=?-~]{1,512}(?<! )$/)
  })
})

test('texts of a channel that reach outsiders use reserved names', () => {
  const sample = sampleOf(set, rootNode(set, 'preset-alert'))
  expect([at(sample, '/channels/0/url'), at(sample, '/channels/0/emails/0')]).toEqual([
    'https://example.com/assay',
    'assay@example.com',
  ])
})

test('a text without a pattern is not judged with the characters that other texts forbid', () => {
  const description = field('group-from-pipeline', '/description')
  const characters = new Set(goodOf(description, 2000).flatMap((value) => [...String(value)]))
  expect(['<', '>', '"'].filter((character) => characters.has(character))).toEqual([])
  expect(description.observed.map(({ label }) => label)).toContain('angle brackets and quotes')
})

test('a list of references is tried with elements of the base only', () => {
  const ids = field('group-from-pipeline', '/pipeline_transform_ids')
  const body = { pipeline_transform_ids: ['id-1', 'id-2', 'id-3'] }
  expect(ids.edges.map(({ value }) => lift(body, ids.pointer, value))).toEqual([{ pipeline_transform_ids: ['id-1'] }])
  const drawn = goodOf(ids, 100).map((value) => lift(body, ids.pointer, value))
  expect(drawn).toContainEqual(body)
  for (const value of drawn) {
    const sent = (value as typeof body).pipeline_transform_ids
    expect(sent).toEqual(body.pipeline_transform_ids.slice(0, sent.length))
  }
})

test('a type beside a list of values is shadowed by the list', () => {
  const type = field('group-placement', '/deploy_type').misses.find(({ keyword }) => keyword === 'type')
  expect(type?.keyword).toBe('type')
  expect(type?.by).toEqual([{ keyword: 'enum', requirement: 'PLACEMENT-DEPLOY-TYPE-VALUES' }])
  expect(values(type?.edges ?? [])).toContain(0)
})

test('a constraint that nothing breaks is shadowed by nothing', () => {
  const made = schemaSet(new Map([['a', { $id: 'https://assay.invalid/a', type: 'string', minLength: 0 }]]))
  expect(fields(made, 'a')[0]?.misses).toContainEqual(
    expect.objectContaining({ keyword: 'minLength', by: [], edges: [] }),
  )
})

describe('a schema that cannot be satisfied or is not supported says where', () => {
  const inBody = (schema: JsonSchema): (() => unknown) => {
    const made = schemaSet(
      new Map([['body', { $id: 'https://assay.invalid/body', type: 'object', properties: { x: schema } }]]),
    )
    return () => fields(made, 'body').map((one) => goodOf(one, 20))
  }

  test.each<[string, JsonSchema, string]>([
    ['lengths that exclude each other', { type: 'string', minLength: 5, maxLength: 3 }, 'body /x: no good value'],
    ['numbers that exclude each other', { type: 'integer', minimum: 5, maximum: 3 }, 'body /x: no good value'],
    ['no integer between the bounds', { type: 'integer', minimum: 1.2, maximum: 1.8 }, 'body /x: no good value'],
    ['counts that exclude each other', { type: 'array', minItems: 5, maxItems: 3 }, 'body /x: no good value'],
    [
      'a pattern too short for the length',
      { type: 'string', minLength: 5, pattern: '^(a|b)c$' },
      'body /x: no good value',
    ],
    ['a format that the bounds exclude', { type: 'string', format: 'uuid', maxLength: 10 }, 'body /x: no good value'],
    ['listed values of another type', { type: 'integer', enum: ['a'] }, 'body /x: no good value'],
    ['another format', { type: 'string', format: 'email' }, 'body /x: the keyword "format" is not supported'],
    ['several types', { type: ['string', 'null'] }, 'body /x: the keyword "type" is not supported'],
    ['fields that must be there', { type: 'object', required: ['a'] }, 'body /x: the keyword "required"'],
    [
      'no further fields',
      { type: 'object', additionalProperties: false },
      'body /x: the keyword "additionalProperties"',
    ],
  ])('%s', (_, schema, message) => {
    expect(inBody(schema)).toThrow(message)
  })

  test('a keyword that is not known, and a schema that contains itself', () => {
    const schemas = new Map<string, JsonSchema>([
      ['a', { $id: 'https://assay.invalid/a', type: 'object', properties: { x: { oneOf: [{}] } as JsonSchema } }],
      [
        'b',
        {
          $id: 'https://assay.invalid/b',
          type: 'object',
          properties: { x: { $ref: '#/$defs/x' } },
          $defs: { x: { type: 'array', items: { $ref: '#/$defs/x' } } },
        },
      ],
    ])
    const made = schemaSet(schemas)
    expect(() => fields(made, 'a')).toThrow('a /x: the keyword "oneOf" is not supported')
    expect(() => fields(made, 'b')).toThrow('b /x/0: a schema that contains itself is not supported')
    expect(() => fields(made, 'c')).toThrow('c: no such schema')
  })
})
