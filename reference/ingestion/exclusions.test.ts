import { describe, expect, test } from 'vitest'
import { createHarness } from '../testing/harness.ts'

const ALL = '/v1/config/ingestion/exclusions'

describe('exclusion rules', () => {
  test('a rule is made, read, changed and listed', () => {
    const { done, make } = createHarness()
    const id = make(ALL, { title: 'one', apps: ['a'], active: true })
    const rule = { id, title: 'one', apps: ['a'], hosts: [], query: '', active: true, indexonly: true }
    expect(done('GET', `${ALL}/${id}`).json).toEqual(rule)
    expect(done('PATCH', `${ALL}/${id}`, { active: false }).json).toEqual({ ...rule, active: false })
    expect(done('GET', ALL).json).toContainEqual({ ...rule, active: false })
  })

  test('deletion answers without a body; of an unknown rule with code and error alone', () => {
    const { send, make } = createHarness()
    const id = make(ALL, { query: 'a' })
    const removed = send('DELETE', `${ALL}/${id}`)
    expect([removed.status, removed.text]).toEqual([204, ''])
    const again = send('DELETE', `${ALL}/${id}`)
    expect([again.status, again.json]).toEqual([404, { code: 'NotFound', error: expect.any(String) }])
  })

  test('a rule that selects by nothing is refused, new or changed', () => {
    const { send, make } = createHarness()
    expect(send('POST', ALL, { body: { title: 'all' } }).status).toBe(400)
    const id = make(ALL, { hosts: ['a'] })
    expect(send('PATCH', `${ALL}/${id}`, { body: { hosts: [] } }).status).toBe(400)
    expect(send('GET', `${ALL}/${id}`).at('/hosts')).toEqual(['a'])
  })

  test.each([[{ apps: 'a' }], [{ query: 1 }], [{ hosts: [1] }], [{ query: 'a', active: 'yes' }]])(
    '%j is refused',
    (body) => {
      const { send } = createHarness()
      expect(send('POST', ALL, { body })).toMatchObject({ status: 400, json: { code: 'BadRequest' } })
    },
  )
})
