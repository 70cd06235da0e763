import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { type JsonSchema, loadRecordSchemas, loadResourceSchemas, readData } from './load.ts'
import { createValidator, specificationSchemas } from './validator.ts'

const validator = createValidator(loadResourceSchemas())

describe('createValidator', () => {
  test('a value that fits has no violations', () => {
    expect(validator.violations('tap-request', { limit: 100, timeout: 20, edge_id: 'e', filter: {} })).toEqual([])
  })

  test('every constraint that a value breaks is told, each with its requirement and its place', () => {
    const found = validator.violations('group-from-pipeline', {
      title: '<'.repeat(513),
      pipeline_id: 'x',
      pipeline_transform_ids: [],
    })
    expect(found.map(({ pointer, keyword, requirement }) => `${pointer} ${keyword} ${requirement}`)).toEqual([
      '/title maxLength GROUP-TITLE-MAX',
      '/title pattern GROUP-TITLE-PATTERN',
      '/pipeline_id format GROUP-PIPELINE-ID-FORMAT',
      '/pipeline_transform_ids minItems GROUP-IDS-MIN',
    ])
  })

  test('a missing field is placed where it belongs', () => {
    expect(validator.violations('member-delete-result', { deleted: true })).toMatchObject([
      { pointer: '/message', keyword: 'required', requirement: 'MEMBER-RESULT-MESSAGE-PRESENT' },
    ])
  })

  test('a place in a pointer is escaped', () => {
    const found = validator.violations('channel', { headers: { 'a/b~c': 1 } })
    expect(found).toMatchObject([{ pointer: '/headers/a~1b~0c', requirement: 'CHANNEL-HEADERS-VALUE-TYPE', value: 1 }])
    const missing = createValidator(new Map([['odd', { properties: { 'a/b': {} }, required: ['a/b'] }]]))
    expect(missing.violations('odd', {})).toMatchObject([{ pointer: '/a~1b' }])
  })

  test('words and names at fault are told', () => {
    const [word] = validator.violations('node#deploy_type', 'cloud')
    expect(word?.message).toBe('must be one of "saas", "local"')
    const [extra] = validator.violations('exclusion-error', { code: 'c', error: 'e', id: '1' })
    expect(extra?.message).toBe('must not have the field "id"')
  })

  test('lengths count code points', () => {
    expect(validator.violations('node#title', '\u{1f600}'.repeat(512))).toEqual([])
    expect(validator.violations('node#title', '\u{1f600}'.repeat(513))).toHaveLength(1)
  })

  test('a UUID is the plain form only, in either case of letters', () => {
    const id = '3F2B8A4E-9C1D-4A57-8E60-1b2c3d4e5f60'
    expect(validator.violations('state-variable-patch', { pipeline_id: id })).toEqual([])
    expect(validator.violations('state-variable-patch', { pipeline_id: `urn:uuid:${id}` })).toHaveLength(1)
  })

  test('a schema and a definition in it are known by name, others are an error', () => {
    expect(validator.has('node')).toBe(true)
    expect(validator.has('node#title')).toBe(true)
    expect(validator.has('node#nothing')).toBe(false)
    expect(validator.has('nothing')).toBe(false)
    expect(() => validator.violations('nothing', {})).toThrow('no schema named nothing')
  })

  test('two sets of schemas do not see each other', () => {
    const schema: JsonSchema = { $id: 'https://assay.invalid/resources/error.schema.json', type: 'string' }
    const other = createValidator(new Map([['error', schema]]))
    expect(other.violations('error', 'text')).toEqual([])
    expect(validator.violations('error', 'text')).toMatchObject([{ requirement: 'ERROR-BODY-OBJECT' }])
  })

  test('a keyword that nobody knows is an error', () => {
    const misspelt = createValidator(new Map([['misspelt', { 'x-require': {} } as JsonSchema]]))
    expect(() => misspelt.violations('misspelt', 1)).toThrow('x-require')
  })
})

describe('our own files', () => {
  const records = createValidator(loadRecordSchemas())
  test.each([
    ['service', 'service.json'],
    ['requirements', 'requirements.json'],
  ])('%s fit their record schema', (schema, file) => {
    expect(records.violations(schema, readData(file))).toEqual([])
  })
})

describe('our schemas', () => {
  const all = [...loadResourceSchemas(), ...loadRecordSchemas()]
  const ajv = new Ajv2020({ logger: false })
  test.each(all)('%s is a schema of JSON Schema 2020-12', (_name, schema) => {
    expect({ fits: ajv.validateSchema(schema), errors: ajv.errors ?? [] }).toEqual({ fits: true, errors: [] })
    expect(ajv.validateSchema({ ...schema, maxLength: 'many' })).toBe(false)
  })

  test('are read and compiled once', () => {
    expect(specificationSchemas()).toBe(specificationSchemas())
    expect([...specificationSchemas().schemas.keys()]).toEqual([...loadResourceSchemas().keys()])
  })
})
