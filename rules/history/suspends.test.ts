import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../schemas/types/exchange.ts'
import { type Given, said } from '../testing.ts'
import { FINAL, one, page, type Row, send, three, timed, two } from './_testing/lines.ts'

describe('suspension', () => {
  const path = '/v1/config/ingestion'
  const runs = (isIngesting: unknown): Exchange => timed(`GET ${path}/status`, { got: { isIngesting }, intent: FINAL })
  const call = (name: string, given: Given = {}): Exchange => timed(`POST ${path}/${name}`, { got: {}, ...given })
  const twice = (): Exchange[] => [runs(true), call('suspend'), call('suspend/confirm')]
  /** a line comes out, and ingestion is suspended and resumed after it */
  const flowing = (): Exchange[] => [
    ...[runs(true), call('resume'), send([one]), page([one], null)],
    ...[call('suspend'), call('suspend/confirm'), call('resume')],
  ]
  const rows: readonly Row[] = [
    ['SUSPENSION-GUARD', 'one call', () => [runs(true), call('suspend'), runs(true)], ['held']],
    ['SUSPENSION-GUARD', 'one call that suspends', () => [runs(true), call('suspend'), runs(false)], ['broken']],
    ['SUSPENSION-GUARD', 'by someone else before', () => [runs(false), call('suspend'), runs(false)], []],
    ['SUSPENSION-SUSPENDS', 'two calls', () => [...twice(), runs(false)], ['held']],
    ['SUSPENSION-SUSPENDS', 'two calls in vain', () => [...twice(), runs(true)], ['broken']],
    [
      'SUSPENSION-SUSPENDS',
      'a second call that is refused',
      () => [runs(true), call('suspend'), call('suspend/confirm', { status: 400 }), runs(true)],
      [],
    ],
    [
      'SUSPENSION-GUARD',
      'one call, not resumed since nothing is suspended',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), runs(true)],
      ['held'],
    ],
    [
      'SUSPENSION-GUARD',
      'one call that suspends, not resumed',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), runs(false)],
      ['broken'],
    ],
    [
      'SUSPENSION-GUARD',
      'another call after resuming was refused, which may be the second',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), call('suspend'), runs(false)],
      [],
    ],
    [
      'SUSPENSION-SUSPENDS',
      'two calls after resuming was refused',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), ...twice(), runs(false)],
      ['held'],
    ],
    [
      'SUSPENSION-SUSPENDS',
      'two calls in vain after resuming was refused',
      () => [runs(true), call('suspend'), call('resume', { status: 409 }), ...twice(), runs(true)],
      ['broken'],
    ],
    ['SUSPENSION-RESUMES', 'resumed', () => [...twice(), call('resume'), runs(true)], ['held']],
    ['SUSPENSION-RESUMES', 'resumed in vain', () => [...twice(), call('resume'), runs(false)], ['broken']],
    ['SUSPENSION-RESUMES', 'lines come out again', () => [...flowing(), send([three]), page([one, three], null)], []],
    [
      'SUSPENSION-RESUMES',
      'lines do not come out again',
      () => [...flowing(), send([three]), page([one], null)],
      ['broken'],
    ],
    ['SUSPENSION-RESUMES', 'lines never came out', () => [...flowing(), send([three]), page([], null)], []],
    [
      'SUSPENSION-STOPS-LINES',
      'lines meanwhile',
      () => [...twice(), runs(false), send([one]), call('resume'), send([two]), page([two], null)],
      ['held'],
    ],
    [
      'SUSPENSION-STOPS-LINES',
      'lines meanwhile that come out',
      () => [...twice(), runs(false), send([one]), call('resume'), send([two]), page([one, two], null)],
      ['broken'],
    ],
  ]
  test.each(rows)('%s: %s', (requirement, _, history, expected) => {
    expect(said(requirement, history())).toEqual(expected)
  })
})
