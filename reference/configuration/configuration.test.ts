import { describe, expect, test } from 'vitest'
import { createHarness, ENTERPRISE } from '../testing/harness.ts'

describe('enterprise keys', () => {
  test('the list holds keys of both types, with all their fields', () => {
    const { send } = createHarness()
    const answer = send('GET', '/v1/enterprise/keys', { headers: ENTERPRISE })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual(
      ['ingestion', 'service'].map((type) => ({
        id: expect.any(String),
        key: expect.any(String),
        name: `first ${type} key`,
        type,
        created: Date.UTC(2026, 2, 14, 12, 30),
      })),
    )
  })

  test('a query parameter and a body are refused with BadRequest', () => {
    const { send } = createHarness()
    const refused = { status: 400, json: { error: expect.any(String), code: 'BadRequest', status: 'error' } }
    expect(send('GET', '/v1/enterprise/keys?unknown=1', { headers: ENTERPRISE })).toMatchObject(refused)
    expect(send('GET', '/v1/enterprise/keys', { headers: ENTERPRISE, body: {} })).toMatchObject(refused)
  })

  test('a new key is listed until it is deleted, which a second time is NotFound', () => {
    const { send } = createHarness()
    const name = 'x'.repeat(30)
    const id = String(
      send('POST', '/v1/enterprise/keys?type=service', { headers: ENTERPRISE, body: { name } }).at('/id'),
    )
    const names = (): unknown => send('GET', '/v1/enterprise/keys', { headers: ENTERPRISE }).json
    expect(names()).toContainEqual(expect.objectContaining({ id, name, type: 'service' }))
    expect(send('DELETE', `/v1/enterprise/keys/${id}`, { headers: ENTERPRISE }).at('/deleted')).toBe(true)
    expect(names()).not.toContainEqual(expect.objectContaining({ id }))
    expect(send('DELETE', `/v1/enterprise/keys/${id}`, { headers: ENTERPRISE }).at('/code')).toBe('NotFound')
  })

  test.each([
    ['a name of 31 characters', '', { name: 'x'.repeat(31) }],
    ['a name that is no string', '', { name: 7 }],
    ['no name', '', {}],
    ['an unknown type', '?type=other', { name: 'x' }],
  ])('%s is refused', (_, query, body) => {
    const { send } = createHarness()
    const answer = send('POST', `/v1/enterprise/keys${query}`, { headers: ENTERPRISE, body })
    expect([answer.status, answer.at('/code')]).toEqual([400, 'BadRequest'])
  })
})

describe('preset alerts', () => {
  const channel = { integration: 'email', emails: ['a@example.com'], immediate: true, headers: { a: 'b' } }

  test('create and update answer 200 without a body, and the list shows what was sent', () => {
    const { send, done } = createHarness()
    const made = send('POST', '/v1/config/presetalert', { body: { name: 'one', channels: [channel] } })
    expect([made.status, made.text]).toEqual([200, ''])
    const list = done('GET', '/v1/config/presetalert').json as { name: string; presetid: string }[]
    const preset = list.find(({ name }) => name === 'one')
    expect(preset).toMatchObject({ name: 'one', channels: [channel] })
    const url = `/v1/config/presetalert/${preset?.presetid}`
    const changed = send('PUT', url, { body: { name: 'two', channels: [] } })
    expect([changed.status, changed.text]).toEqual([200, ''])
    expect(done('GET', url).json).toEqual({ name: 'two', channels: [], presetid: preset?.presetid })
    expect(send('DELETE', url).status).toBe(200)
    expect(send('GET', url).at('/code')).toBe('NotFound')
  })

  test('an update of an unknown preset alert is NotFound', () => {
    const { send } = createHarness()
    expect(send('PUT', '/v1/config/presetalert/none', { body: { name: 'a', channels: [] } }).status).toBe(404)
  })

  test.each([
    [{ name: 7, channels: [] }],
    [{ name: 'a', channels: {} }],
    [{ name: 'a', channels: ['email'] }],
    [{ name: 'a', channels: [{ integration: null }] }],
    [{ name: 'a', channels: [{ emails: 'a@example.com' }] }],
    [{ name: 'a', channels: [{ immediate: 'true' }] }],
    [{ name: 'a', channels: [{ headers: { a: 1 } }] }],
    [{ name: 'a', channels: [{ triggerlimit: 15 }] }],
  ])('%j is refused and makes nothing', (body) => {
    const { send, done } = createHarness()
    const before = done('GET', '/v1/config/presetalert').json
    expect(send('POST', '/v1/config/presetalert', { body })).toMatchObject({ status: 400, json: { status: 'error' } })
    expect(done('GET', '/v1/config/presetalert').json).toEqual(before)
  })
})

describe('members', () => {
  test('a member is removed from the account, and can be taken in again', () => {
    const { send, done } = createHarness()
    done('POST', '/v1/config/members', { email: 'New@example.com', groups: ['a'] })
    expect(send('POST', '/v1/config/members', { body: { email: 'new@example.com' } }).at('/code')).toBe('Conflict')
    const removed = send('DELETE', '/v1/config/members/new%40example.com')
    expect([removed.status, removed.json]).toEqual([200, { message: expect.any(String), deleted: true }])
    expect(send('GET', '/v1/config/members/new@example.com').status).toBe(404)
    expect(done('POST', '/v1/config/members', { email: 'new@example.com' }).at('/role')).toBe('member')
  })

  test('an unknown member is NotFound, the owner a Conflict, and both leave the account as it is', () => {
    const { send, done } = createHarness()
    const before = done('GET', '/v1/config/members').json
    const error = (code: string): unknown => ({ error: expect.any(String), code, status: 'error' })
    expect(send('DELETE', '/v1/config/members/nobody%40example.com')).toMatchObject({
      status: 404,
      json: error('NotFound'),
    })
    expect(send('DELETE', '/v1/config/members/owner%40example.com')).toMatchObject({
      status: 409,
      json: error('Conflict'),
    })
    expect(done('GET', '/v1/config/members').json).toEqual(before)
  })

  test('an update changes role and groups, but neither makes nor unmakes an owner', () => {
    const { send, done } = createHarness()
    const url = '/v1/config/members/admin@example.com'
    expect(done('PUT', url, { role: 'readonly' }).json).toEqual({
      email: 'admin@example.com',
      role: 'readonly',
      groups: [],
    })
    expect(done('PUT', url, { groups: ['a'] }).at('/role')).toBe('readonly')
    expect(send('PUT', url, { body: { role: 'owner' } }).status).toBe(409)
    expect(send('PUT', '/v1/config/members/owner@example.com', { body: { role: 'admin' } }).status).toBe(409)
  })

  test.each([
    [{}],
    [{ email: 'nobody' }],
    [{ email: 7 }],
    [{ email: 'a@b', role: 'owner' }],
    [{ email: 'a@b', groups: 'x' }],
  ])('%j is refused', (body) => {
    const { send } = createHarness()
    expect(send('POST', '/v1/config/members', { body }).status).toBe(400)
  })
})

describe('screens', () => {
  test('a screen is made, read, changed, listed and deleted', () => {
    const { send, done, make } = createHarness()
    const id = make('/v1/config/screen', { title: 'one', widgets: [1] })
    const url = `/v1/config/screen/${id}`
    expect(done('GET', url).json).toEqual({ id, title: 'one', widgets: [1] })
    expect(done('PUT', url, { title: 'two' }).json).toEqual({ id, title: 'two' })
    expect(done('GET', '/v1/config/screen').json).toContainEqual({ id, title: 'two' })
    const removed = send('DELETE', url)
    expect([removed.status, removed.json]).toEqual([200, { deleted: true }])
    expect(send('DELETE', url)).toMatchObject({
      status: 404,
      json: { error: expect.any(String), code: 'NotFound', status: 'error' },
    })
  })
})
