import { expect, test } from 'vitest'
import { exchange, said } from '../../testing.ts'

const sent = (status: number, told: unknown = 'ok') =>
  exchange('POST /logs/ingest?hostname=assay', {
    status,
    sent: { lines: [] },
    got: { status: told },
    intent: { kind: 'base' },
  })

test('a good request that is carried out shows that the operation is there', () => {
  expect(said('INGESTION-ACCEPTS', [sent(200)])).toEqual(['held'])
})

test.each([400, 401, 404, 422, 500])('refused with %i, however often, it proves nothing', (status) => {
  expect(said('INGESTION-ACCEPTS', [sent(status), sent(status), sent(status)])).toEqual([])
})

test('lines that are judged one by one are a success of the whole where each of them is one', () => {
  expect(said('INGESTION-ACCEPTS', [sent(207, [200])])).toEqual(['held'])
  expect(said('INGESTION-ACCEPTS', [sent(207, [200, 202])])).toEqual(['held'])
})

test.each([[undefined], ['ok'], [[]], [[200, 500]], [['200']]])(
  'a 207 that says %j of the lines proves nothing',
  (told) => {
    expect(said('INGESTION-ACCEPTS', [sent(207, told)])).toEqual([])
  },
)
