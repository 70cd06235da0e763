import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Journal } from '../../fixtures/journal.ts'
import type { SegmentWriter } from '../../fixtures/segments/write.ts'
import { Interrupted } from '../case.ts'
import { MEMORY } from './run-context.ts'
import { createWriteFaults } from './worker.ts'

const full = (): never => {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}
const good: SegmentWriter = { append: () => {}, flush: () => {}, close: () => {} }
const FAULT = { code: 'ENOSPC', message: 'ENOSPC: no space left on device, write', requests: 7 }

function faultsAfter(act: (faults: ReturnType<typeof createWriteFaults>) => void): [unknown[], number] {
  let stops = 0
  const faults = createWriteFaults(
    () => 7,
    () => {
      stops += 1
    },
  )
  act(faults)
  return [[...faults.list], stops]
}

describe('what a run cannot write', () => {
  test.each<[string, (faults: ReturnType<typeof createWriteFaults>) => void]>([
    ['a segment that cannot be opened', (faults) => faults.segment('/e', full).append({})],
    ['a record', (faults) => faults.segment('/e', () => ({ ...good, append: full })).append({})],
    ['a flush', (faults) => faults.segment('/e', () => ({ ...good, flush: full })).flush()],
    ['the end', (faults) => faults.segment('/e', () => ({ ...good, close: full })).close()],
    ['a body', (faults) => expect(faults.bodies('/e', { put: full }).put('text')).toBeUndefined()],
  ])('is noted and stops the run, but throws nothing: %s', (_, act) => {
    expect(faultsAfter(act)).toEqual([[{ where: '/e', ...FAULT }], 1])
  })
  test('lack of memory is a fault like that of a disk', () => {
    expect(faultsAfter((faults) => faults.attempt(MEMORY, full))).toEqual([[{ where: MEMORY, ...FAULT }], 1])
  })
  test('is said once of each place', () => {
    const [list, stops] = faultsAfter((faults) => {
      const segment = faults.segment('/e', () => ({ ...good, append: full }))
      segment.append({})
      segment.append({})
      faults.bodies('/e', { put: full }).put('text')
      faults.note('/f', new Error('other'))
    })
    expect(list).toEqual([
      { where: '/e', ...FAULT },
      { where: '/f', code: '', message: 'other', requests: 7 },
    ])
    expect(stops).toBe(2)
  })
})

test('what was moved or removed while it was written is a fault, once of each', () => {
  const here = fileURLToPath(import.meta.url)
  const [list, stops] = faultsAfter((faults) => {
    faults.requireThere([here, '/nowhere/evidence'])
    faults.requireThere([here, '/nowhere/evidence'])
  })
  expect(list).toEqual([{ where: '/nowhere/evidence', code: 'ESTALE', message: 'is no longer there', requests: 7 }])
  expect(stops).toBe(1)
})

describe('a journal that cannot be written', () => {
  const broken: Journal = { write: async () => full(), close: async () => full() }
  const entry = 'c#0'

  test('lets nothing be made any more', async () => {
    const faults = createWriteFaults(
      () => 7,
      () => {},
    )
    const making = { type: 'making', entry, resource: 'screen', label: 'a', params: {}, case: 'c' } as const
    await expect(faults.journal('/j', broken).write(making)).rejects.toBeInstanceOf(Interrupted)
    expect(faults.list).toEqual([{ where: '/j', ...FAULT }])
  })
  test('lets what was made be removed', async () => {
    const faults = createWriteFaults(
      () => 7,
      () => {},
    )
    const journal = faults.journal('/j', broken)
    await journal.write({ type: 'made', entry, id: '1' })
    await journal.write({ type: 'removed', entry })
    await journal.close()
    expect(faults.list).toEqual([{ where: '/j', ...FAULT }])
  })
})
