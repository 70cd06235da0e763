import { expect, test } from 'vitest'
import type { JsonSchema } from './load.ts'
import { sensitiveSchemas } from './sensitive.ts'

const schemas = new Map<string, JsonSchema>([
  [
    'channel',
    {
      $defs: { secret: { type: 'string', 'x-sensitive': true }, plain: { type: 'string' } },
      type: 'object',
      properties: {
        name: { type: 'string' },
        key: { $ref: '#/$defs/secret' },
        word: { $ref: '#/$defs/plain', 'x-sensitive': true },
        urls: { type: 'array', items: { $ref: '#/$defs/secret' } },
      },
      additionalProperties: { $ref: 'plain.schema.json' },
    },
  ],
  ['list', { type: 'array', items: { $ref: 'channel.schema.json' } }],
  ['plain', { type: 'object', properties: { name: { type: 'string' } } }],
])
const sensitive = sensitiveSchemas(schemas)

test('a secret is told by its schema, by the one that it refers to, and by a mark beside the reference', () => {
  const channel = sensitive('channel')
  expect(channel?.isSecret).toBe(false)
  expect(['name', 'key', 'word'].map((name) => channel?.field(name)?.isSecret)).toEqual([false, true, true])
  expect(channel?.field('urls')?.element()?.isSecret).toBe(true)
})

test('secrets are found through other files, and a schema without any is not looked into', () => {
  expect(sensitive('list')?.element()?.field('key')?.isSecret).toBe(true)
  expect(sensitive('plain')).toBeUndefined()
  expect(sensitive('unknown')).toBeUndefined()
})

test('a field that no schema names is as its other fields are', () => {
  expect(sensitive('channel')?.field('other')?.field('name')?.isSecret).toBe(false)
  expect(sensitive('channel')?.field('toString')?.field('name')?.isSecret).toBe(false)
})
