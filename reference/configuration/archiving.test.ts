import { describe, expect, test } from 'vitest'
import { createHarness } from '../testing/harness.ts'

const URL = '/v1/config/archiving'

/** integration -> its fields, secrets last */
const integrations: readonly [string, readonly string[], readonly string[]][] = [
  ['s3', ['bucket'], []],
  ['ibm', ['bucket', 'endpoint', 'resourceinstanceid'], ['apikey']],
  ['azblob', ['accountname'], ['accountkey']],
  ['gcs', ['bucket', 'projectid'], []],
  ['dos', ['space', 'endpoint'], ['accesskey', 'secretkey']],
  ['swift', ['authurl', 'username', 'tenantname'], ['password']],
]

const bodyOf = (integration: string, fields: readonly string[]): Record<string, string> =>
  Object.fromEntries([['integration', integration], ...fields.map((field) => [field, `${field}-value`])])

describe('archiving', () => {
  test.each(integrations)(
    '%s is configured with all its fields, and read without its secrets',
    (name, open, secrets) => {
      const { done, send } = createHarness()
      const body = bodyOf(name, [...open, ...secrets])
      for (const field of [...open, ...secrets]) {
        const { [field]: _, ...lacking } = body
        expect([field, send('POST', URL, { body: lacking }).status]).toEqual([field, 400])
      }
      expect(send('GET', URL).status).toBe(404)
      done('POST', URL, body)
      expect(done('GET', URL).json).toEqual(bodyOf(name, open))
    },
  )

  test('there is one configuration: a second is a Conflict, without one nothing is replaced or deleted', () => {
    const { done, send } = createHarness()
    const [s3, gcs] = [bodyOf('s3', ['bucket']), bodyOf('gcs', ['bucket', 'projectid'])]
    expect(send('PUT', URL, { body: s3 }).at('/code')).toBe('NotFound')
    expect(send('DELETE', URL).at('/code')).toBe('NotFound')
    done('POST', URL, s3)
    expect(send('POST', URL, { body: gcs })).toMatchObject({ status: 409, json: { code: 'Conflict' } })
    expect(done('GET', URL).json).toEqual(s3)
    done('PUT', URL, gcs)
    expect(done('GET', URL).json).toEqual(gcs)
    expect(done('DELETE', URL).at('/deleted')).toBe(true)
    expect(send('GET', URL).status).toBe(404)
  })

  test.each([
    [{}],
    [{ integration: 'toString' }],
    [{ integration: 's3', bucket: '' }],
    [{ integration: 's3', bucket: 7 }],
  ])('%j is refused', (body) => {
    const { send } = createHarness()
    expect(send('POST', URL, { body })).toMatchObject({ status: 400, json: { code: 'BadRequest', status: 'error' } })
  })
})
