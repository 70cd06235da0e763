import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Cleaner } from '../fixtures/redact/cleaner.ts'
import { LOG_WORDS } from '../fixtures/redact/common.ts'
import { KEYS_OF, TELLING_WORDS } from '../fixtures/redact/names.ts'
import { resolveBinding, shippedBinding } from '../schemas/binding.ts'

const page = readFileSync(join(fileURLToPath(new URL('..', import.meta.url)), 'docs', 'secrets.md'), 'utf8')

test('the page of secrets holds the list', () => {
  for (const [kind, words] of Object.entries(LOG_WORDS)) expect(page).toContain(`| ${kind} | ${words} |`)
  expect(page).toContain(`| telling | ${[...TELLING_WORDS].join(' ')} |`)
  expect(page).toContain(`| before \`key\` | ${[...KEYS_OF].join(' ')} |`)
})

test('its examples are what becomes of them', () => {
  const binding = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })
  const cleaner = new Cleaner({ binding, key: Buffer.from('k') })
  const [, rows = ''] = page.split('| before | after |')
  const pairs = [...rows.matchAll(/^\| `(.*)` \| `(.*)` \|$/gm)]
  expect(pairs.length).toBe(16)
  for (const [, before = '', after] of pairs) {
    const [name, value] = before.split(': ')
    const header = /^[\w-]+$/.test(name ?? '')
      ? `${name}: ${cleaner.header((name ?? '').toLowerCase())(value ?? '')}`
      : undefined
    expect(header ?? cleaner.body(before, '', undefined)).toBe(after)
  }
})
