import { expect, test } from 'vitest'
import { exchange, said } from '../testing.ts'

const sent = (status: number, kind: 'base' | 'setup' = 'base') =>
  exchange('POST /logs/ingest?hostname=assay', { status, sent: { lines: [] }, got: { status: 'ok' }, intent: { kind } })

test('a good request that is carried out shows that the operation is there', () => {
  expect(said('INGESTION-ACCEPTS', [sent(200)])).toEqual(['held'])
})

test.each([400, 401, 404, 422, 500])('refused with %i, however often, it proves nothing', (status) => {
  expect(said('INGESTION-ACCEPTS', [sent(status), sent(status), sent(status)])).toEqual([])
})

test('lines that are judged one by one are not a success of the whole', () => {
  expect(said('INGESTION-ACCEPTS', [sent(207)])).toEqual([])
})
