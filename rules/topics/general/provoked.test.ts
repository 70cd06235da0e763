import { describe, expect, test } from 'vitest'
import { probes } from '../../../schemas/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, failing, type Given, judgeAll, said } from '../../testing.ts'

const LINE = 'DELETE /v1/config/members/someone@example.com'
const ERROR = { error: 'no such member', code: 'NotFound', status: 'error' }

const deleted = (): Exchange =>
  exchange(LINE, { got: { message: 'removed', deleted: true }, intent: { kind: 'base', group: 'g' } })
const again = (given: Given = {}): Exchange =>
  exchange(LINE, {
    status: 404,
    got: ERROR,
    intent: { kind: 'provoke', probe: probes.unknownMember, group: 'g' },
    ...given,
  })

const broken = (history: Exchange[]): string[] =>
  judgeAll(history).flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : []))

describe('a stated error', () => {
  test.each([400, 404, 409, 410, 422])('may carry the status %i, which is not stated', (status) => {
    const history = [deleted(), again({ status })]
    expect(broken(history)).toEqual([])
    expect(said('MEMBER-DELETE-UNKNOWN-REFUSED', history)).toEqual(['held'])
    expect(said('MEMBER-DELETE-UNKNOWN-CODE', history)).toEqual(['held'])
    expect(said('MEMBER-DELETE-UNKNOWN-STATUS', history)).toEqual(['held'])
    expect(said('ERROR-BODY-ERROR-PRESENT', history)).toEqual(['held'])
  })

  const faults: [string, Given, string[]][] = [
    ['accepted', { status: 200, got: { message: 'removed', deleted: true } }, ['MEMBER-DELETE-UNKNOWN-REFUSED']],
    ['a code in another case', { got: { ...ERROR, code: 'notFound' } }, ['MEMBER-DELETE-UNKNOWN-CODE']],
    ['no code', { got: { error: 'x', status: 'error' } }, ['ERROR-BODY-CODE-PRESENT']],
    ['a numeric code', { got: { ...ERROR, code: 404 } }, ['ERROR-BODY-CODE-TYPE']],
    ['no error', { got: { code: 'NotFound', status: 'error' } }, ['ERROR-BODY-ERROR-PRESENT']],
    ['no status', { got: { error: 'x', code: 'NotFound' } }, ['MEMBER-DELETE-UNKNOWN-STATUS']],
    ['HTML', { got: '<html>' }, ['ERROR-BODY-OBJECT']],
    ['no body', { got: undefined }, ['ERROR-BODY-OBJECT']],
  ]
  test.each(faults)('%s is found under its own requirement', (_, given, expected) => {
    const { got, ...rest } = given
    const history = [deleted(), 'got' in given && got === undefined ? again({ ...rest, got: '' }) : again(given)]
    expect(broken(history)).toEqual(expected)
  })

  test('a server error is found when it stays', () => {
    expect(broken([deleted(), again({ status: 500 }), again({ status: 500 })])).toEqual([])
    expect(broken([deleted(), ...failing(again)])).toEqual(['MEMBER-DELETE-UNKNOWN-REFUSED'])
  })

  test('is not judged without an accepted twin', () => {
    expect(said('MEMBER-DELETE-UNKNOWN-REFUSED', [again({ status: 200 })])).toEqual(['inconclusive'])
  })

  test.each([302, 408, 429, 502, 503, 504])('%i is beside the point', (status) => {
    expect(said('MEMBER-DELETE-UNKNOWN-REFUSED', [deleted(), again({ status, got: '' })])).toEqual([])
    expect(broken([deleted(), again({ status, got: '' })])).toEqual([])
  })

  describe.each([401, 403, 405, 413, 415])('with %i', (status) => {
    const REQUIREMENTS = ['REFUSED', 'CODE', 'STATUS'].map((end) => `MEMBER-DELETE-UNKNOWN-${end}`)
    const outcomes = (got: unknown): string[][] =>
      REQUIREMENTS.map((requirement) => said(requirement, [deleted(), again({ status, got })]))

    test('is meant where it carries the stated code', () => {
      expect(outcomes(ERROR)).toEqual([['held'], ['held'], ['held']])
      expect(outcomes({ ...ERROR, status: 'failed' })).toEqual([['held'], ['held'], ['broken']])
    })

    test('may be about the caller where it does not', () => {
      for (const got of ['', { ...ERROR, code: 'Forbidden' }, [ERROR]]) {
        expect(outcomes(got)).toEqual([['inconclusive'], ['inconclusive'], ['inconclusive']])
      }
    })
  })

  test.each([401, 403])('%i with another code is a finding between two that were carried out', (status) => {
    const forbidden = again({ status, got: { ...ERROR, code: 'Forbidden' } })
    expect(broken([deleted(), forbidden, deleted()])).toEqual(['MEMBER-DELETE-UNKNOWN-CODE'])
    expect(broken([forbidden, deleted()])).toEqual([])
    expect(broken([deleted(), again({ status, got: '' }), deleted()])).toEqual([])
  })

  test.each(['timeout', 'reset', 'truncated'] as const)('%s says nothing', (outcome) => {
    expect(broken([deleted(), again({ outcome, status: 404, got: '{' })])).toEqual([])
  })

  test('further fields are fine', () => {
    expect(broken([deleted(), again({ got: { ...ERROR, trace: 'x' } })])).toEqual([])
  })
})

test('an invalid query of enterprise keys is refused with 400, nothing else', () => {
  const good = exchange('GET /v1/enterprise/keys', { got: [], intent: { kind: 'base', group: 'g' } })
  const bad = (status: number): Exchange =>
    exchange('GET /v1/enterprise/keys?unknown=1', {
      status,
      got: { error: 'x', code: 'BadRequest', status: 'error' },
      intent: { kind: 'provoke', probe: probes.invalidQuery, group: 'g' },
    })
  expect(said('ENT-KEYS-INVALID-STATUS', [good, bad(400)])).toEqual(['held'])
  expect(said('ENT-KEYS-INVALID-STATUS', [good, bad(422)])).toEqual(['broken'])
})
