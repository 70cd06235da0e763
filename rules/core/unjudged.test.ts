import { describe, expect, test } from 'vitest'
import { createOracle } from '../oracle.ts'
import { exchange, referenceBinding } from '../testing.ts'
import { Unjudged, unjudgedInWords } from './unjudged.ts'

const factory = createOracle({ binding: referenceBinding(), basePath: '', settleMs: 0 })

/** The words for requests that are judged one after the other. */
function said(...requests: readonly [string, object][]): string[] {
  const judge = factory.createJudge()
  const unjudged = new Unjudged()
  for (const [line, given] of requests) {
    const { _case, _intent, ...seen } = exchange(line, given)
    unjudged.add(judge.judge(seen))
  }
  return unjudged.groups().map(unjudgedInWords)
}

describe('exchanges that were not judged', () => {
  test('are counted by reason, the most frequent one first, with a few requests', () => {
    const health = Array.from({ length: 25 }, (_, at): [string, object] => [`GET /health/${at}?x=${at}`, {}])
    expect(
      said(
        ...health,
        ['GET /v1/config/view', { status: 503 }],
        ['GET /v1/config/view', { outcome: 'timeout', status: 0 }],
      ),
    ).toEqual([
      '25: path not in the binding: GET /health/0, GET /health/1, GET /health/2, …',
      '1: no whole response: GET /v1/config/view',
      '1: the response is 503, which shows no requirement: GET /v1/config/view',
    ])
  })

  test('say how a request departs from the text, once for all elements of a list', () => {
    const channel = { integration: 'email', triggerlimit: 10, immediate: 'false' }
    const sent = { name: 'n', channels: [channel, channel] }
    const words = '/channels/*/triggerlimit must be string, /channels/*/immediate must be boolean'
    expect(
      said(
        ['POST /v1/config/presetalert', { sent, status: 403 }],
        ['PUT /v1/config/presetalert/a', { sent, status: 403 }],
        ['POST /v1/config/presetalert', { sent: '{' }],
      ),
    ).toEqual([
      `2: the request departs from the text: ${words}: POST /v1/config/presetalert, PUT /v1/config/presetalert/a`,
      '1: the request departs from the text: the body must be JSON: POST /v1/config/presetalert',
    ])
  })

  test('are none where each shows something', () => {
    expect(said(['DELETE /v1/config/members/a@example.com', { status: 202, got: {} }])).toEqual([])
  })
})
