import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { eachSays } from '../../_testing/says.ts'
import { PERSISTENT } from '../../known/passing.ts'
import { exchange, failing, type Given, judgeAll, said } from '../../testing.ts'

const LINE = 'PUT /v3/pipeline/p1/transform/t1'
const GOOD = { user_config: {}, generation_id: 1, inputs: [], title: 'one', description: 'two', deploy_type: 'saas' }
const MAX = 'NODE-TITLE-MAX'
const LONG = { ...GOOD, title: 'x'.repeat(513) }

const base = (given: Given = {}, group = 'g'): Exchange =>
  exchange(LINE, { sent: GOOD, got: {}, intent: { kind: 'base', group }, ...given })
const refuse = (given: Given = {}, requirement = MAX): Exchange =>
  exchange(LINE, { sent: LONG, status: 400, got: {}, intent: { kind: 'refuse', group: 'g', requirement }, ...given })
const accept = (given: Given = {}): Exchange =>
  exchange(LINE, {
    sent: { ...GOOD, title: 'x'.repeat(512) },
    got: {},
    intent: { kind: 'accept', group: 'g', requirement: MAX, edge: 'length 512' },
    ...given,
  })

describe('a near-miss', () => {
  eachSays(MAX, [
    ['refused after an accepted control', [base(), refuse()], 'held'],
    ['refused before an accepted control', [refuse(), base()], 'held'],
    ['refused without any control', [refuse()], 'inconclusive'],
    ['refused beside a refused control', [base({ status: 400 }), refuse(), base({ status: 400 })], 'inconclusive'],
    ['refused beside a control of another group', [base({}, 'other'), refuse()], 'inconclusive'],
    ['refused beside a control that breaks a rule itself', [base({ sent: LONG }), refuse()], 'inconclusive'],
    ['accepted after an accepted control', [base(), refuse({ status: 200 })], 'broken'],
    ['accepted before an accepted control', [refuse({ status: 200 }), base()], 'broken'],
    ['accepted without a control', [refuse({ status: 200 })], 'inconclusive'],
    ['answered with 500 once', [base(), refuse({ status: 500 }), base()], 'inconclusive'],
    [
      'answered with 500 every time between accepted controls, which is no client error',
      [base(), ...failing(refuse), base()],
      `${'inconclusive '.repeat(PERSISTENT - 1)}broken`,
    ],
    [
      'answered with 500 every time after an accepted control only',
      [base(), ...failing(refuse)],
      Array(PERSISTENT).fill('inconclusive').join(' '),
    ],
    ['answered with 500 once, then refused', [base(), refuse({ status: 500 }), refuse()], 'inconclusive held'],
    ['that satisfies the schema', [base(), refuse({ sent: GOOD })], 'discarded'],
    ['that breaks another constraint', [base(), refuse({ sent: { ...LONG, deploy_type: 'x' } })], 'discarded'],
    ['that was cut into no JSON at all', [base(), refuse({ sent: '{' })], 'discarded'],
  ])

  test.each([401, 403, 408, 429, 502, 503, 504, 301])(
    'answered with %i says nothing, whatever its controls',
    (status) => {
      expect(said(MAX, [base(), refuse({ status }), base()])).toEqual(['inconclusive'])
    },
  )

  test.each(['timeout', 'reset', 'refused', 'truncated', 'too-large', 'protocol-error', 'interrupted'] as const)(
    'that ends in %s says nothing, even with a status that arrived',
    (outcome) => {
      expect(said(MAX, [base(), refuse({ outcome, status: 400 }), base()])).toEqual(['inconclusive'])
      expect(said(MAX, [base(), refuse({ outcome, status: 200 }), base()])).toEqual(['inconclusive'])
    },
  )

  test.each([404, 405, 409, 413, 415])('answered with %i counts only between two accepted controls', (status) => {
    expect(said(MAX, [base(), refuse({ status }), base()])).toEqual(['held'])
    expect(said(MAX, [base(), refuse({ status })])).toEqual(['inconclusive'])
    expect(said(MAX, [refuse({ status }), base()])).toEqual(['inconclusive'])
    expect(said(MAX, [base(), refuse({ status }), base({ status })])).toEqual(['inconclusive'])
  })

  test('of an implied constraint that is answered with 500 is inconclusive', () => {
    const wrong = refuse({ sent: { ...GOOD, title: 7 }, status: 500 }, 'NODE-TITLE-TYPE')
    expect(said('NODE-TITLE-TYPE', [base(), wrong, base()])).toEqual(['inconclusive'])
  })

  test('may break the constraints that its intent names besides', () => {
    const intent = { kind: 'refuse', group: 'g', requirement: MAX, data: { also: ['NODE-TITLE-PATTERN'] } } as const
    const both = refuse({ sent: { ...GOOD, title: '<'.repeat(513) }, intent })
    expect(said(MAX, [base(), both])).toEqual(['held'])
  })

  test('shows its control before itself', () => {
    const [control, probe] = [base({ id: 'control' }), refuse({ id: 'probe', status: 200 })]
    expect(judgeAll([control, probe]).find(({ outcome }) => outcome === 'broken')?.exchanges).toEqual([
      'control',
      'probe',
    ])
  })
})

describe('a good value', () => {
  eachSays(MAX, [
    ['accepted', [accept()], 'held'],
    ['refused between accepted controls', [base(), accept({ status: 400 }), base()], 'broken'],
    ['refused after a control only', [base(), accept({ status: 400 })], 'inconclusive'],
    ['refused before a control only', [accept({ status: 400 }), base()], 'inconclusive'],
    [
      'refused with a refused control after it',
      [base(), accept({ status: 400 }), base({ status: 400 })],
      'inconclusive',
    ],
    ['answered with 500 once between accepted controls', [base(), accept({ status: 500 }), base()], 'inconclusive'],
    [
      'answered with 500 every time between accepted controls, which is no refusal',
      [base(), ...failing(accept), base()],
      Array(PERSISTENT).fill('inconclusive').join(' '),
    ],
    ['that is none', [base(), accept({ sent: LONG, status: 400 }), base()], 'discarded'],
  ])

  test.each([301, 401, 403, 404, 405, 408, 409, 413, 415, 429, 502, 503, 504])(
    'answered with %i says nothing',
    (status) => {
      expect(said(MAX, [base(), accept({ status }), base()])).toEqual(['inconclusive'])
    },
  )

  test('that ends in a timeout says nothing', () => {
    expect(said(MAX, [base(), accept({ outcome: 'timeout' }), base()])).toEqual(['inconclusive'])
  })
})

test('a control that timed out is none', () => {
  expect(said(MAX, [base({ outcome: 'timeout', status: 200 }), refuse()])).toEqual(['inconclusive'])
})

test('an observed request is never judged for acceptance or refusal', () => {
  const observed = exchange(LINE, {
    sent: LONG,
    intent: { kind: 'observe', group: 'g', requirement: 'GAP-LENGTH-UNIT', edge: 'long' },
  })
  expect(said(MAX, [base(), observed, base()])).toEqual([])
  expect(judgeAll([observed]).map(({ outcome, actual }) => [outcome, actual])).toEqual([
    ['observed', 'update-transform long: status 200'],
  ])
})
