import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { TELLING } from '../fixtures/redact/words.ts'

const page = readFileSync(join(fileURLToPath(new URL('..', import.meta.url)), 'docs', 'secrets.md'), 'utf8')

test('the page of secrets has the words that tell of one, and at most 900 words', () => {
  expect(page).toContain(`\n${[...TELLING].join(' ')}\n`)
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(900)
})
