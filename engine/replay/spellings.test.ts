import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createDependencies } from '../../fixtures/replay/plan/dependencies.ts'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { exchange, referenceBinding } from '../../rules/testing.ts'
import { percentDecoded } from '../../schemas/url.ts'
import { refusal } from './consent.ts'
import { ReplayJournal } from './journal.ts'

const folder = lastingFolder()
const binding = referenceBinding()
const touch = createDependencies(binding, '')
const path = join(folder, 'journal.ndjson')
writeFileSync(path, '{"type":"run","formatVersion":1,"baseUrl":"","binding":"","prefix":"","startedAt":""}\n')
const journal = await ReplayJournal.open(path, binding, '')
const made = exchange('POST /v1/config/view', { sent: { name: 'x' }, got: { viewid: 'made1' } })
const step = { exchange: made, dependencies: touch(made), number: 1 }
await journal.making(step, { path: '/v1/config/view', body: '{"name":"x"}' })
journal.answered(step, made)
afterAll(() => journal.close())

/** What a front may do to a path before it says whose thing it is. */
const habits = {
  decode: percentDecoded,
  again: percentDecoded,
  slashes: (path: string) => path.replaceAll('\\', '/'),
  cut: (path: string) => path.replace(/[#?].*/s, ''),
  parameters: (path: string) => path.replaceAll(/;[^/]*/g, ''),
  merge: (path: string) => path.replaceAll(/\/+/g, '/'),
  lower: (path: string) => path.replace(/\/v1\/config\/[^/]*/, (own) => own.toLowerCase()),
  dots: (path: string) => {
    const kept: string[] = []
    for (const segment of path.split('/')) {
      if (segment === '..') kept.pop()
      else if (segment !== '.') kept.push(segment)
    }
    return kept.join('/')
  },
}
const front = fc.oneof(fc.subarray(Object.values(habits)), fc.shuffledSubarray(Object.values(habits)))
const name = fc.constantFrom('REAL', 'assay-abc123-x', 'made1', 'view', 'x', '')
const between = fc.constantFrom(
  ...['/', '//', '\\', '%5c', '%255c', '%2f', '%252F', ';', '%3b', '#', '%23', '?', '%3f', '%', '%00'],
  ...['/../', '/./', '\\..\\', '/%2e%2e/', '/%2E./', '/%252e%252e/', '%2f..%2f', ';/../', '?_method=DELETE'],
)
const spelling = fc
  .array(fc.tuple(name, between), { minLength: 1, maxLength: 3 })
  .chain((pieces) => name.map((last) => `/v1/config/view/${pieces.flat().join('')}${last}`))

/** The view that a front takes a path for. */
function meant(path: string, front: readonly ((path: string) => string)[]): string {
  const seen = front.reduce((now, change) => change(now), path.split('?')[0] ?? '')
  return /^\/v1\/config\/view\/([^/]+)\/?$/.exec(seen)?.[1] ?? ''
}

test('whatever a front makes of a path, nothing foreign is deleted', () => {
  let sent = 0
  fc.assert(
    fc.property(spelling, front, (path, habits) => {
      const recorded = exchange('DELETE /v1/config/view/REAL', {})
      const step = { exchange: recorded, dependencies: touch(recorded), number: 2 }
      const asked = { method: 'DELETE', path, body: undefined }
      if (refusal(step, asked, (one) => journal.made(one), {}) !== undefined) return
      sent += 1
      expect(meant(path, habits)).toMatch(/^(?:|made1.*|assay-abc123-.*)$/)
    }),
    { numRuns: 20_000 },
  )
  // of its own things some may go
  expect(sent).toBeGreaterThan(0)
})

test.each([
  '%2565xclusions',
  '%65xclusions',
  'x/../exclusions',
  'EXCLUSIONS',
  'x%2f..%2fexclusions',
  'exclusions;x',
  'ex\\..\\clusions',
])('POST /v1/config/ingestion/%s does not get past the consent for exclusions', (name) => {
  const recorded = exchange('POST /v1/config/view', {})
  const step = { exchange: recorded, dependencies: touch(recorded), number: 3 }
  const asked = { method: 'POST', path: `/v1/config/ingestion/${name}`, body: undefined }
  expect(refusal(step, asked, () => false, {})).toMatch(/consent|its path/)
})
