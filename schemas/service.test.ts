import { expect, test } from 'vitest'
import { knownOperationIds } from './binding.ts'
import { features } from './features.ts'
import { textsIn } from './json.ts'
import { ledger } from './ledger.ts'
import { allCollections, collections, operationsOn, resourceRow, service } from './service.ts'

const { operations, resources } = service()

test('each operation of the text and of the shipped bindings has one row, and no other', () => {
  expect(operations.map(({ id }) => id).sort()).toEqual([...knownOperationIds()].sort())
})

test('each operation has a path in the text, or the gap that gives it one', () => {
  for (const { id, path, gap } of operations) {
    expect([id, path === undefined]).toEqual([id, gap !== undefined])
    if (gap !== undefined) expect(ledger().get(gap)?.operations, id).toBeDefined()
  }
})

test('each requirement and gap that a row names is in the ledger', () => {
  const named = [...textsIn(service())].filter((text) => /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/.test(text))
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((id) => !ledger().has(id))).toEqual([])
})

test('each feature and each part of a row exists', () => {
  const ids = new Set(features().map(({ id }) => id))
  expect([...operations, ...resources].filter(({ feature }) => !ids.has(feature))).toEqual([])
  for (const { type, of, needs = [] } of resources) {
    for (const other of [...needs, ...(of === undefined ? [] : [of])]) expect(resourceRow(other), type).toBeDefined()
  }
})

test('each type of things is made and shown by one operation each', () => {
  for (const { type, create, remove } of allCollections) {
    expect(operationsOn(type, 'create'), type).toEqual([create])
    expect(operationsOn(type, 'remove'), type).toEqual(remove === undefined ? [] : [remove])
    expect(operationsOn(type, 'read', 'list').length, type).toBeGreaterThan(0)
  }
  expect(allCollections.filter((one) => !collections.includes(one)).map(({ type }) => type)).toEqual(['exclusion'])
})
