import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { APIKEY, createHarness, type Harness } from '../testing/harness.ts'
import { ingest, page, textsOf } from '../testing/lines.ts'

describe('ingestion', () => {
  test('the body of older clients is taken too', () => {
    const harness = createHarness()
    const body = { e: 'ls', ls: [{ line: 'one' }, { line: 'two' }] }
    expect(harness.send('POST', '/logs/ingest?hostname=h&mac=&ip=', { body, headers: APIKEY }).status).toBe(200)
    expect(textsOf(harness)).toEqual(['one', 'two'])
  })

  test.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip, identity, br', (bytes: Buffer) => brotliCompressSync(gzipSync(bytes))],
  ])('lines may come in the content coding %s', (coding, code) => {
    const harness = createHarness()
    const headers = { ...APIKEY, 'content-encoding': coding, 'content-type': 'application/json' }
    const bytes = code(Buffer.from('{"lines":[{"line":"one"},{"line":"two"}]}'))
    expect(harness.send('POST', '/logs/ingest?hostname=h', { bytes, headers }).status).toBe(200)
    expect(textsOf(harness)).toEqual(['one', 'two'])
  })

  test.each([
    [415, 'zstd', Buffer.from('x')],
    [415, '__proto__', Buffer.from('x')],
    [400, 'gzip', Buffer.from('{"lines":[]}')],
    [400, 'gzip', gzipSync('{"lines":[]}').subarray(0, 12)],
    [413, 'gzip', gzipSync(Buffer.alloc(20_000_000))],
  ])('%i for what is not such a coding: %s', (status, coding, bytes) => {
    const headers = { ...APIKEY, 'content-encoding': coding, 'content-type': 'application/json' }
    expect(createHarness().send('POST', '/logs/ingest?hostname=h', { bytes, headers }).status).toBe(status)
  })

  test('a body of more than 10 MB is refused with 413', () => {
    const bytes = Buffer.alloc(10_000_001, 0x20)
    expect(createHarness().send('POST', '/logs/ingest?hostname=h', { bytes, headers: APIKEY }).status).toBe(413)
  })

  test('10 MB in one body are stored', () => {
    const harness = createHarness()
    const lines = Array.from({ length: 640 }, (_, index) => ({ line: `${index} `.padEnd(15_500, 'x') }))
    expect(JSON.stringify({ lines }).length).toBeGreaterThan(9_900_000)
    expect(ingest(harness, lines).status).toBe(200)
    expect(textsOf(harness)).toHaveLength(640)
  })

  test.each([
    ['milliseconds', 1_700_000_000_123, 1_700_000_000_123],
    ['milliseconds as text', '1700000000123', 1_700_000_000_123],
    ['seconds', 1_700_000_000, 1_700_000_000_000],
    ['seconds with a fraction', 1_700_000_000.25, 1_700_000_000_250],
    ['nothing', undefined, Date.UTC(2026, 2, 14, 12, 30)],
    ['null', null, Date.UTC(2026, 2, 14, 12, 30)],
  ])('a timestamp may be %s', (_, timestamp, expected) => {
    const harness = createHarness()
    expect(ingest(harness, [{ line: 'x', timestamp }]).status).toBe(200)
    expect(page(harness, 'hosts=h').lines.map(({ _ts }) => _ts)).toEqual([expected])
  })

  test('of a body with malformed lines the others are stored, and the answer tells them apart', () => {
    const harness = createHarness()
    const wrong = [
      'text',
      null,
      [],
      {},
      { line: 7 },
      { line: 'x'.repeat(16_385) },
      { line: 'é'.repeat(8193) },
      { line: 'x', app: 'a'.repeat(513) },
      { line: 'x', app: 7 },
      { line: 'x', level: 'l'.repeat(81) },
      { line: 'x', env: {} },
      { line: 'x', meta: { a: 'x'.repeat(32_768) } },
      { line: 'x', timestamp: 'noon' },
      { line: 'x', timestamp: {} },
    ]
    const good = [{ line: 'first' }, { line: '' }, { line: 'x'.repeat(16_384) }]
    const answer = ingest(harness, [...wrong, ...good])
    expect([answer.status, answer.json]).toEqual([207, { status: [...wrong.map(() => 400), ...good.map(() => 200)] }])
    expect(textsOf(harness)).toEqual(good.map(({ line }) => line))
  })

  test.each([
    ['no host', '', { lines: [] }],
    ['an empty host', 'hostname=', { lines: [] }],
    ['too long a host', `hostname=${'h'.repeat(257)}`, { lines: [] }],
    ['too long a tag', `hostname=h&tags=${'t'.repeat(81)}`, { lines: [] }],
    ['no lines', 'hostname=h', {}],
    ['lines that are no array', 'hostname=h', { lines: 'x' }],
    ['a body that is no object', 'hostname=h', null],
  ])('%s is refused', (_, query, body) => {
    const { send } = createHarness()
    const answer = send('POST', `/logs/ingest?${query}`, { body, headers: APIKEY })
    expect(answer).toMatchObject({ status: 400, json: { code: 'BadRequest', status: 'error' } })
  })
})

describe('exclusion rules and lines', () => {
  const ALL = '/v1/config/ingestion/exclusions'

  test('a rule that is not active drops nothing, and can be switched on', () => {
    const harness = createHarness()
    const id = harness.make(ALL, { hosts: ['h'] })
    ingest(harness, [{ line: 'one' }])
    harness.done('PATCH', `${ALL}/${id}`, { active: true })
    ingest(harness, [{ line: 'two' }])
    expect(textsOf(harness)).toEqual(['one'])
  })
})

const PATH = '/v1/config/ingestion'

interface Guarded extends Harness {
  readonly isIngesting: () => unknown
  readonly token: () => string
  readonly confirm: (token: unknown) => number
}

function guarded(): Guarded {
  const harness = createHarness()
  return {
    ...harness,
    isIngesting: () => harness.done('GET', `${PATH}/status`).at('/isIngesting'),
    token: () => String(harness.done('POST', `${PATH}/suspend`).at('/token')),
    confirm: (token) => harness.send('POST', `${PATH}/suspend/confirm`, { body: { token } }).status,
  }
}

describe('suspension', () => {
  test('a token is used up by its use, by a newer one, by resuming, and by ten minutes', () => {
    const { isIngesting, token, confirm, done, clock } = guarded()
    const used = token()
    confirm(used)
    expect(confirm(used)).toBe(400)
    done('POST', `${PATH}/resume`)
    expect(confirm(used)).toBe(400)
    const older = token()
    const newer = token()
    expect(confirm(older)).toBe(400)
    done('POST', `${PATH}/resume`)
    expect(confirm(newer)).toBe(400)
    const late = token()
    clock.now += 600_000
    expect([confirm(late), isIngesting()]).toEqual([400, true])
    const inTime = token()
    clock.now += 599_999
    expect([confirm(inTime), isIngesting()]).toEqual([200, false])
  })
})
