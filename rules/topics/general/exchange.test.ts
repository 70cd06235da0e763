import { describe, expect, test } from 'vitest'
import { exchange, type Given, judgeAll, said, seen } from '../../testing.ts'

const broken = (line: string, given: Given): string[] =>
  judgeAll([exchange(line, given)]).flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : []))

describe('an answer to a good request', () => {
  const MEMBER = 'DELETE /v1/config/members/a@example.com'
  const KEYS = 'GET /v1/enterprise/keys'
  const key = { id: '1', key: 'secret', name: 'n', type: 'service', created: 1 }
  const answers: [string, string, Given, string[]][] = [
    ['a member deleted', MEMBER, { got: { message: 'm', deleted: true, more: 1 } }, []],
    ['without a message', MEMBER, { got: { deleted: true } }, ['MEMBER-RESULT-MESSAGE-PRESENT']],
    ['deleted as text', MEMBER, { got: { message: 'm', deleted: 'true' } }, ['MEMBER-RESULT-DELETED-TYPE']],
    ['not deleted', MEMBER, { got: { message: 'm', deleted: false } }, ['MEMBER-RESULT-DELETED-TRUE']],
    ['with 202', MEMBER, { status: 202, got: { message: 'm', deleted: true } }, ['MEMBER-DELETE-STATUS']],
    ['without a body', MEMBER, {}, ['MEMBER-DELETE-BODY']],
    ['with HTML', MEMBER, { got: '<p>ok' }, ['MEMBER-DELETE-BODY']],
    ['with bytes that are no text', MEMBER, { got: '/w==', base64: true }, ['MEMBER-DELETE-BODY']],
    ['a list of keys', KEYS, { got: [key, { ...key, id: '2', name: 'x'.repeat(30) }] }, []],
    ['no keys', KEYS, { got: [] }, []],
    ['no list', KEYS, { got: { keys: [] } }, ['ENT-KEYS-LIST-BODY']],
    ['a long name', KEYS, { got: [{ ...key, name: 'x'.repeat(31) }] }, ['KEY-NAME-MAX']],
    ['a name of 30 characters beyond the BMP', KEYS, { got: [{ ...key, name: '😀'.repeat(30) }] }, []],
    ['another type', KEYS, { got: [{ ...key, type: 'admin' }] }, ['KEY-TYPE-VALUES']],
    ['an id twice', KEYS, { got: [key, key] }, ['KEY-ID-UNIQUE']],
    ['a time as text', KEYS, { got: [{ ...key, created: '1' }] }, ['KEY-CREATED-TYPE']],
    ['an exclusion deleted with any 2xx', 'DELETE /v1/config/ingestion/exclusions/1', { status: 204 }, []],
    ['with a body', 'DELETE /v1/config/ingestion/exclusions/1', { got: {} }, ['EXCLUSION-DELETE-BODY']],
    ['a v3 answer of any body', 'PUT /v3/pipeline/p/processing-status', { sent: {}, got: '["whatever"]' }, []],
    [
      'a v3 answer with 204',
      'PUT /v3/pipeline/p/processing-status',
      { sent: {}, status: 204 },
      ['PROCESSING-STATUS-STATUS'],
    ],
  ]
  test.each(answers)('%s', (_, line, given, expected) => {
    expect(broken(line, given)).toEqual(expected)
  })

  test.each([
    ['application/json', ['held']],
    ['application/vnd.example+json; charset=utf-8', ['held']],
    ['text/plain', ['held']],
    ['', ['held']],
    ['text/html; charset=utf-8', ['broken']],
    ['application/xml', ['broken']],
  ])('whose body is JSON and is declared as %j', (mimeType, expected) => {
    const one = exchange(MEMBER, { got: { message: 'm', deleted: true } })
    const { response } = one
    const declared = { ...one, response: { ...response, content: { ...response.content, mimeType } } }
    expect(said('BODY-JSON-DECLARED', [declared])).toEqual(expected)
  })

  test.each([
    ['nothing', undefined, ['broken']],
    ['anything', '*/*', ['broken']],
    ['another form', 'text/csv', []],
  ])('that is not shown is JSON, unless something else was asked for: %s', (_, value, expected) => {
    const one = exchange('GET /v1/usage/tags?from=1700000000&to=1700003600', { got: 'a,b' })
    const headers = value === undefined ? [] : [{ name: 'Accept', value }]
    expect(said('BODY-JSON', [{ ...one, request: { ...one.request, headers } }])).toEqual(expected)
  })

  test('is not judged where the request breaks a rule itself, was not carried out, or no operation fits', () => {
    expect(broken('POST /v1/config/presetalert', { sent: { name: 7 }, status: 201, got: 'x' })).toEqual([])
    expect(broken(MEMBER, { status: 500, got: '<p>' })).toEqual([])
    expect(broken(MEMBER, { status: 200, got: '{"mess', outcome: 'truncated' })).toEqual([])
    expect(broken('GET /v1/nothing', { got: '<p>' })).toEqual([])
  })

  describe('in traffic whose requests depart from the text, only what does not rest on them is judged', () => {
    const ALERT = 'POST /v1/config/presetalert'
    const NODE = 'PUT /v3/pipeline/p/transform/t'
    const TAP = 'POST /v3/pipeline/p/tap/c.out'
    const channel = { integration: 'email', triggerlimit: 10, immediate: 'false' }
    const sent = { name: 'n', channels: [channel, channel] }
    const title = { title: '<' }
    const spoilt = 'PRESET-CREATE-BODY'
    test.each<[string, string, Given, string[]]>([
      ['no body', ALERT, { sent }, []],
      ['204', ALERT, { sent, status: 204 }, []],
      ['201', ALERT, { sent, status: 201 }, []],
      ['a refusal', ALERT, { sent, status: 400, got: { error: 'e', code: 'c', status: 'error' } }, []],
      ['a server error', ALERT, { sent, status: 500, got: '<p>' }, []],
      ['an answer that was cut', ALERT, { sent, outcome: 'truncated', status: 200, got: '{' }, []],
      ['an update without a body', 'PUT /v1/config/presetalert/1', { sent }, []],
      ['a node as JSON', NODE, { sent: title, got: { title: '<' } }, []],
      ['a node without a body', NODE, { sent: title }, []],
      ['a body that is no JSON', ALERT, { sent: '{', got: { id: 1 } }, []],
      ['a record', ALERT, { sent, got: { presetid: '1', ...sent } }, [spoilt]],
      ['an empty object', ALERT, { sent, got: {} }, [spoilt]],
      ['a text', ALERT, { sent, got: 'done' }, [spoilt]],
      ['a record with 201', ALERT, { sent, status: 201, got: {} }, [spoilt]],
      ['another departure', ALERT, { sent: { name: 7 }, got: {} }, [spoilt]],
      ['an update with a record', 'PUT /v1/config/presetalert/1', { sent, got: {} }, ['PRESET-UPDATE-BODY']],
      ['a node as HTML', NODE, { sent: title, got: '<p>' }, ['BODY-JSON']],
      ['a node cut off', NODE, { sent: title, got: '{"title":' }, ['BODY-JSON']],
      ['a source as text', 'PUT /v3/pipeline/p/source/s', { sent: title, got: 'ok' }, ['BODY-JSON']],
      ['a tap as HTML', TAP, { sent: { limit: -1 }, got: '<p>' }, ['BODY-JSON']],
    ])('%s', (_, line, given, expected) => {
      const judged = judgeAll([seen(line, [1, 2], given)])
      expect(judged.flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : []))).toEqual(
        expected,
      )
    })
  })

  test('an empty list holds nothing about its elements, a key without a name nothing about its length', () => {
    expect(said('KEY-NAME-MAX', [exchange(KEYS, { got: [] })])).toEqual([])
    const { name: _, ...nameless } = key
    expect(said('KEY-NAME-MAX', [exchange(KEYS, { got: [nameless] })])).toEqual([])
    expect(said('KEY-NAME-MAX', [exchange(KEYS, { got: [nameless, key] })])).toEqual(['held'])
    expect(said('KEY-NAME-PRESENT', [exchange(KEYS, { got: [] })])).toEqual([])
  })

  test('that breaks a rule at one element does not hold it at the others', () => {
    const keys = [key, { ...key, id: '2', name: 'x'.repeat(31) }]
    expect(said('KEY-NAME-MAX', [exchange(KEYS, { got: keys })])).toEqual(['broken'])
  })

  test('of cleanup is never judged', () => {
    expect(broken(MEMBER, { got: '<p>', intent: { kind: 'cleanup' } })).toEqual([])
  })
})

describe('usage by tag', () => {
  const rows = (...shares: unknown[]): unknown =>
    shares.map((percentage_of_total) => ({ name: 'a', percentage_of_total }))
  test.each([
    [rows(0, 100, 33.3), ['held']],
    [rows(70, 70), ['held']],
    [rows(100.1), ['broken']],
    [rows(-1), ['broken']],
    [rows('50', '33.3 %'), ['held']],
    [rows('100.1'), ['broken']],
    [rows('half', null), []],
    [rows(), []],
    [{ data: [] }, []],
  ])('%j', (got, expected) => {
    expect(said('USAGE-TAGS-PERCENTAGE', [exchange('GET /v1/usage/tags?from=1&to=2', { got })])).toEqual(expected)
  })
  test.each([
    ['limit=2', ['held']],
    ['limit=1', ['broken']],
    ['limit=3', []],
    ['limit=1e0', []],
    ['limit=0', []],
    ['limit=', []],
    ['limit=1&limit=9', []],
    ['', []],
  ])('two rows for %s', (query, expected) => {
    expect(said('USAGE-TAGS-LIMIT', [exchange(`GET /v1/usage/tags?${query}`, { got: rows(1, 2) })])).toEqual(expected)
  })
})

describe('an error under /v1', () => {
  const POST = 'POST /v1/config/presetalert'
  const error = { error: 'e', code: 'c' }
  const rows: [string, string, Given, string[]][] = [
    ['with its fields', POST, { status: 400, got: error }, ['held']],
    ['with more fields', POST, { status: 422, got: { ...error, status: 'error', more: 1 } }, ['held']],
    ['without a code', POST, { status: 400, got: { error: 'e' } }, ['broken']],
    ['with a number for a code', POST, { status: 409, got: { error: 'e', code: 7 } }, ['broken']],
    ['that is a page, of whoever stands before it', POST, { status: 400, got: '<p>' }, []],
    ['of credentials', POST, { status: 401, got: { message: 'no' } }, []],
    ['of a path', POST, { status: 404, got: { message: 'no' } }, []],
    ['of v3', 'PUT /v3/pipeline/p/processing-status', { status: 400, got: { message: 'no' } }, []],
    ['of an exclusion rule', 'DELETE /v1/config/ingestion/exclusions/1', { status: 400, got: { message: 'no' } }, []],
  ]
  test.each(rows)('%s', (_, line, given, expected) => {
    expect(said('ERROR-BODY-SHAPE', [exchange(line, { sent: {}, ...given })])).toEqual(expected)
  })
})

describe('the time of the creation of listed keys', () => {
  const NOW = Date.UTC(2026, 10, 21)
  const list = (created: unknown): string[] =>
    said('KEY-CREATED-UNIT', [exchange('GET /v1/enterprise/keys', { got: [{ id: '1', created }], start: NOW })])
  test.each([
    ['now, in milliseconds', NOW, ['held']],
    ['now, in seconds', NOW / 1000, ['broken']],
    ['19 years ago, in seconds', Math.floor(NOW / 1000 - 19 * 31_556_952), ['broken']],
    ['in 1970, in milliseconds', 86_400_000, ['held']],
    ['0', 0, ['held']],
    ['a text', 'now', []],
  ])('%s', (_, created, expected) => {
    expect(list(created)).toEqual(expected)
  })
})

describe('a tap', () => {
  const tap = (sent: unknown, events: number, seconds = 1): string[] => {
    const got = { data: { events: Array(events).fill({}) } }
    return judgeAll([exchange('POST /v3/pipeline/p/tap/s', { sent, got, start: 0, end: seconds * 1000 })])
      .filter(({ requirement }) => ['TAP-LIMIT', 'TAP-TIMEOUT', 'TAP-EDGE-OPTIONAL'].includes(requirement))
      .map(({ requirement, outcome }) => `${requirement} ${outcome}`)
  }
  test('returns at most as many events as were asked for', () => {
    expect(tap({ limit: 2, timeout: 1, edge_id: 'e' }, 2)).toEqual(['TAP-LIMIT held'])
    expect(tap({ limit: 2, timeout: 1, edge_id: 'e' }, 3)).toEqual(['TAP-LIMIT broken'])
  })
  test('gives up after its timeout, with as long again and the way as grace', () => {
    expect(tap({ limit: 2, timeout: 1, edge_id: 'e' }, 1, 4)).toEqual(['TAP-LIMIT held', 'TAP-TIMEOUT held'])
    expect(tap({ limit: 2, timeout: 1, edge_id: 'e' }, 1, 4.1)).toEqual(['TAP-LIMIT held', 'TAP-TIMEOUT broken'])
  })
  test('is not to blame for the time in which its client stood still', () => {
    const times = { start: 0, end: 70_000 }
    const one = exchange('POST /v3/pipeline/p/tap/s', {
      sent: { limit: 2, timeout: 1 },
      got: { data: { events: [] } },
      ...times,
    })
    const outcome = (stalled: number): string | undefined =>
      judgeAll([{ ...one, _stalled: stalled }]).find(({ requirement }) => requirement === 'TAP-TIMEOUT')?.outcome
    expect([outcome(0), outcome(65_900), outcome(66_100)]).toEqual(['broken', 'broken', 'held'])
  })
  test('with a limit that is forbidden says nothing here', () => {
    expect(tap({ limit: 101, timeout: 1 }, 200)).toEqual([])
  })
})
