import { describe, expect, test } from 'vitest'
import { createHarness, ENTERPRISE } from '../testing/harness.ts'

describe('enterprise keys', () => {
  test('a query parameter and a body are refused with BadRequest', () => {
    const { send } = createHarness()
    const refused = { status: 400, json: { error: expect.any(String), code: 'BadRequest', status: 'error' } }
    expect(send('GET', '/v1/enterprise/keys?unknown=1', { headers: ENTERPRISE })).toMatchObject(refused)
    expect(send('GET', '/v1/enterprise/keys', { headers: ENTERPRISE, body: {} })).toMatchObject(refused)
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
