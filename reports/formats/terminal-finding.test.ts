import { expect, test } from 'vitest'
import { aFinding, anExchange, aReport, aResult } from '../testing.ts'
import { renderTerminal } from './terminal.ts'

test('a walk is shown by its steps, and by the time after the last one', () => {
  const step = { role: 'step', method: 'POST', requestBody: '{}', status: 200 }
  const id = '0123abcd-0000-4000-8000-000000000000'
  const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`
  const exchanges = [
    anExchange({ ...step, id: '1', url: 'http://x/board', startedAt: at(0) }),
    anExchange({ ...step, id: '2', method: 'PUT', url: `http://x/view/${id}`, startedAt: at(1) }),
    anExchange({ id: '3', method: 'GET', url: 'http://x/board', startedAt: at(4) }),
  ]
  const text = renderTerminal(
    aReport({ results: [aResult({ verdict: 'fail', findings: [aFinding({ exchanges })] })] }),
    {
      columns: 80,
      color: false,
    },
  )
  expect(text).toMatch(
    /steps +1\. POST http:\/\/x\/board -> 200\n +2\. PUT http:\/\/x\/view\/0123abcd… -> 200\n +after +3\.0 s/,
  )
  expect(text).not.toMatch(/^ +change /m)
})
