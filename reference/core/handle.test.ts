import { describe, expect, test } from 'vitest'
import { routes } from '../routes.ts'
import { createApp } from '../server.ts'
import { CREDENTIALS, countingIds, createHarness, ENTERPRISE, requestOf, settled } from '../testing/harness.ts'

describe('handle', () => {
  test('the same state, request and environment give the same answer and the same state', () => {
    const clock = { now: Date.UTC(2026, 0, 2) }
    const app = createApp({ now: () => clock.now, newId: countingIds(), credentials: CREDENTIALS })
    const requests = [
      requestOf('POST', '/v3/pipeline', { body: { title: 'one' } }),
      requestOf('POST', '/v1/config/presetalert', { body: { name: 'two', channels: [] } }),
      requestOf('POST', '/v1/config/screen', { body: { title: 'three' } }),
      requestOf('DELETE', '/v1/config/members/admin@example.com'),
      requestOf('DELETE', '/v1/config/members/owner@example.com'),
      requestOf('GET', '/v1/enterprise/keys', { headers: ENTERPRISE }),
      requestOf('GET', '/v1/usage/tags?from=1767225600&to=1767312000'),
      requestOf('GET', '/v3/nothing'),
    ]
    const before = structuredClone(app.state)
    const run = (state: typeof before): unknown[] => {
      const env = { ...app.env, newId: countingIds() }
      return requests.map((request) => settled(app.handle(state, request, env), clock))
    }
    const first = run(app.state)
    expect(run(before)).toEqual(first)
    expect(before).toEqual(app.state)
  })

  test('requests that are refused leave the state as it was', () => {
    const { app, send, make } = createHarness()
    const pipeline = make('/v3/pipeline', { title: 'one' })
    const before = structuredClone(app.state)
    for (const { method, path, access } of routes) {
      const url = path
        .replace('{pipeline_id}', pipeline)
        .replace('{email}', 'owner@example.com')
        .replaceAll(/\{.+?\}/g, 'nothing')
      const headers: Record<string, string> = access === 'enterprise' ? ENTERPRISE : {}
      expect(send(method, url, { headers: { ...headers, authorization: 'Token wrong' }, body: 7 }).status).not.toBe(500)
      if (access !== 'enterprise') expect(send(method, url, { headers: {} }).status).toBe(401)
    }
    expect(app.state).toEqual(before)
  })

  test('every operation without a credential is answered with 401 and NotAuthorized', () => {
    const { send } = createHarness()
    for (const { method, path, errors } of routes) {
      const answer = send(method, path.replaceAll(/\{.+?\}/g, 'x'), { headers: {} })
      expect([path, answer.status, answer.at('/code')]).toEqual([path, 401, 'NotAuthorized'])
      expect(answer.at('/status')).toBe(errors === 'bare' ? undefined : 'error')
    }
  })

  test('operation ids are unique, and so are method and path', () => {
    expect(new Set(routes.map(({ operation }) => operation)).size).toBe(routes.length)
    expect(new Set(routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{.+?\}/g, '*')}`)).size).toBe(
      routes.length,
    )
  })

  test('an unknown path is answered with 404, a known one with another method with 405 and the methods it takes', () => {
    const { send } = createHarness()
    expect(send('GET', '/v1/config/nothing')).toMatchObject({
      status: 404,
      json: { code: 'NotFound', status: 'error' },
    })
    expect(send('GET', '/v3/nothing')).toMatchObject({ status: 404, json: { code: 'NotFound', status: 404 } })
    const answer = send('PATCH', '/v1/config/screen')
    expect(answer.status).toBe(405)
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['GET', 'POST'])
  })

  test('a literal segment wins over a placeholder', () => {
    const { send } = createHarness()
    expect(send('GET', '/v3/pipeline/gateway-route').at('/meta/type')).toBe('gateway-route')
    expect(send('GET', '/v3/pipeline/elsewhere').status).toBe(404)
  })

  test.each([
    ['no body', ''],
    ['cut JSON', '{"title":'],
    ['two values', '{} {}'],
    ['a bare word', 'title'],
  ])('%s is refused with 400', (_, text) => {
    const { send } = createHarness()
    const answer = send('POST', '/v3/pipeline', { bytes: Buffer.from(text) })
    expect([answer.status, answer.at('/code')]).toEqual([400, 'BadRequest'])
  })

  test('bytes that are no UTF-8 are refused with 400', () => {
    const { send } = createHarness()
    expect(send('POST', '/v3/pipeline', { bytes: Buffer.from('{"title":"\xff"}', 'latin1') }).status).toBe(400)
  })

  test.each([[null], [7], ['text'], [[]], [true]])('the body %j, which is no object, is refused with 400', (body) => {
    const { send } = createHarness()
    for (const { method, path, schema } of routes.filter(
      (route) => route.schema !== undefined && route.access === 'v3',
    )) {
      const answer = send(method, path.replaceAll(/\{.+?\}/g, 'x'), { body })
      expect([schema, answer.status]).toEqual([schema, 400])
    }
  })

  test('a content type with parameters is taken, another one is refused with 415', () => {
    const { send } = createHarness()
    const bytes = Buffer.from('{"title":"one"}')
    const as = (type: string): number =>
      send('POST', '/v3/pipeline', { bytes, headers: { authorization: 'Token access', 'content-type': type } }).status
    expect(as('application/json; charset=UTF-8')).toBe(200)
    expect(as('text/plain')).toBe(415)
  })

  test('fields that nobody knows are taken and ignored', () => {
    const { done } = createHarness()
    const made = done('POST', '/v3/pipeline', { title: 'one', colour: 'red', id: 'mine' })
    expect(made.at('/data')).not.toHaveProperty('colour')
    expect(made.at('/data/id')).not.toBe('mine')
  })
})
