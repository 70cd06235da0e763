import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { served, session } from '../../fixtures/testing.ts'
import { referenceBinding } from '../../rules/testing.ts'
import type { Credentials } from '../../schemas/types/config.ts'
import { type Preflight, preflight } from './preflight.ts'

const CLAIMED = ['enterprise-keys', 'usage-by-tag', 'pipelines', 'preset-alerts', 'screen-removal']
const ALL: Credentials = { accessToken: 'token', serviceKey: 'service', enterpriseServiceKey: 'enterprise' }

function look(url: string, credentials = ALL, waited: number[] = [], more: string[] = []): Promise<Preflight> {
  return preflight({
    session: session(url, { timeoutMs: 500 }),
    binding: referenceBinding(),
    credentials,
    claimed: new Set([...CLAIMED, ...more]),
    now: () => 1_700_000_000_000,
    sleep: async (milliseconds) => waited.push(milliseconds),
  })
}
const http = async (handler: RequestListener, credentials = ALL): Promise<Preflight> =>
  look(await served(handler), credentials)
const always =
  (status: number, type: string, body: string, more: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': type, ...more }).end(body)

describe('a target that cannot be tested', () => {
  test.each<[string, RequestListener, string]>([
    ['400', always(400, 'application/json', '{}'), 'the target answers 400 to everything'],
    ['404', always(404, 'application/json', '{}'), 'the target answers 404 to everything'],
    ['500', always(500, 'application/json', '{}'), 'the target answers 500 to everything'],
    ['429', always(429, 'application/json', '{}', { 'Retry-After': '0' }), 'the target answers 429 to everything'],
    ['an HTML error', always(404, 'text/html; charset=utf-8', '<p>'), 'the target answers 404 text/html to everything'],
    [
      'HTML',
      always(200, 'text/html', '<p>'),
      'the target answers 200 text/html to paths that do not exist and to requests without credentials, so an accepted request means nothing',
    ],
    [
      '200',
      always(200, 'application/json', '[]'),
      'the target answers 200 to paths that do not exist and to requests without credentials, so an accepted request means nothing',
    ],
    [
      '401 where there is something',
      ({ url }, response) => response.writeHead(url?.includes('assay-preflight') ? 404 : 401).end(),
      'credentials.accessToken, credentials.enterpriseServiceKey and credentials.serviceKey work nowhere: refused by list-enterprise-keys 401, list-usage-by-tag 401, list-pipelines 401 and 4 more',
    ],
  ])('because it answers %s says so in one line', async (_, handler, failure) => {
    const found = await http(handler)
    expect(found.failure).toBe(failure)
    expect(found.hint.length).toBeGreaterThan(20)
  })

  test('because it fails every time is asked a few more times', async () => {
    const waited: number[] = []
    const { failure } = await look(await served(always(500, 'application/json', '{}')), ALL, waited)
    expect(failure).toBe('the target answers 500 to everything')
    expect(waited).toEqual(Array(6).fill(100))
  })

  test.each<[string, string | undefined, number[]]>([
    ['asks for a minute each time: nothing is waited for', '60', []],
    ['asks for a second each time: a few seconds in all', '1', [1000, 1000, 1000, 1000]],
    ['does not say for how long: a few seconds in all', undefined, [1000, 1000, 1000, 1000]],
    ['asks for nothing: each request is sent a few times', '0', Array(18).fill(0)],
  ])('because it puts everything off and %s', async (_, wish, expected) => {
    const waited: number[] = []
    const answer = always(429, 'application/json', '{}', wish === undefined ? {} : { 'Retry-After': wish })
    const { failure, hint } = await look(await served(answer), ALL, waited)
    expect(failure).toBe('the target answers 429 to everything')
    expect(hint).toContain('preflight waits 4 s in all')
    expect(waited).toEqual(expected)
  })

  test('because its reads hang: two are enough to know', async () => {
    const asked: string[] = []
    const { failure } = await http(({ url = '' }, response) => {
      asked.push(url)
      if (url.includes('assay-preflight')) response.writeHead(404).end()
    })
    expect(failure).toBe('no read succeeds: 404, nothing whole (timeout)')
    expect(asked).toHaveLength(3)
  })

  test('because it hangs', async () => {
    const { failure, hint } = await http(() => undefined)
    expect(failure).toMatch(/^no response within \d+ ms$/)
    expect(hint).toContain('--timeout')
  })
  test('because it begins each answer with 100 Continue, which is told apart from what is no HTTP', async () => {
    const { failure, hint } = await http((_, response) => {
      response.writeContinue()
      setTimeout(() => response.writeHead(404).end(), 10)
    })
    expect(failure).toBe('the target sends 100 Continue before its response, without being asked')
    expect(hint).toContain('the HTTP client of Node does not take it')
  })
  test.each([
    ['closes in mid-body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a', /^[^(]+\(truncated: [^\n]+\)$/],
    ['closes without a word', '', /^[^(]+\(reset: [^\n]+\)$/],
    ['speaks another protocol', 'SSH-2.0-nonsense\r\n', /^the response broke off or is not HTTP/],
    [
      'sends more than anybody wants',
      `HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(2 << 20)}`,
      /^[^(]+ is endless .*1048576 bytes/,
    ],
  ])('because it %s', async (_, text, said) => {
    const server = createServer((socket) => socket.once('data', () => socket.end(text)))
    expect((await look(await served(server))).failure).toMatch(said)
  })
  test('because it leads elsewhere, where nobody follows', async () => {
    const asked = new Set<string | undefined>()
    const { failure, hint } = await http(({ url }, response) => {
      asked.add(url)
      response.writeHead(302, { Location: '/login' }).end()
    })
    expect(failure).toBe('the target answers 302 to everything')
    expect(hint).toMatch(/^redirects are not followed/)
    expect(asked).not.toContain('/login')
  })
  test('because nobody listens', async () => {
    expect((await look('http://127.0.0.1:1')).failure).toMatch(/^no connection \(.*ECONNREFUSED/)
  })
  test('because what it is asked over TLS does not speak it: the address that may is told', async () => {
    const url = await served(() => undefined)
    const { failure, hint } = await look(url.replace('http:', 'https:'))
    expect(failure).toMatch(/^no connection \([^:]*: wrong version number\)$/)
    expect(hint).toBe(`it does not seem to speak TLS there: write ${url}`)
  })
})

/** Every read is answered with an empty list where `allowed` says so; paths that do not exist with 404. */
const good =
  (allowed: (headers: Readonly<Record<string, unknown>>, url: string) => number): RequestListener =>
  (request, response) => {
    const { headers, url = '' } = request
    response
      .writeHead(url.includes('assay-preflight') ? 404 : allowed(headers, url), { 'Content-Type': 'application/json' })
      .end('[]')
  }
const known = (headers: Readonly<Record<string, unknown>>): boolean =>
  ['authorization', 'servicekey', 'enterprise-servicekey'].some((name) => headers[name] !== undefined)

describe('a target that can be tested', () => {
  test('may put a request off: it is asked again when it said', async () => {
    let count = 0
    const found = await http((request, response) => {
      count += 1
      if (count % 3 === 0) return void response.writeHead(429, { 'Retry-After': '0' }).end()
      good((headers) => (known(headers) ? 200 : 401))(request, response)
    })
    expect(found).toMatchObject({ failure: undefined, unfit: [], notes: [] })
  })
  test.each<[string, RequestListener]>([
    ['fails', (_, response) => response.writeHead(500).end()],
    ['hangs up', ({ socket }) => socket.destroy()],
    [
      'breaks off',
      (_, response) => void response.writeHead(200, { 'Content-Length': '9' }).write('[', () => response.destroy()),
    ],
  ])('may have a bad moment, in which it %s', async (_, bad) => {
    let count = 0
    const found = await http((request, response) => {
      count += 1
      if (count === 1 || count === 4) return void bad(request, response)
      good((headers) => (known(headers) ? 200 : 401))(request, response)
    })
    expect(found).toMatchObject({ failure: undefined, unfit: [], notes: [] })
  })
  test('passes without a word', async () => {
    const found = await http(good((headers) => (known(headers) ? 200 : 401)))
    expect(found).toMatchObject({
      failure: undefined,
      hint: '',
      enterprise: 'alone',
      unfit: [],
      notes: [],
    })
  })
  test('may have a page for unknown paths, as long as it looks at credentials', async () => {
    const found = await http(({ headers, url }, response) => {
      const unknown = url?.includes('assay-preflight') === true
      response.writeHead(unknown || known(headers) ? 200 : 401).end('[]')
    })
    expect(found.failure).toBeUndefined()
  })
  test('may want a second key beside that of the enterprise', async () => {
    const both = (headers: Readonly<Record<string, unknown>>): boolean => headers.authorization !== undefined
    const found = await http(
      good((headers, url) => (url.includes('/enterprise/') && !both(headers) ? 403 : known(headers) ? 200 : 401)),
    )
    expect(found).toMatchObject({ failure: undefined, enterprise: 'both' })
  })
  test.each([404, 405, 501])('may answer %i to what only the binding knows: that is left out', async (status) => {
    const found = await http(
      good((headers, url) => (url.startsWith('/v1/config/screen') ? status : known(headers) ? 200 : 401)),
    )
    expect(found).toMatchObject({ failure: undefined, unfit: ['list-screens'] })
    expect(found.notes).toHaveLength(1)
  })
  test('may redirect some reads: that is told, with what to set', async () => {
    const found = await http(
      good((headers, url) => (url.startsWith('/v1/config/screen') ? 308 : known(headers) ? 200 : 401)),
    )
    expect(found).toMatchObject({ failure: undefined, unfit: [] })
    expect(found.notes).toEqual([
      'list-screens (GET /v1/config/screen) is redirected to nowhere (308): redirects are not followed; write the paths in the binding as the target has them',
    ])
  })
  test('may refuse a right service key in one place: the suites will tell', async () => {
    const closed = (url: string): boolean => url.startsWith('/v1/usage/tags')
    const found = await http(
      good((headers, url) => (known(headers) && !(headers.servicekey !== undefined && closed(url)) ? 200 : 401)),
    )
    expect(found).toMatchObject({ failure: undefined, notes: [] })
  })
  test('is not sent lines with an ingestion key, which would not be harmless: that is told', async () => {
    const found = await http(good(takes({})), { ...ALL, ingestionKey: 'lines' })
    expect(found).toMatchObject({ failure: undefined, notes: [expect.stringContaining('ingestionKey is not checked')] })
  })
  test('may want a credential that is not configured: that is told, and the rest is run', async () => {
    const found = await http(good(takes({})), { serviceKey: 'service' })
    expect(found.failure).toBeUndefined()
    expect(found.notes).toEqual([
      'no accessToken is configured: requests without it are refused by list-pipelines 401; requirements that need it are skipped',
      'no enterpriseServiceKey is configured: requests without it are refused by list-enterprise-keys 401; requirements that need it are skipped',
    ])
  })
})

type Family = 'v1' | 'v2' | 'v3' | 'enterprise'
type Refusals = Readonly<Partial<Record<keyof typeof HEADERS, Partial<Record<Family, number>>>>>
const HEADERS = {
  accessToken: ['authorization', /^Token token$/],
  iam: ['authorization', /^Bearer iam$/],
  serviceKey: ['servicekey', /^service$/],
  enterpriseServiceKey: ['enterprise-servicekey', /^enterprise$/],
} as const

/** Takes the right credentials, but for those that `refusals` names, with the status given there. */
const takes =
  (refusals: Refusals) =>
  (headers: Readonly<Record<string, unknown>>, url: string): number => {
    const family: Family = url.includes('/enterprise/') ? 'enterprise' : (url.slice(1, 3) as Family)
    const belongs = (field: keyof typeof HEADERS): boolean =>
      field === 'enterpriseServiceKey' ? family === 'enterprise' : field !== 'serviceKey' || family !== 'v3'
    for (const field of Object.keys(HEADERS) as (keyof typeof HEADERS)[]) {
      const [name, right] = HEADERS[field]
      if (!right.test(String(headers[name])) || !belongs(field)) continue
      if (family === 'enterprise' && field !== 'enterpriseServiceKey') continue
      return refusals[field]?.[family] ?? 200
    }
    return 401
  }

describe('a credential', () => {
  test.each<[what: string, credentials: Credentials, refusals: Refusals, failure: string | undefined]>([
    [
      'that is wrong beside a right service key is named',
      { ...ALL, accessToken: 'wrong' },
      {},
      'credentials.accessToken works nowhere: refused by list-usage-by-tag 401, list-pipelines 401, list-preset-alerts 401 and 6 more',
    ],
    [
      'that everything refuses with 403 is named',
      ALL,
      { serviceKey: { v1: 403, v2: 403 } },
      'credentials.serviceKey works nowhere: refused by list-usage-by-tag 403, list-preset-alerts 403, list-screens 403 and 3 more',
    ],
    [
      'that the only operation of its family refuses is named',
      { ...ALL, enterpriseServiceKey: 'wrong' },
      {},
      'credentials.enterpriseServiceKey works nowhere: refused by list-enterprise-keys 401',
    ],
    ['that one family refuses and another takes is left to the rules', ALL, { accessToken: { v1: 401 } }, undefined],
    ['that v3 alone refuses is left to the rules', ALL, { accessToken: { v3: 403 } }, undefined],
    ['that v1 refuses and v2 takes is left to the rules', ALL, { serviceKey: { v1: 401 } }, undefined],
    ['that is refused once with 403 may lack a right', ALL, { enterpriseServiceKey: { enterprise: 403 } }, undefined],
    [
      'of IAM, which is all there is, is named with its gap',
      { iam: { token: 'wrong' } },
      {},
      'credentials.iam works nowhere: refused by list-usage-by-tag 401, list-pipelines 401, list-preset-alerts 401 and 6 more',
    ],
    ['of IAM may be all there is', { iam: { token: 'iam' } }, {}, undefined],
    [
      'that is not there is not called refused',
      {},
      {},
      'no accessToken is configured: requests without it are refused by list-usage-by-tag 401, list-pipelines 401, list-preset-alerts 401 and 2 more',
    ],
  ])('%s', async (_, credentials, refusals, failure) => {
    const found = await look(await served(good(takes(refusals))), credentials, [], ['usage-v2'])
    expect(found.failure).toBe(failure)
  })

  test('that one family refuses is told of', async () => {
    const found = await http(good(takes({ accessToken: { v3: 403 } })))
    expect(found).toMatchObject({
      failure: undefined,
      notes: [
        'credentials.accessToken is refused by v3 operations: list-pipelines 403, list-gateway-routes 403, list-groups 403',
      ],
    })
  })

  test('is tried on few reads, and on one where it works', async () => {
    const asked: string[] = []
    const url = await served((request, response) => {
      const { servicekey } = request.headers
      if (servicekey !== undefined) asked.push(request.url ?? '')
      good(takes({}))(request, response)
    })
    await look(url, ALL, [], ['usage-v2'])
    expect(asked.map((url) => url.split('?')[0])).toEqual(['/v1/usage/tags', '/v2/usage'])
  })
})
