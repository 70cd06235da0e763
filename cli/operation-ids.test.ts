import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { service } from '../schemas/service.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const IDS = new Set(service().operations.map(({ id }) => id))

/**
 * How often ids of operations may stand as strings: at most so often in a room. Code is written for a relation, a keyword
 * or an answer, so that an operation is a row of the table alone. The bounds only go down. A change that needs another id
 * adds a column to `schemas/service.json`.
 */
const MOST: Readonly<Record<string, number>> = {
  bench: 16,
  engine: 139,
  fixtures: 9,
  proxy: 2,
  rules: 29,
  schemas: 6,
  suites: 82,
}

/** Each of these is about what no row can say. Every other file of rules and suites names fewer than `FEW`. */
const TOPICS: Readonly<Record<string, number>> = {
  'suites/cases/ingestion/suspension.ts': 10,
  'suites/request/other-requests.ts': 15,
}
const FEW = 7

/** Production files that name operations, with how often they do. */
function mentions(): ReadonlyMap<string, number> {
  const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const apart = /\.test\.ts$|(^|\/)_?testing(\/|\.ts$)|^reference\/|^prove\/|^scripts\//
  return new Map(
    files.flatMap((file) => {
      if (apart.test(file)) return []
      const named = [...readFileSync(join(root, file), 'utf8').matchAll(/'([a-z0-9-]+)'/g)]
      const count = named.filter(([, id = '']) => IDS.has(id)).length
      return count === 0 ? [] : [[file, count] as const]
    }),
  )
}

const counted = mentions()

test.each(Object.entries(MOST))('%s names operations at most %d times', (room, most) => {
  const own = [...counted].filter(([file]) => file.startsWith(`${room}/`))
  const sum = own.reduce((all, [, count]) => all + count, 0)
  expect(sum, `lower the bound of ${room} to ${sum}`).toBeLessThanOrEqual(most)
})

test('only the rooms that are listed name operations', () => {
  expect([...counted.keys()].filter((file) => MOST[file.split('/')[0] ?? ''] === undefined)).toEqual([])
})

test('in rules and suites few files name more than a few', () => {
  const many = [...counted].filter(
    ([file, count]) => /^(rules|suites)\//.test(file) && count > (TOPICS[file] ?? FEW - 1),
  )
  expect(many).toEqual([])
  expect(Object.keys(TOPICS).filter((file) => (counted.get(file) ?? 0) < FEW)).toEqual([])
})
