import { describe, expect, test } from 'vitest'
import { constraintsOf } from './constraints.ts'
import { type JsonSchema, loadResourceSchemas } from './load.ts'
import { createResolver } from './walk.ts'

const schemas = loadResourceSchemas()
const resolve = createResolver(schemas)

function listed(name: string): string[] {
  const schema = schemas.get(name)
  if (!schema) throw new Error(`no schema named ${name}`)
  return constraintsOf(schema, resolve).map(
    ({ pointer, keyword, requirement, property }) => `${pointer} ${property ?? keyword} ${requirement}`,
  )
}

describe('constraintsOf', () => {
  test('keywords of an object and of its fields come in the order in which they stand, references followed', () => {
    expect(listed('source-update')).toEqual([
      ' type SOURCE-UPDATE-OBJECT',
      '/user_config type NODE-USER-CONFIG-TYPE',
      '/generation_id type NODE-GENERATION-TYPE',
      '/title type NODE-TITLE-TYPE',
      '/title minLength NODE-TITLE-MIN',
      '/title maxLength NODE-TITLE-MAX',
      '/title pattern NODE-TITLE-PATTERN',
      '/description type NODE-DESCRIPTION-TYPE',
      '/description minLength NODE-DESCRIPTION-MIN',
      '/description pattern NODE-DESCRIPTION-PATTERN',
      '/deploy_type type NODE-DEPLOY-TYPE-TYPE',
      '/deploy_type enum NODE-DEPLOY-TYPE-VALUES',
    ])
  })

  test('each required field is a constraint of its own, and so is the absence of others', () => {
    expect(listed('exclusion-error')).toEqual([
      ' type EXCLUSION-ERROR-OBJECT',
      ' code EXCLUSION-ERROR-CODE-PRESENT',
      ' error EXCLUSION-ERROR-ERROR-PRESENT',
      ' additionalProperties EXCLUSION-ERROR-ONLY',
      '/code type EXCLUSION-ERROR-CODE-TYPE',
      '/error type EXCLUSION-ERROR-ERROR-TYPE',
    ])
  })

  test('elements of an array and values of a map stand behind a star', () => {
    const pointers = constraintsOf(schemas.get('preset-alert') ?? {}, resolve).map(({ pointer }) => pointer)
    expect(pointers).toContain('/channels/*/emails/*')
    expect(pointers).toContain('/channels/*/headers/*')
    expect(pointers).toContain('/channels/*/bodyTemplate/*')
  })

  test('a reference into the same file is followed from its own root', () => {
    const root: JsonSchema = { $defs: { short: { type: 'string', maxLength: 3 } }, items: { $ref: '#/$defs/short' } }
    const found = constraintsOf(root, createResolver(new Map()))
    expect(found.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual(['/* type', '/* maxLength'])
  })

  test('a reference inside another file is followed from the root of that file', () => {
    const other: JsonSchema = {
      $defs: { list: { items: { $ref: '#/$defs/short' } }, short: { maxLength: 3 } },
    }
    const root: JsonSchema = { properties: { words: { $ref: 'other.schema.json#/$defs/list' } } }
    const found = constraintsOf(root, createResolver(new Map([['other', other]])))
    expect(found.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual(['/words/* maxLength'])
  })

  test('a keyword without a requirement has none', () => {
    expect(constraintsOf({ type: 'string' }, resolve)[0]?.requirement).toBeUndefined()
  })
})

describe('createResolver', () => {
  test.each(['nothing.schema.json', 'node.schema.json#/$defs/nothing', '#/$defs/nothing'])('%s is an error', (ref) => {
    expect(() => resolve(ref, {})).toThrow(`unresolved $ref ${ref}`)
  })
})
