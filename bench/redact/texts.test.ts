import { expect, test } from 'vitest'
import { Cleaner } from '../../fixtures/redact/cleaner.ts'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import { secretBodies } from './secrets.ts'
import { TEXTS, textOf, typeOf } from './texts.ts'

const binding = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })
const cleaner = new Cleaner({ binding, key: Buffer.from('k') })

test.each(Object.entries(TEXTS))('%s stay as long as they are', (name, text) => {
  const given = textOf(text, 20_000)
  expect(Buffer.byteLength(cleaner.body(given, typeOf(name), undefined))).toBe(Buffer.byteLength(given))
})

test.each(secretBodies([2_000]))('$name stay as long as they are', (body) => {
  const given = body.text(0)
  expect(cleaner.body(given, body.mimeType, undefined)).toHaveLength(given.length)
})
