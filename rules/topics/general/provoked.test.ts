import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import type { IntentData } from '../../../schemas/types/intents.ts'
import { eachSays } from '../../_testing/says.ts'
import { exchange, failing, type Given, judgeAll, said } from '../../testing.ts'

describe('conditions of the error table', () => {
  const LINE = 'DELETE /v1/config/members/someone@example.com'
  const ERROR = { error: 'no such member', code: 'NotFound', status: 'error' }

  const deleted = (): Exchange =>
    exchange(LINE, { got: { message: 'removed', deleted: true }, intent: { kind: 'base', group: 'g' } })
  const again = (given: Given = {}): Exchange =>
    exchange(LINE, {
      status: 404,
      got: ERROR,
      intent: { kind: 'provoke', probe: 'unknown-member', group: 'g' },
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

    test('is not judged without an accepted control', () => {
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
        intent: { kind: 'provoke', probe: 'invalid-query', group: 'g' },
      })
    expect(said('ENT-KEYS-INVALID-STATUS', [good, bad(400)])).toEqual(['held'])
    expect(said('ENT-KEYS-INVALID-STATUS', [good, bad(422)])).toEqual(['broken'])
  })
})

describe('conditions that a binding gives a path', () => {
  const group = 'g'
  const base = (given: Given = {}): Exchange =>
    exchange('POST /v1/config/keys?type=ingestion', {
      sent: { name: 'a' },
      got: { id: 'k', type: 'ingestion' },
      intent: { kind: 'base', group },
      ...given,
    })

  describe('an enterprise key with too long a name', () => {
    const LINE = 'POST /v1/enterprise/keys?type=ingestion'
    const RENAMED = 'PUT /v1/enterprise/keys/k'
    const base = (given: Given = {}, line = LINE): Exchange =>
      exchange(line, { sent: { name: 'a' }, got: { id: 'k' }, intent: { kind: 'base', group }, ...given })
    const probe = (length: number, given: Given = {}, line = LINE): Exchange =>
      exchange(line, {
        sent: { name: 'a'.repeat(length) },
        got: { id: 'k' },
        intent: { kind: 'provoke', probe: 'key-name-too-long', group },
        ...given,
      })
    eachSays('KEY-NAME-REFUSED', [
      ['is refused', [base(), probe(31, { status: 400 })], 'held'],
      ['is made', [base(), probe(31)], 'broken'],
      ['is given to a key', [base({}, RENAMED), probe(31, {}, RENAMED)], 'broken'],
      ['is made before its control', [probe(31), base()], 'broken'],
      ['is made without a control', [probe(31)], 'inconclusive'],
      ['is refused without a control', [probe(31, { status: 400 })], 'inconclusive'],
      [
        'is refused with a control that is refused too',
        [base({ status: 400 }), probe(31, { status: 400 })],
        'inconclusive',
      ],
      ['is not allowed by a 404 alone', [base(), probe(31, { status: 404 })], 'inconclusive'],
      ['is refused by a 404 between two controls', [base(), probe(31, { status: 404 }), base()], 'held'],
      ['breaks the server', [base(), probe(31, { status: 500 })], 'inconclusive'],
      ['finds nobody let in', [base(), probe(31, { status: 401 })], 'inconclusive'],
      ['is asked to wait', [base(), probe(31, { status: 429 })], 'inconclusive'],
      ['has 30 characters', [base(), probe(30)], ''],
      [
        'belongs to a key of the organisation',
        [base(), probe(31, {}, 'POST /v1/config/keys?type=ingestion'), base()],
        '',
      ],
      ['has 30 characters beyond the BMP', [base(), probe(0, { sent: { name: '😀'.repeat(30) } })], ''],
    ])
  })

  describe('a service key', () => {
    const probe = (got: unknown, given: Given = {}): Exchange =>
      exchange('POST /v1/config/keys?type=service', {
        sent: { name: 'a' },
        got,
        intent: { kind: 'provoke', probe: 'service-key', group },
        ...given,
      })
    eachSays('AUTH-SERVICE-KEY-CLOSED', [
      ['is refused', [base(), probe({}, { status: 400 })], 'held'],
      ['is forbidden', [base(), probe({}, { status: 403 })], 'held'],
      ['is made', [base(), probe({ type: 'service' })], 'broken'],
      ['becomes one for ingestion', [base(), probe({ type: 'ingestion' })], 'held'],
      ['may have been made', [base(), probe({ id: 'k' })], 'inconclusive'],
      [
        'is not what was asked for',
        [base(), { ...base(), _intent: { kind: 'provoke', probe: 'service-key', group } }],
        '',
      ],
    ])

    test('that may have been made names what was sent, and the entry that would tell', () => {
      const message = (asked: Exchange): unknown =>
        judgeAll([base(), asked]).find(({ outcome }) => outcome === 'inconclusive')?.message
      const rest = ', and the response shows no type: set `operations.create-key.fields.type`'
      expect(message(probe({ id: 'k' }))).toBe(
        `not judged: create-key was sent \`?type=service\` (operations.create-key.query)${rest}`,
      )
      const inBody = exchange('POST /v1/config/keys', {
        sent: { name: 'a', sort: 'service' },
        got: { id: 'k' },
        intent: { kind: 'provoke', probe: 'service-key', group },
      })
      expect(message(inBody)).toBe(
        `not judged: create-key was sent \`sort: "service"\` (operations.create-key.body)${rest}`,
      )
    })
  })
})

describe('ids of an unusual form', () => {
  const deleted = (): Exchange =>
    exchange('DELETE /v1/config/screen/s', { got: { deleted: true }, intent: { kind: 'base', group: 'g' } })
  const odd = (given: Given = {}, condition: IntentData['condition'] & string = 'unknown-screen'): Exchange =>
    exchange('DELETE /v1/config/screen/a%20b', {
      status: 404,
      got: '',
      intent: { kind: 'provoke', probe: 'odd-id', edge: 'an id with a blank', group: 'g', data: { condition } },
      ...given,
    })

  function outcomes(...history: readonly Exchange[]): string[] {
    return judgeAll(history).flatMap(({ outcome, requirement }) =>
      outcome === 'broken' || requirement.startsWith('SCREEN-DELETE-UNKNOWN') ? [`${requirement} ${outcome}`] : [],
    )
  }

  describe('an id of an unusual form that nothing has', () => {
    test.each([400, 404, 409, 410, 422])('is refused with %i, whatever the answer says besides', (status) => {
      for (const got of ['', '<html>', { message: 'bad id' }, { error: 'x', code: 'BadRequest', status: 'error' }]) {
        expect(outcomes(deleted(), odd({ status, got }))).toEqual(['SCREEN-DELETE-UNKNOWN-REFUSED held'])
      }
    })

    test('is not answered with success', () => {
      expect(outcomes(deleted(), odd({ status: 200, got: { deleted: true } }))).toEqual([
        'SCREEN-DELETE-UNKNOWN-REFUSED broken',
      ])
    })

    test('and breaks the server is found when it stays', () => {
      expect(outcomes(deleted(), odd({ status: 500 }), odd({ status: 500 }))).toEqual([])
      expect(outcomes(deleted(), ...failing(odd))).toEqual(['SCREEN-DELETE-UNKNOWN-REFUSED broken'])
    })

    test.each([302, 401, 403, 405, 414, 429, 431, 501, 502, 503, 520])('says nothing with %i', (status) => {
      expect(outcomes(deleted(), odd({ status }), odd({ status }))).toEqual([])
    })

    test('is judged only where the text says that it is refused, beside a deletion that was carried out', () => {
      expect(outcomes(deleted(), odd({ status: 200, got: { deleted: true } }, 'unknown-exclusion'))).toEqual([])
      expect(outcomes(odd({ status: 200, got: { deleted: true } }))).toEqual([
        'SCREEN-DELETE-UNKNOWN-REFUSED inconclusive',
      ])
    })
  })
})
