import { describe, expect, test } from 'vitest'
import { causesOf } from './causes.ts'
import { aFinding, anExchange, aResult } from './testing.ts'

/** A requirement whose finding is that a later read does not show a change. */
const lost = (id: string, operation: string, method: string, message: string, pointer = '') =>
  aResult({
    id,
    verdict: 'fail',
    findings: [
      aFinding({
        ...{ operation, message, pointer },
        exchanges: [anExchange({ role: 'before', method, operation }), anExchange({ method: 'GET' })],
      }),
    ],
  })

const accepted = (id: string, pointer: string, edge: string) =>
  aResult({
    id,
    findings: [aFinding({ pointer, message: `a value that the specification forbids is accepted (${edge})` })],
  })

describe('causes of failures', () => {
  test('are what removals have in common, whatever was removed', () => {
    const causes = causesOf([
      lost('A', 'delete-board', 'DELETE', 'a removed board is still there'),
      lost('B', 'delete-preset-alert', 'DELETE', 'a removed preset-alert is still there'),
    ])
    expect(causes.map(({ title, results }) => [title, results.map(({ id }) => id)])).toEqual([
      ['a removed … is still there', ['A', 'B']],
    ])
  })
  test('of updates that are not read back are one, in whichever words, most requirements first', () => {
    const [updates, values, ...more] = causesOf([
      accepted('V', '/title', 'length 513'),
      lost('A', 'update-view', 'PUT', 'the field name is read back with another value than was sent', '/name'),
      lost('B', 'update-route', 'PATCH', 'the field title is read back with another value than was sent', '/title'),
      lost('C', 'update-alert', 'PUT', 'an update was accepted, but a later read shows nothing of it', '/name'),
      accepted('W', '/name', 'number 0'),
    ])
    expect(updates).toMatchObject({
      title: 'the field … is read back with another value than was sent',
      others: [['an update was accepted, but a later read shows nothing of it', 1]],
    })
    expect(values?.title).toBe('a value that the specification forbids is accepted')
    expect(more).toEqual([])
  })
  test('are not joined where the change belongs to another operation than the finding', () => {
    const change = anExchange({ role: 'before', method: 'PUT', operation: 'update-view' })
    const other = aFinding({
      operation: 'get-alert',
      message: 'an alert changed',
      exchanges: [change, anExchange({ method: 'GET' })],
    })
    const causes = causesOf([
      aResult({ id: 'A', findings: [other] }),
      lost('B', 'update-view', 'PUT', 'the field name is read back with another value than was sent', '/name'),
    ])
    expect(causes).toHaveLength(2)
  })
  test('of one requirement are its message, and of one without a finding its reason', () => {
    const causes = causesOf([accepted('V', '/title', 'length 513'), aResult({ id: 'E', reason: 'the rule threw' })])
    expect(causes.map(({ title }) => title)).toEqual([
      'a value that the specification forbids is accepted (length 513)',
      'the rule threw',
    ])
  })
})
