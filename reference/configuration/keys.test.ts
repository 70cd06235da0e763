import { describe, expect, test } from 'vitest'
import { createHarness, ENTERPRISE } from '../testing/harness.ts'

describe('keys of the organisation', () => {
  test('a name of 31 characters is refused, new or changed', () => {
    const { send, make, done } = createHarness()
    const body = { name: 'x'.repeat(31) }
    expect(send('POST', '/v1/config/keys', { body }).status).toBe(400)
    const id = make('/v1/config/keys', { name: 'one' })
    expect(send('PUT', `/v1/config/keys/${id}`, { body }).status).toBe(400)
    expect(done('GET', `/v1/config/keys/${id}`).at('/name')).toBe('one')
  })

  test('a key opens what its type is for until it is deleted', () => {
    const { send, done } = createHarness()
    const key = done('POST', '/v1/config/keys', { name: 'one' })
    const ingest = (): number =>
      send('POST', '/logs/ingest?hostname=h', { body: { lines: [] }, headers: { apikey: String(key.at('/key')) } })
        .status
    expect(ingest()).toBe(200)
    done('DELETE', `/v1/config/keys/${key.at('/id')}`)
    expect(ingest()).toBe(401)
    const enterprise = (type: string): number => {
      const made = send('POST', `/v1/enterprise/keys?type=${type}`, { body: { name: type }, headers: ENTERPRISE })
      return send('GET', '/v1/enterprise/keys', { headers: { 'enterprise-servicekey': String(made.at('/key')) } })
        .status
    }
    expect([enterprise('service'), enterprise('ingestion')]).toEqual([200, 401])
  })
})
