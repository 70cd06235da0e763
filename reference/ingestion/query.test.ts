import { describe, expect, test } from 'vitest'
import type { NewLine } from '../model/lines.ts'
import { compileQuery } from './query.ts'

const line: NewLine = {
  ts: 0,
  line: 'User "Anna" logged in: OK-1',
  host: 'web-1',
  app: 'Shop Front',
  level: 'info',
  env: 'prod',
  tags: ['blue', 'canary'],
  mac: '',
  ip: '',
  meta: undefined,
}

describe('queries', () => {
  test.each([
    '',
    '  ',
    'user',
    'USER LOGGED',
    '"logged in"',
    'ok-1',
    'host:web-1',
    'app:"shop front"',
    'level:INFO env:prod',
    'tag:blue tag:canary',
    'absent OR user',
    'absent OR (user -absent)',
    '-absent',
    'NOT absent',
    'NOT (absent OR missing)',
    'in:',
    '"in: OK"',
    '--user',
  ])('%j matches', (query) => {
    expect(compileQuery(query)?.(line)).toBe(true)
  })

  test.each([
    'absent',
    'user absent',
    'host:web',
    'app:shop',
    'tag:green',
    '-user',
    'host:user',
    '(absent OR user) missing',
    '"in logged"',
  ])('%j does not match', (query) => {
    expect(compileQuery(query)?.(line)).toBe(false)
  })

  test('AND binds closer than OR', () => {
    expect(compileQuery('user OR absent missing')?.(line)).toBe(true)
    expect(compileQuery('absent missing OR user')?.(line)).toBe(true)
    expect(compileQuery('(user OR absent) missing')?.(line)).toBe(false)
  })

  test.each(['(', ')', '()', '(user', 'user)', 'user OR', 'OR user', 'NOT', '"open', 'user OR OR user'])(
    '%j cannot be understood',
    (query) => {
      expect(compileQuery(query)).toBeUndefined()
    },
  )
})
