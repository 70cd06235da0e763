import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Capture } from '../../fixtures/recording/capture.ts'
import type { RawExchange } from '../../fixtures/recording/raw.ts'
import type { BodyStore } from '../../fixtures/segments/bodies.ts'
import { DEFAULT as binding, recorderOf } from '../../fixtures/testing/recording.ts'
import { createOracle } from '../../rules/oracle.ts'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { unpack } from '../fast/packing.ts'
import { Queue, type QueueCounts, type QueueOptions, type ToRecorder } from '../tee/queue.ts'
import { createTee } from '../tee/tee.ts'
import type { TrafficFinding } from './findings.ts'
import { Recorder, type RecorderSummary } from './recorder.ts'

const REQUEST = { method: 'GET', url: '/', httpVersion: '1.1', rawHeaders: [], socket: {} } as unknown as Parameters<
  ReturnType<typeof createTee>
>[0]

interface Run {
  pass(given: {
    method?: string
    url?: string
    headers?: string[]
    sent?: readonly Buffer[]
    status?: number
    answerHeaders?: string[]
    received?: readonly Buffer[]
  }): void
  readonly exchanges: Exchange[]
  readonly findings: TrafficFinding[]
  /** why nothing was judged at each exchange */
  readonly unjudged: string[]
  counts(): QueueCounts
  end(): Promise<RecorderSummary>
}

/**
 * Tee, queue and recorder in one thread; messages are cloned as they are for another thread. `acknowledged`: the
 * recorder keeps up.
 */
function run(
  {
    acknowledged = true,
    maxBody = 1 << 20,
    bodies,
    ...bounds
  }: Partial<QueueOptions> & { acknowledged?: boolean; maxBody?: number; bodies?: BodyStore } = {},
  failure?: { readonly problems: string[]; readonly lost: number[]; readonly failing: string },
): Run {
  const exchanges: Exchange[] = []
  const findings: TrafficFinding[] = []
  const unjudged: string[] = []
  const { oracle, createJudge } = createOracle({ binding, basePath: '', settleMs: 0 })
  const recorder = new Recorder({
    binding,
    capture: failingAt(
      failure?.failing,
      recorderOf({
        baseUrl: 'http://target.example.com',
        credentials: new Map([['right-token', 'access-token']]),
        bodies,
      }),
    ),
    bodies,
    writer: failure && {
      append() {},
      lost: (count) => failure.lost.push(count),
      close: () => Promise.resolve({ exchanges: 0, lost: 0, bytes: 0, segments: [], cleaned: [], problems: [] }),
    },
    onProblem: (message) => failure?.problems.push(message),
    judge: createJudge(),
    ledger: oracle.ledger,
    strict: false,
    onExchange(exchange, _, why) {
      exchanges.push(exchange)
      unjudged.push(why)
    },
    onFinding: (finding) => findings.push(finding),
  })
  const post = (given: ToRecorder, transfer: readonly ArrayBuffer[]): void => {
    const message = structuredClone(given, { transfer: [...transfer] })
    if (message.type === 'exchanges') for (const raw of unpack(message.packed)) recorder.exchange(raw)
    if (message.type === 'parts') {
      for (const { at, length, ...part } of message.parts) {
        recorder.part({ ...part, bytes: new Uint8Array(message.memory, at, length) })
      }
    }
    if ('weight' in message && acknowledged) queue.acknowledge(message.weight, message.type)
  }
  const queue = new Queue({ post, mostBytes: 1 << 24, batch: 3, delayMs: 5, ...bounds })
  let time = 1_000
  const tee = createTee({
    sink: queue,
    session: 's',
    maxBody,
    now: () => {
      time += 0.5
      return time
    },
  })
  const socket = {}
  return {
    pass({ method = 'GET', url = '/', headers = [], sent = [], status = 200, answerHeaders = [], received = [] }) {
      const request = { method, url, httpVersion: '1.1', rawHeaders: headers, socket }
      const observer = tee(request as unknown as Parameters<typeof tee>[0])
      for (const chunk of sent) observer.requestData(chunk)
      observer.answerHead(status, 'Fine', answerHeaders)
      for (const chunk of received) observer.answerData(chunk)
      observer.done('complete', undefined, ['X-Sum', '1'])
    },
    exchanges,
    findings,
    unjudged,
    counts: () => queue.counts(),
    end() {
      queue.close()
      return recorder.end()
    },
  }
}

function failingAt(id: string | undefined, capture: Capture): Pick<Capture, 'capture' | 'key'> {
  return {
    key: capture.key,
    capture(raw) {
      if (raw.id === id) throw new Error('planned')
      return capture.capture(raw)
    },
  }
}

const JSON_TYPE = ['Content-Type', 'application/json']
const LINE = { _id: '1', _ts: 1_700_000_000_000, _host: 'h', _app: 'a', _line: 'x'.repeat(100) }
const page = (count: number): string =>
  JSON.stringify({
    lines: Array.from({ length: count }, (_, index) => ({ ...LINE, _id: String(index) })),
    pagination_id: 'next',
  })
const pieces = (body: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(body.length / size) }, (_, index) => body.subarray(index * size, (index + 1) * size))

test('what is not judged says why', async () => {
  const one = run()
  one.pass({ url: '/health' })
  one.pass({ url: '/v1/config/view', answerHeaders: JSON_TYPE, received: [Buffer.from('[]')] })
  await one.end()
  expect(one.unjudged).toEqual([
    'path not in the binding',
    'nothing before or behind it shows whether its response is right',
  ])
})

describe('what the tee takes down', () => {
  test('arrives with every word, number and byte, in the order of completion', async () => {
    const one = run()
    for (let index = 0; index < 7; index += 1) {
      one.pass({
        method: 'PUT',
        url: `/v1/thing/${index}?a=all`,
        headers: ['X-A', '1', 'x-a', '', 'Authorization', 'Token right-token', ...JSON_TYPE],
        sent: [Buffer.from(`{"n":`), Buffer.from(`${index}}`)],
        answerHeaders: [...JSON_TYPE, 'X-B', '\xb7'],
        received: [Buffer.from(`[${index}`), Buffer.from(']')],
      })
    }
    const { counts } = await one.end()
    expect(counts).toMatchObject({ exchanges: 7, cut: 0, incomplete: 0 })
    expect(one.exchanges.map(({ _id }) => _id)).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `s-00000000${number}`))
    expect(one.exchanges[4]).toMatchObject({
      _start: 1004.5,
      _end: 1005,
      _outcome: 'complete',
      _connection: 1,
      _credentials: [{ scheme: 'access-token', state: 'configured' }],
      request: {
        method: 'PUT',
        url: 'http://target.example.com/v1/thing/4?a=all',
        httpVersion: 'HTTP/1.1',
        postData: { text: '{"n":4}' },
      },
      response: {
        status: 200,
        statusText: 'Fine',
        headers: [{ name: 'Content-Type' }, { name: 'X-B', value: '\xb7' }],
        content: { text: '[4]' },
        _trailers: [{ name: 'X-Sum', value: '1' }],
      },
    })
    expect(one.exchanges[4]?.request.headers.slice(0, 2)).toEqual([
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: '' },
    ])
  })

  test('is judged: an answer that breaks a stated rule is a failure', async () => {
    const one = run()
    one.pass({
      url: '/v1/enterprise/keys',
      headers: ['enterprise-servicekey', 'k'],
      answerHeaders: JSON_TYPE,
      received: [
        Buffer.from(JSON.stringify([{ id: '1', key: 'k', name: 'n'.repeat(31), type: 'service', created: 1 }])),
      ],
    })
    const { counts, findings } = await one.end()
    expect(findings).toMatchObject([{ requirement: 'KEY-NAME-MAX', failure: true, count: 1 }])
    expect(counts.failures).toBe(1)
    expect(one.findings[0]?.exchanges).toEqual(['s-000000001'])
  })
})

test('an exchange that cannot be dealt with is lost alone, and said', async () => {
  const problems: string[] = []
  const lost: number[] = []
  const one = run({ acknowledged: true }, { problems, lost, failing: 's-000000002' })
  for (let index = 0; index < 4; index += 1) one.pass({})
  await one.end()
  expect(one.exchanges.map(({ _id }) => _id)).toEqual(['s-000000001', 's-000000003', 's-000000004'])
  expect(problems).toEqual(['s-000000002 could not be recorded: planned'])
  expect(lost).toEqual([1])
})

describe('a body over the limit', () => {
  test('keeps its beginning, its length and its hash', async () => {
    const one = run({ maxBody: 1_000 })
    const body = Buffer.from('about '.repeat(50_000))
    one.pass({ answerHeaders: ['Content-Type', 'text/plain'], received: pieces(body, 7_777) })
    const { counts } = await one.end()
    const { createHmac } = await import('node:crypto')
    expect(one.exchanges[0]?.response).toMatchObject({
      bodySize: body.length,
      content: {
        size: body.length,
        _cut: true,
        _sha256: createHmac('sha256', Buffer.from('k')).update(body).digest('hex'),
      },
    })
    const kept = one.exchanges[0]?.response.content.text ?? ''
    expect(kept.length).toBeGreaterThan(900)
    expect(body.toString().startsWith(kept)).toBe(true)
    expect(counts).toMatchObject({ cut: 1, unfollowed: 0 })
  })

  test.each([
    ['a text, kept whole', 'about '.repeat(50_000), 'name', { whole: 1, cut: 0 }],
    ['a text that the disk does not take', 'about '.repeat(50_000), undefined, { whole: 0, cut: 1 }],
    ['nested too deep', '['.repeat(9_000) + ']'.repeat(9_000), 'name', { whole: 0, cut: 1 }],
  ])('that is %s is counted by what is written of it', async (_, body, name, expected) => {
    const one = run({ maxBody: 1_000, bodies: { put: () => name } })
    one.pass({ answerHeaders: ['Content-Type', 'text/plain'], received: pieces(Buffer.from(body), 7_777) })
    expect((await one.end()).counts).toMatchObject(expected)
  })

  test.each([
    ['as it is', false],
    ['in gzip', true],
  ])('that is a page of an export, %s, keeps a digest of every line and its own form', async (_, coded) => {
    const one = run({ maxBody: 1_000 })
    const text = page(5_000)
    const body = coded ? gzipSync(text) : Buffer.from(text)
    one.pass({
      url: '/v2/export?from=0&to=0',
      answerHeaders: [...JSON_TYPE, ...(coded ? ['Content-Encoding', 'gzip'] : [])],
      received: pieces(body, 999),
    })
    await one.end()
    const [exchange] = one.exchanges
    expect(exchange?._digest?.received).toMatchObject({ count: 5_000, unreadable: 0 })
    expect(exchange?.response.content._cut).toBe(true)
    const kept = JSON.parse(exchange?.response.content.text ?? '') as { lines: object[]; pagination_id: string }
    expect(kept.lines.length).toBe(3)
    expect(kept.pagination_id).toMatch(/^[a-z]{4}$/)
    expect(one.findings).toEqual([])
  })

  test('that is an export of JSONL keeps a digest of every line', async () => {
    const one = run({ maxBody: 1_000 })
    const rows = Buffer.from(Array.from({ length: 5_000 }, () => `${JSON.stringify(LINE)}\n`).join(''))
    one.pass({
      url: '/v1/export?from=0&to=0',
      answerHeaders: ['Content-Type', 'application/jsonl'],
      received: pieces(rows, 4_096),
    })
    await one.end()
    expect(one.exchanges[0]?._digest?.received).toMatchObject({ count: 5_000, unreadable: 0 })
    expect(one.findings).toEqual([])
  })

  test('that exports more lines than any plan grants is judged by their number, and keeps no list of them', async () => {
    const one = run({ maxBody: 1_000 })
    const rows = Buffer.from(
      Array.from({ length: 120_000 }, (_, index) => `{"_line":"${index}","_ts":${index}}\n`).join(''),
    )
    one.pass({
      url: '/v1/export?from=1&to=2',
      answerHeaders: ['Content-Type', 'application/jsonl'],
      received: pieces(rows, 65_536),
    })
    await one.end()
    expect(one.exchanges[0]?._digest?.received).toMatchObject({ count: 120_000, folded: { times: 'rising' } })
    expect(one.findings.map(({ requirement, actual }) => [requirement, actual])).toEqual([
      ['EXPORT-V1-CAP', '120000 lines'],
    ])
  })

  test('that nobody could follow to its end says so, and is blamed for nothing', async () => {
    const one = run({ maxBody: 1_000, mostBytes: 300_000, acknowledged: false })
    one.pass({ url: '/v2/export?from=0', answerHeaders: JSON_TYPE, received: pieces(Buffer.from(page(5_000)), 10_000) })
    const { counts } = await one.end()
    expect(counts).toMatchObject({ cut: 1, unfollowed: 1 })
    expect(one.counts().unfollowed).toBe(1)
    expect(one.exchanges[0]?.response.content).not.toHaveProperty('_sha256')
    expect(one.findings).toEqual([])
  })
})

describe('a recorder that is behind', () => {
  test('first costs bodies their ends, then exchanges, and everything is counted', async () => {
    const one = run({ acknowledged: false, mostBytes: 400_000 })
    for (let index = 0; index < 40; index += 1) {
      one.pass({ answerHeaders: ['Content-Type', 'text/plain'], received: [Buffer.from('abc '.repeat(10_000))] })
    }
    const { counts } = await one.end()
    const queue = one.counts()
    expect(queue.cut).toBeGreaterThan(5)
    expect(queue.dropped).toBeGreaterThan(1)
    expect(queue.taken + queue.dropped).toBe(40)
    expect(queue.waiting).toBeLessThanOrEqual(400_000)
    expect(counts.exchanges).toBe(queue.taken)
    const cut = one.exchanges.filter(({ response }) => response.content._cut === true)
    expect(cut.length).toBe(counts.cut)
    expect(cut[0]?.response.content).toMatchObject({ size: 40_000, _sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(cut[0]?.response.content.text?.length).toBeLessThanOrEqual(4_096)
  })

  test('a body that says it is too long is cut as soon as its beginning is there', () => {
    const parts: number[] = []
    const sink = {
      exchange: () => {},
      part: (_: unknown, __: unknown, chunks: readonly Buffer[]) => parts.push(chunks.length),
    }
    const observer = createTee({ sink, session: 's', maxBody: 1 << 20, now: () => 0 })(REQUEST)
    observer.answerHead(200, '', ['content-length', String(1 << 21)])
    for (let turn = 0; turn < 8; turn += 1) observer.answerData(Buffer.alloc(1 << 14))
    expect(parts).toEqual([5, 1, 1, 1])
  })

  test('so many bodies at once that they would take too much memory are cut earlier', () => {
    let bytes = 0
    let cut = 0
    const sink = {
      exchange: ({ responseBody }: RawExchange) => {
        bytes -= responseBody.kept.length
        if (responseBody.cut) cut += 1
      },
      part: () => {},
    }
    const tee = createTee({ sink, session: 's', maxBody: 1 << 20, mostHeld: 1 << 22, now: () => 0 })
    const observers = Array.from({ length: 200 }, () => tee(REQUEST))
    for (let turn = 0; turn < 50; turn += 1) for (const one of observers) one.answerData(Buffer.alloc(1 << 14))
    for (const one of observers) one.done('complete', undefined, [])
    expect(cut).toBeGreaterThan(190)
    expect(-bytes).toBeLessThan((1 << 23) + 200 * 4_096)
    const after = tee(REQUEST)
    for (let turn = 0; turn < 50; turn += 1) after.answerData(Buffer.alloc(1 << 14))
    after.done('complete', undefined, [])
    expect(cut).toBeLessThanOrEqual(200)
  })

  test('memory is bounded however long the bodies are', () => {
    const one = run({ acknowledged: false, mostBytes: 1 << 20, maxBody: 1_000 })
    const chunk = randomBytes(1 << 16)
    one.pass({ received: Array.from({ length: 200 }, () => chunk) })
    expect(one.counts().waiting).toBeLessThanOrEqual(1 << 20)
  })
})
