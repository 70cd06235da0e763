import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadBinding } from '../engine/config/binding.ts'
import { UsageError } from '../engine/errors.ts'
import { lastingFolder } from '../fixtures/testing/folder.ts'

/** The rows of a table under a heading of the document: what a target does, and the entry of `operations`. */
function examplesUnder(heading: string): (readonly [string, string])[] {
  const document = readFileSync(join(import.meta.dirname, '..', 'docs', 'write-a-binding.md'), 'utf8')
  const part = document.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...part.matchAll(/^\| ([^|]+) \| `("[^`]+)` \|$/gm)].map(([, what = '', entry = '']) => [what, entry])
}

describe('what the document says of bindings', () => {
  const folder = lastingFolder()

  const load = (entry: string): unknown => {
    const path = join(folder, 'told.json')
    writeFileSync(path, `{ "formatVersion": 1, "name": "told", "extends": "default", "operations": { ${entry} } }`)
    return loadBinding(path, folder)
  }

  test.each(examplesUnder('What a binding can say'))('%s: it can say so', (_, entry) => {
    expect(load(entry)).toMatchObject({ name: 'told' })
  })

  test.each(examplesUnder('What a binding cannot say'))('%s: it cannot say so', (_, entry) => {
    expect(() => load(entry)).toThrow(UsageError)
  })

  test('has examples of both', () => {
    expect(examplesUnder('What a binding can say').length).toBeGreaterThan(10)
    expect(examplesUnder('What a binding cannot say').length).toBeGreaterThan(8)
  })
})
