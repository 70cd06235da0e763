import { describe, expect, test } from 'vitest'
import { mended } from './refusal.ts'

describe('what a refusal says of a sample body', () => {
  test.each([
    [{ error: 'caption is needed' }],
    [{ errors: [{ message: "must have required property 'caption'" }] }],
    [{ message: 'Missing required field: caption' }],
    [{ detail: '"caption" is required' }],
    [{ error: 'caption must not be empty' }],
    [{ errors: ["caption can't be blank"] }],
    [{ error: 'caption: must not be null' }],
  ])('a field that is missing takes the place of ours: %j', (refusal) => {
    expect(mended({ title: '{{label}}', columns: 3 }, refusal, 'board')).toEqual({ caption: '{{label}}', columns: 3 })
  })

  test('a field that nothing of ours stands for is added with a value of its form', () => {
    expect(mended({ name: '{{label}}' }, { error: 'threshold is required' }, 'alert')).toEqual({
      name: '{{label}}',
      threshold: 1,
    })
    expect(mended({ caption: '{{label}}' }, { error: 'viewId is required' }, 'alert')).toEqual({
      caption: '{{label}}',
      viewId: '{{view_id}}',
    })
  })

  test('a field is mended where it stands, with the value that stood elsewhere', () => {
    const refusal = { detail: [{ loc: ['body', 'target', 'bucket'], msg: 'Field required' }] }
    expect(mended({ bucket: 'b', target: {} }, refusal, 'archiving')).toEqual({ bucket: 'b', target: { bucket: 'b' } })
  })

  test('a field that is not taken is left out', () => {
    const refusal = { message: 'unknown field: indexonly' }
    expect(mended({ title: '{{label}}', indexonly: true }, refusal, 'exclusion')).toEqual({ title: '{{label}}' })
  })

  test.each([
    ['"role" must be one of owner, admin, member', 'owner'],
    ["role should be either 'admin' or 'member'", 'admin'],
    ['role must be present', 'readonly'],
    ['role: must be one of [owner, admin, member]', 'owner'],
  ])('a value takes the place of one that is not taken: %s', (error, role) => {
    expect(mended({ role: 'readonly' }, { error }, 'member', { role: 'member' }) ?? { role: 'readonly' }).toEqual({
      role,
    })
  })

  test.each(['query must not be empty', 'query: must be at least 1 characters', 'query is too short'])(
    'an empty value that is not taken is left out, and sent with a word where it is needed: %s',
    (error) => {
      const sample = { title: '{{label}}', apps: ['{{label}}'], hosts: [], query: '' }
      const { query: _query, ...rest } = sample
      const without = mended(sample, { errors: [{ field: 'query', message: error }] }, 'exclusion')
      expect(without).toEqual(rest)
      expect(mended(rest, { error: 'query is required' }, 'exclusion')).toEqual({ ...rest, query: '{{label}}' })
    },
  )

  test('a refusal that names no field mends nothing', () => {
    expect(mended({ title: '{{label}}' }, { error: 'an object is needed' }, 'board')).toBeUndefined()
    expect(mended({ title: '{{label}}' }, 'no', 'board')).toBeUndefined()
  })
})
