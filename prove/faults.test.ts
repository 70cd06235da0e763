import { expect, test } from 'vitest'
import { allFaults } from '../reference/faults/index.ts'
import { ledger } from '../schemas/ledger.ts'

test('each requirement that is judged has a fault of its own that turns it red', () => {
  const broken = new Set(
    allFaults().flatMap(({ withheld, kills }) => (withheld === undefined ? kills.slice(0, 1) : [])),
  )
  const judged = [...ledger().values()].filter(({ level, provoke }) => level !== 'open' && provoke !== 'never')
  expect(judged.flatMap(({ id }) => (broken.has(id) ? [] : [id]))).toEqual([])
})

test('a fault of which nothing can be said has a reason', () => {
  const reasons = allFaults().flatMap(({ withheld }) => withheld ?? [])
  expect(reasons.length).toBeGreaterThan(0)
  expect(reasons.filter((reason) => reason.split(' ').length < 5)).toEqual([])
})
