import { expect, test } from 'vitest'
import { exchange, newJudge } from '../../../rules/testing.ts'
import type { Sent } from '../../case.ts'
import { requireTold } from './lines.ts'

const answered = (status: number, got: unknown): Sent =>
  newJudge().judge(exchange('POST /logs/ingest?hostname=h', { status, got, intent: { kind: 'base' } }))

test.each<[string, readonly Sent[]]>([
  ['one status', [answered(200, {})]],
  ['a status for each line', [answered(207, { status: [200, 500] })]],
  ['both', [answered(207, {}), answered(200, {})]],
])('what became of lines is told by %s', (_, sent) => {
  expect(() => requireTold(sent)).not.toThrow()
})

test('a 207 that tells nothing of the lines is said to', () => {
  expect(() => requireTold([answered(207, { results: [200] })])).toThrow(
    'a 207 has no list of the status of each line at /status (answer.status of ingest-lines says where it is)',
  )
})
