import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { RawExchange } from '../../fixtures/recording/raw.ts'
import { rawBody, rawExchange } from '../../fixtures/testing/recording.ts'
import { shippedBinding } from '../../schemas/binding.ts'
import { GuardWait } from '../forward/gate.ts'
import { createAnnotator, Guard, PathJudge } from './guard.ts'

const NODE = '/v3/pipeline/5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10/transform/0f8fad5b-d9cb-469f-a165-70867728950e'
const JSON_TYPE = ['Content-Type', 'application/json']

function judge(strict = false, baseUrl = 'http://target.example.com'): PathJudge {
  const binding = { name: 'default', chain: ['default'], files: [shippedBinding('default')] }
  return new PathJudge({ binding, baseUrl, strict, key: Buffer.from('test') })
}

type Request = Parameters<Guard['request']>[0]
type Answer = Parameters<Guard['answer']>[2]
const request = (method: string, url: string): Request =>
  ({ method, url, httpVersion: '1.1', rawHeaders: ['Authorization', 'Token secret-token-1', ...JSON_TYPE] }) as Request
const answer = (statusCode: number): Answer =>
  ({ statusCode, statusMessage: '', rawHeaders: JSON_TYPE }) as unknown as Answer

test('a body of more than 1 MiB is not waited for, and is counted', () => {
  const guard = new Guard(judge())
  const wait = new GuardWait(guard)
  expect([wait.waitsFor(1 << 20), wait.waitsFor((1 << 20) + 1)]).toEqual([true, false])
  expect(guard.counts.unjudged).toBe(1)
})

describe('a request', () => {
  test('that conforms may pass, and so may one of which the specification knows nothing', () => {
    const guard = new Guard(judge())
    expect(guard.request(request('PUT', NODE), Buffer.from('{"title":"fine"}'))).toBeUndefined()
    expect(guard.request(request('PUT', '/v9/else'), Buffer.from('nonsense'))).toBeUndefined()
    expect(guard.request(request('GET', '/v1/enterprise/keys'), Buffer.alloc(0))).toBeUndefined()
    expect(guard.counts).toEqual({ refusedRequests: 0, refusedAnswers: 0, unjudged: 0 })
  })

  test.each([
    ['{"title":""}', 'NODE-TITLE-MIN', '/title'],
    ['{"deploy_type":"cloud"}', 'NODE-DEPLOY-TYPE-VALUES', '/deploy_type'],
    ['no JSON', 'REQUEST-BODY-JSON', ''],
  ])('%s is refused by name', (body, requirement, pointer) => {
    const guard = new Guard(judge())
    expect(guard.request(request('PUT', NODE), Buffer.from(body))).toMatchObject({
      status: 400,
      code: 'BadRequest',
      error: expect.stringContaining(requirement),
      more: { findings: [{ requirement, pointer }] },
    })
    expect(guard.counts.refusedRequests).toBe(1)
  })

  test.each([
    ['put', NODE],
    ['PUT', NODE.replace('pipeline', 'pip%65line')],
    ['PUT', NODE.replaceAll('/', '%2F').replace('%2F', '/')],
    ['PUT', NODE.replace('/transform', '//transform')],
    ['PUT', `${NODE};x=1/`],
    ['PUT', NODE.replace('/transform', ';a=b/./x/%2e%2e\\Transform')],
    ['Put', `http:/..${NODE}#x`],
  ])('is judged as what a target may take it for: %s %s', (method, url) => {
    const guard = new Guard(judge())
    expect(guard.request(request(method, url), Buffer.from('{"title":"fine"}'))).toBeUndefined()
    expect(guard.request(request(method, url), Buffer.from('{"title":""}'))?.error).toContain('NODE-TITLE-MIN')
    expect(guard.counts.unjudged).toBe(0)
  })

  test.each([
    ['{"title":"","title":"fine"}', 'NODE-TITLE-MIN'],
    ['{"title":"fine","title":""}', 'NODE-TITLE-MIN'],
    ['{"title":"a","t\\u0069tle":"","title":"b"}', undefined],
    ['{"title":"a","title":"b"}', undefined],
    ['{"user_config":{"a":1,"a":"\\"}"},"title":"a","title":"b","deploy_type":"cloud"}', 'NODE-DEPLOY-TYPE-VALUES'],
  ])('that names a field twice is judged by the first and by the last: %s', (body, requirement) => {
    const guard = new Guard(judge())
    const said = guard.request(request('PUT', NODE), Buffer.from(body))?.error
    if (requirement === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(requirement)
    expect(guard.counts.unjudged).toBe(0)
  })

  test('that is nested too deep to be looked into may pass, and is counted', () => {
    const guard = new Guard(judge())
    const deep = Buffer.from(`{"title":"","user_config":${'['.repeat(9_000)}${']'.repeat(9_000)}}`)
    expect(guard.request(request('PUT', NODE), deep)).toBeUndefined()
    expect(guard.answer(request('DELETE', '/v1/config/screen/9'), Buffer.alloc(0), answer(200), deep)).toBeUndefined()
    expect(guard.counts).toEqual({ refusedRequests: 0, refusedAnswers: 0, unjudged: 2 })
  })

  test('in a coding is looked into as it is without: too deep, it is counted', () => {
    const guard = new Guard(judge())
    const deep = `{"user_config":${'['.repeat(9_000)}${']'.repeat(9_000)}}`
    const coded = { ...request('PUT', NODE), rawHeaders: [...JSON_TYPE, 'Content-Encoding', 'gzip'] } as Request
    expect(guard.request(coded, gzipSync(deep))).toBeUndefined()
    expect(guard.request(coded, gzipSync('{"title":"fine"}'))).toBeUndefined()
    expect(guard.counts.unjudged).toBe(1)
  })

  test('is known by its path as the client sends it, also where the base URL carries one', () => {
    const guard = new Guard(judge(false, 'http://target.example.com/base'))
    expect(guard.request(request('PUT', NODE), Buffer.from('{"title":""}'))?.status).toBe(400)
  })
})

describe('an answer', () => {
  const screen = request('DELETE', '/v1/config/screen/9')
  test('that conforms may pass; so may an error, and what is only implied', () => {
    const guard = new Guard(judge())
    const say = (status: number, body: string) =>
      guard.answer(screen, Buffer.alloc(0), answer(status), Buffer.from(body))
    expect(say(200, '{"deleted":true}')).toBeUndefined()
    expect(say(503, 'busy')).toBeUndefined()
    expect(say(200, '{"deleted":false}')).toBeUndefined()
  })

  test('that breaks what is stated becomes a 502 that names it; what is implied does so under --strict', () => {
    const guard = new Guard(judge())
    expect(guard.answer(screen, Buffer.alloc(0), answer(200), Buffer.from('{"deleted":"yes"}'))).toMatchObject({
      status: 502,
      code: 'BadGateway',
      more: { findings: [{ requirement: 'SCREEN-RESULT-DELETED-TYPE' }] },
    })
    expect(guard.counts.refusedAnswers).toBe(1)
    const strict = new Guard(judge(true))
    expect(strict.answer(screen, Buffer.alloc(0), answer(200), Buffer.from('{"deleted":false}'))?.status).toBe(502)
  })
})

describe('an annotation', () => {
  /** An exchange under way: the head of its answer is there. */
  const underWay = (body: string, status: number, cut = false): RawExchange =>
    rawExchange(`PUT ${NODE}`, {
      requestHeaders: JSON_TYPE,
      requestBody: { ...rawBody(body), cut },
      status,
      responseHeaders: [],
      responseBody: rawBody(),
      outcome: 'interrupted',
    })

  test('names what the request breaks, each once', () => {
    const annotate = createAnnotator(judge())
    expect(annotate(underWay('{"title":"<","description":""}', 400))).toEqual([
      'Assay-Findings',
      'NODE-TITLE-PATTERN, NODE-DESCRIPTION-MIN',
    ])
  })

  test('names what the status breaks', () => {
    expect(createAnnotator(judge())(underWay('{"title":"a"}', 201))?.[1]).toMatch(/STATUS/)
  })

  test('says nothing of what conforms, nor of a request that is not known whole', () => {
    const annotate = createAnnotator(judge())
    expect(annotate(underWay('{"title":"a"}', 200))).toBeUndefined()
    expect(annotate(underWay('{"title":"<"', 200, true))).toBeUndefined()
  })
})

test('a body that is few bytes and becomes very many is not judged: all that passes would wait for it', () => {
  const requestHeaders = [...JSON_TYPE, 'Content-Encoding', 'br']
  const requestBody = rawBody(brotliCompressSync(JSON.stringify({ title: ' '.repeat(8 << 20) })))
  const { list, unread } = judge().violations(rawExchange(`PUT ${NODE}`, { requestHeaders, requestBody }))
  expect({ list, unread }).toEqual({ list: [], unread: true })
})
