import { describe, expect, test } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

interface Kind {
  readonly word: string
  readonly url: string
  readonly id: string
  readonly body: (harness: Harness) => Record<string, unknown>
  /** bodies that are refused with 400 */
  readonly wrong: readonly unknown[]
}

const view = { name: 'one', query: 'level:error', category: ['a'] }

const kinds: readonly Kind[] = [
  {
    word: 'board',
    url: '/v1/config/board',
    id: 'id',
    body: () => ({ title: 'one', widgets: [{ a: 1 }] }),
    wrong: [{}, { title: '' }, { title: 7 }],
  },
  {
    word: 'view',
    url: '/v1/config/view',
    id: 'viewid',
    body: () => view,
    wrong: [
      { query: 'a' },
      { name: 'one' },
      { name: 'one', query: '', hosts: [], tags: [] },
      { name: 'one', apps: 'a' },
    ],
  },
  {
    word: 'category',
    url: '/v1/config/categories/views',
    id: 'id',
    body: () => ({ name: 'one' }),
    wrong: [{}, { name: '' }, { name: null }],
  },
  {
    word: 'alert',
    url: '/v1/config/alert',
    id: 'alertid',
    body: (harness) => ({
      name: 'one',
      viewid: String(harness.done('POST', '/v1/config/view', view).at('/viewid')),
      channels: [{ integration: 'email', emails: ['a@example.com'] }],
    }),
    wrong: [{ name: 'one', channels: [] }, { name: 'one', viewid: 'none', channels: [] }, { name: 7 }],
  },
]

describe.each(kinds)('$word', ({ url, id, body, wrong }) => {
  test('is refused with a wrong body, new or updated', () => {
    const harness = createHarness()
    const made = harness.done('POST', url, body(harness))
    for (const one of wrong) {
      expect([one, harness.send('POST', url, { body: one }).status]).toEqual([one, 400])
      const update = harness.send('PUT', `${url}/${made.at(`/${id}`)}`, { body: one })
      expect([one, update.status]).toEqual([one, 400])
    }
    expect(harness.done('GET', `${url}/${made.at(`/${id}`)}`).json).toEqual(made.json)
  })
})

describe('categories', () => {
  test('a name is taken once, and can be kept on update', () => {
    const { done, send } = createHarness()
    const url = '/v1/config/categories'
    const first = done('POST', `${url}/views`, { name: 'one' }).at('/id')
    const second = done('POST', `${url}/views`, { name: 'two', type: 'boards' }).at('/id')
    for (const id of [first, second]) expect(done('GET', `${url}/views/${id}`).at('/type')).toBe('views')
    expect(send('POST', `${url}/views`, { body: { name: 'one' } })).toMatchObject({
      status: 409,
      json: { code: 'Conflict' },
    })
    expect(send('PUT', `${url}/views/${second}`, { body: { name: 'one' } }).status).toBe(409)
    expect(send('PUT', `${url}/views/${first}`, { body: { name: 'one' } })).toMatchObject({
      status: 200,
      json: { name: 'one', type: 'views' },
    })
    expect(send('GET', `${url}/nothing`).status).toBe(404)
  })
})

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
