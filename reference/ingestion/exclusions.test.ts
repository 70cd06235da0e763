import { describe, expect, test } from 'vitest'
import { createHarness } from '../testing/harness.ts'

const ALL = '/v1/config/ingestion/exclusions'

describe('exclusion rules', () => {
  test('a rule that selects by nothing is refused, new or changed', () => {
    const { send, make } = createHarness()
    expect(send('POST', ALL, { body: { title: 'all' } }).status).toBe(400)
    const id = make(ALL, { hosts: ['a'] })
    expect(send('PATCH', `${ALL}/${id}`, { body: { hosts: [] } }).status).toBe(400)
    expect(send('GET', `${ALL}/${id}`).at('/hosts')).toEqual(['a'])
  })

  test('the deletion of a rule is answered with 200 and no body', () => {
    const { send, make } = createHarness()
    const id = make(ALL, { hosts: ['a'] })
    expect(send('DELETE', `${ALL}/${id}`)).toMatchObject({ status: 200, text: '' })
    expect(send('DELETE', `${ALL}/${id}`)).toMatchObject({ status: 404 })
  })

  test.each([[{ apps: 'a' }], [{ query: 1 }], [{ hosts: [1] }], [{ query: 'a', active: 'yes' }]])(
    '%j is refused',
    (body) => {
      const { send } = createHarness()
      expect(send('POST', ALL, { body })).toMatchObject({ status: 400, json: { code: 'BadRequest' } })
    },
  )
})
