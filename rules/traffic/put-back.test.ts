import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { seen, toldOf } from '../testing.ts'

/** One after the other. */
const inTurn = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.map((one, index) => ({ ...one, _start: index * 100, _end: index * 100 + 10 }))
const alone = (exchanges: readonly Exchange[]): string[] => toldOf('broken', inTurn(exchanges))
const amongOthers = (exchanges: readonly Exchange[]): string[] => toldOf('broken', inTurn(exchanges), false)
const at: readonly [number, number] = [0, 10]
const UUID = '5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10'

describe('a record that was read, changed and put back as a whole', () => {
  const times = (hour: number): object => ({
    created_at: '2026-01-01T00:00:00Z',
    updated_at: `2026-01-01T0${hour}:00:00Z`,
  })
  const rows: readonly (readonly [name: string, line: string, path: string, wrap: boolean, record: object])[] = [
    ['transform', 'PUT', '/v3/pipeline/p1/transform/t1', true, { id: 't1', pipeline_id: 'p1', generation_id: 1 }],
    ['source', 'PUT', '/v3/pipeline/p1/source/s1', true, { id: 's1', pipeline_id: 'p1', generation_id: 1 }],
    ['pipeline', 'PATCH', '/v3/pipeline/p1', true, { id: 'p1', published_at: null, sources: [] }],
    ['exclusion', 'PATCH', '/v1/config/ingestion/exclusions/e1', false, { id: 'e1', active: true }],
    ['view', 'PUT', '/v1/config/view/v1', false, { viewid: 'v1', account: 'a' }],
  ]
  test.each(rows)('%s', (_, method, path, wrap, own) => {
    const shown = (title: string, hour: number): object => {
      const record = { ...own, title, name: title, ...times(hour) }
      return wrap ? { data: record } : record
    }
    const read = (title: string, hour: number): Exchange => seen(`GET ${path}`, at, { got: shown(title, hour) })
    const put = (title: string): Exchange => {
      const sent = { pipeline_id: 'other', ...own, title, name: title, ...times(1), last_seen_version: 7 }
      return seen(`${method} ${path}`, at, { sent, got: {} })
    }
    // What is shown of times, versions and the like is the target's.
    expect(alone([read('a', 1), put('b'), read('b', 2)])).toEqual([])
    if (method === 'PUT' && wrap) expect(alone([read('a', 1), put('b'), read('a', 2)])).not.toEqual([])
  })
  test('as another one', () => {
    const record = { id: 'b1', title: 't', created_at: 'then', version: 4 }
    const make = seen('POST /v1/config/board', at, { sent: record, got: { ...record, id: 'b2', version: 1 } })
    const read = seen('GET /v1/config/board/b2', at, { got: { ...record, id: 'b2', version: 1, created_at: 'now' } })
    expect(alone([make, read])).toEqual([])
  })
})

describe('what was removed', () => {
  const board = (id: string): Record<'read' | 'remove' | 'put', Exchange> => ({
    read: seen(`GET /v1/config/board/${id}`, at, { got: { id, title: 't' } }),
    remove: seen(`DELETE /v1/config/board/${id}`, at, { got: {} }),
    put: seen(`PUT /v1/config/board/${id}`, at, { sent: { title: 't' }, got: {} }),
  })
  test('may be made again by a change of it', () => {
    const { read, remove, put } = board(UUID)
    expect(alone([read, remove, put, read])).toEqual([])
    expect(alone([read, remove, read])).toEqual(['BOARD-DELETE'])
  })
  test('is found for sure under an id that nobody gets again', () => {
    const { read, remove } = board(UUID)
    expect(amongOthers([read, remove, read])).toEqual(['BOARD-DELETE'])
  })
  test('may be another one of the same short id, which somebody else made', () => {
    const { read, remove } = board('17')
    expect(amongOthers([read, remove, read])).toEqual([])
    expect(alone([read, remove, read])).toEqual(['BOARD-DELETE'])
  })
})

describe('a request of no known operation', () => {
  const BOARDS = '/v1/config/board'
  const make = seen(`POST ${BOARDS}`, at, { sent: { title: 'b' }, got: { id: 'b1' } })
  const read = seen(`GET ${BOARDS}/b1`, at, { got: { id: 'b1', title: 'b' } })
  const list = seen(`GET ${BOARDS}`, at, { got: [{ id: 'x' }] })
  test('may bring back what was removed', () => {
    const remove = seen(`DELETE ${BOARDS}/b1`, at, { got: {} })
    const restore = seen(`POST ${BOARDS}/b1/restore`, at, { got: {} })
    expect(alone([read, remove, restore, read])).toEqual([])
    expect(alone([read, remove, read])).toEqual(['BOARD-DELETE'])
  })
  test('may do something to many', () => {
    const batch = seen(`POST ${BOARDS}/batch-delete`, at, { sent: { ids: ['b1'] }, got: {} })
    expect(alone([make, read, batch, list])).toEqual([])
    expect(alone([make, read, list])).toEqual(['BOARD-LIST'])
    const path = '/v3/pipeline/p1/transform'
    const put = seen(`PUT ${path}/t1`, at, { sent: { title: 'a' }, got: {} })
    const rename = seen(`POST ${path}/batch-rename`, at, { got: {} })
    const other = seen(`GET ${path}/t1`, at, { got: { data: { id: 't1', title: 'b' } } })
    expect(alone([put, rename, other])).toEqual([])
    expect(alone([put, other])).toEqual(['TRANSFORM-UPDATE-REPLACES'])
  })
})
