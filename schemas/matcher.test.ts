import { describe, expect, test } from 'vitest'
import { createMatcher, fillPath } from './matcher.ts'
import { specifiedOperations } from './operations.ts'

const match = createMatcher(specifiedOperations())

describe('createMatcher', () => {
  test.each(specifiedOperations().map((operation) => [operation.id, operation] as const))(
    '%s is found by its own path',
    (id, operation) => {
      const params = Object.fromEntries(
        [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = ''], index) => [name, `value ${index}/ü`]),
      )
      expect(match(operation.method, fillPath(operation.path, params))).toEqual({ operation, params })
      expect(match(operation.method, fillPath(operation.path, params))?.operation.id).toBe(id)
    },
  )

  test('a literal segment wins over a placeholder', () => {
    const both = createMatcher([
      { id: 'any', method: 'PUT', path: '/a/{id}/c' },
      { id: 'one', method: 'PUT', path: '/a/b/c' },
    ])
    expect(both('PUT', '/a/b/c')?.operation.id).toBe('one')
    expect(both('PUT', '/a/x/c')).toMatchObject({ operation: { id: 'any' }, params: { id: 'x' } })
  })

  test('what has no path is that of no request', () => {
    const open = createMatcher([{ id: 'open', method: 'GET', path: '' }])
    expect([open('GET', ''), open('GET', '/')]).toEqual([undefined, undefined])
  })

  test.each([
    ['another method', 'POST', '/v1/enterprise/keys'],
    ['a lower-case method', 'get', '/v1/enterprise/keys'],
    ['a slash at the end', 'GET', '/v1/enterprise/keys/'],
    ['an empty placeholder', 'DELETE', '/v1/config/screen/'],
    ['another case', 'GET', '/V1/enterprise/keys'],
    ['a longer path', 'DELETE', '/v1/config/screen/1/2'],
  ])('%s finds nothing', (_, method, path) => {
    expect(match(method, path)).toBeUndefined()
  })

  test('a malformed escape stays as it is', () => {
    expect(match('DELETE', '/v1/config/screen/50%')?.params).toEqual({ id: '50%' })
  })
})

describe('fillPath', () => {
  test('values are escaped', () => {
    expect(fillPath('/v1/config/members/{email}', { email: 'a/b c@example.com' })).toBe(
      '/v1/config/members/a%2Fb%20c%40example.com',
    )
  })

  test('a placeholder without a value is an error that names it', () => {
    expect(() => fillPath('/v1/config/screen/{id}', {})).toThrow('no value for {id} in /v1/config/screen/{id}')
  })
})
