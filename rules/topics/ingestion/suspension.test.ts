import { describe, expect, test } from 'vitest'
import { type Binding, type BindingFile, resolveBinding, shippedBinding } from '../../../schemas/binding.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import type { ProbeName } from '../../../schemas/types/intents.ts'
import { FINAL, one, page, send, three, timed, two } from '../../_testing/lines.ts'
import { eachOfSays, type Says } from '../../_testing/says.ts'
import { operationFinder } from '../../core/viewer.ts'
import { createOracle, type OracleFactory } from '../../oracle.ts'
import type { Given } from '../../testing.ts'

describe('suspension', () => {
  const path = '/v1/config/ingestion'
  const runs = (isIngesting: unknown): Exchange => timed(`GET ${path}/status`, { got: { isIngesting }, intent: FINAL })
  const call = (name: string, given: Given = {}): Exchange => timed(`POST ${path}/${name}`, { got: {}, ...given })
  const twice = (): Exchange[] => [runs(true), call('suspend'), call('suspend/confirm')]
  const strange = (probe: ProbeName = 'a token that was used', status = 200): Exchange[] => [
    ...[runs(true), call('suspend'), call('suspend/confirm', { status, intent: { kind: 'base', group: 'g' } })],
    ...[call('resume'), look(true)],
    call('suspend/confirm', { status: 400, intent: { kind: 'observe', probe, group: 'g' } }),
  ]
  const look = (isIngesting: boolean): Exchange =>
    timed(`GET ${path}/status`, { got: { isIngesting }, intent: { kind: 'read', group: 'g' } })
  /** a line comes out, and ingestion is suspended and resumed after it */
  const flowing = (): Exchange[] => [
    ...[runs(true), call('resume'), send([one]), page([one], null)],
    ...[call('suspend'), call('suspend/confirm'), call('resume'), runs(true)],
  ]
  eachOfSays({
    'SUSPENSION-GUARD': [
      ['one call', [runs(true), call('suspend'), runs(true)], 'held'],
      ['one call that suspends', [call('resume'), runs(true), call('suspend'), runs(false)], 'broken'],
      [
        'one call that suspends, perhaps after one of others',
        [runs(true), call('suspend'), runs(false)],
        'inconclusive',
      ],
      ['by someone else before', [runs(false), call('suspend'), runs(false)], ''],
      [
        'one call, not resumed since nothing is suspended',
        [runs(true), call('suspend'), call('resume', { status: 409 }), runs(true)],
        'held',
      ],
      [
        'one call that suspends, not resumed',
        [call('resume'), runs(true), call('suspend'), call('resume', { status: 409 }), runs(false)],
        'broken',
      ],
      [
        'another call after resuming was refused, which may be the second',
        [runs(true), call('suspend'), call('resume', { status: 409 }), call('suspend'), runs(false)],
        '',
      ],
    ],
    'SUSPENSION-TOKEN': [
      ['a used token in vain', [...strange(), look(true)], 'held'],
      ['a used token that suspends', [...strange(), look(false)], 'broken'],
      [
        'a token whose use failed, so that it is still good',
        [...strange('a token that was used', 500), look(false)],
        'inconclusive',
      ],
      [
        'an earlier token after no newer one',
        [...strange('a token of an earlier suspension'), look(false)],
        'inconclusive',
      ],
      ['a token never given', [...strange('a token that was never given'), look(false)], 'broken'],
      [
        'a used token, and ingestion was not seen to run before',
        [...strange().filter(({ _intent }) => _intent?.kind !== 'read'), look(false)],
        'inconclusive',
      ],
      ['the right token', [...strange('other-form'), look(false)], ''],
    ],
    'SUSPENSION-SUSPENDS': [
      ['two calls', [...twice(), runs(false)], 'held'],
      ['two calls in vain', [...twice(), runs(true)], 'broken'],
      [
        'a second call that is refused',
        [runs(true), call('suspend'), call('suspend/confirm', { status: 400 }), runs(true)],
        '',
      ],
      [
        'two calls after resuming was refused',
        [runs(true), call('suspend'), call('resume', { status: 409 }), ...twice(), runs(false)],
        'held',
      ],
      [
        'two calls in vain after resuming was refused',
        [runs(true), call('suspend'), call('resume', { status: 409 }), ...twice(), runs(true)],
        'broken',
      ],
    ],
    'SUSPENSION-RESUMES': [
      ['resumed', [...twice(), call('resume'), runs(true)], 'held'],
      ['what was never suspended', [runs(true), call('resume'), runs(true)], ''],
      ['one call in vain', [...twice(), call('resume'), runs(false)], ''],
      [
        'one call in vain, and two in a row',
        [...twice(), call('resume'), runs(false), call('resume'), call('resume'), runs(true)],
        'held',
      ],
      ['two calls in vain', [...twice(), call('resume'), call('resume'), runs(false)], 'broken'],
      [
        'two calls in vain with a look between them',
        [...twice(), call('resume'), runs(false), call('resume'), runs(false)],
        '',
      ],
      ['lines come out again', [...flowing(), send([three]), page([one, three], null)], 'held'],
      ['lines do not come out again', [...flowing(), send([three]), page([one], null)], 'held broken'],
      ['lines never came out', [...flowing(), send([three]), page([], null)], 'held'],
    ],
    'GAP-RESUME-CONFIRMATION': [
      ['one call', [...twice(), call('resume'), runs(true)], 'observed'],
      ['one call in vain', [...twice(), call('resume'), runs(false)], 'observed'],
    ],
    'SUSPENSION-STOPS-LINES': [
      [
        'lines meanwhile',
        [...twice(), runs(false), send([one]), call('resume'), send([two]), page([two], null)],
        'held',
      ],
      ...[409, 423, 503].map(
        (status): Says => [
          `lines meanwhile that are answered with ${status}`,
          [...twice(), runs(false), send([one], { status }), call('resume'), send([two]), page([two], null)],
          status === 503 ? '' : 'held',
        ],
      ),
      [
        'lines meanwhile that are refused and come out',
        [...twice(), runs(false), send([one], { status: 409 }), page([one], null)],
        'broken',
      ],
      [
        'lines meanwhile that come out while it is suspended',
        [...twice(), runs(false), send([one]), page([one], null)],
        'broken',
      ],
      [
        'lines meanwhile that do not come out while it is suspended, beside one of before that does',
        [runs(true), call('resume'), send([two]), ...twice(), runs(false), send([one]), page([two], null)],
        'held',
      ],
      [
        'no lines come out at all while it is suspended',
        [runs(true), call('resume'), send([two]), ...twice(), runs(false), send([one]), page([], null)],
        'inconclusive',
      ],
      [
        'lines meanwhile that come out once it is resumed',
        [...twice(), runs(false), send([one]), call('resume'), send([two]), page([one, two], null)],
        'inconclusive',
      ],
    ],
    'GAP-SUSPENSION-LATER': [
      [
        'lines meanwhile that come out once it is resumed',
        [...twice(), runs(false), send([one]), call('resume'), send([two]), page([one, two], null)],
        'observed',
      ],
    ],
  })
})

describe('suspension by two calls of one method and path', () => {
  const HALT = 'POST /v1/halt'
  /** `body`: of the second call */
  const bindingWith = (body: { token?: string }): Binding => {
    const halt = { method: 'POST', path: '/v1/halt', effect: 'account' } as const
    const file: BindingFile = {
      formatVersion: 1,
      name: 'own',
      operations: { 'suspend-ingestion': halt, 'confirm-suspension': { ...halt, body } },
    }
    const files = [file, shippedBinding('reference'), shippedBinding('default')]
    return resolveBinding({ name: 'own', chain: ['own', 'reference', 'default'], files })
  }
  const factoryOf = (body: { token?: string }): OracleFactory =>
    createOracle({ binding: bindingWith(body), basePath: '', settleMs: 0, alone: true })
  const toldOf = (history: readonly Exchange[], body: { token?: string } = {}): string[] => {
    const judge = factoryOf(body).createJudge()
    const judgements = [...history.flatMap((one) => judge.judge(one).judgements), ...judge.end()]
    return judgements.flatMap(({ requirement, outcome }) =>
      /^SUSPENSION-(GUARD|SUSPENDS|RESUMES)$/.test(requirement) ? [`${requirement} ${outcome}`] : [],
    )
  }
  const meant = (operation: string, given: Given = {}): Exchange => ({
    ...timed(HALT, { got: {}, ...given }),
    _operation: operation,
  })
  const first = (given?: Given): Exchange => meant('suspend-ingestion', given)
  const second = (given?: Given): Exchange => meant('confirm-suspension', given)
  const runs = (isIngesting: boolean): Exchange =>
    timed('GET /v1/config/ingestion/status', { got: { isIngesting }, intent: FINAL })
  const resume = (given: Given = {}): Exchange => timed('POST /v1/config/ingestion/resume', { got: {}, ...given })

  test.each<[string, readonly Exchange[], readonly string[]]>([
    ['is seen', [runs(true), first(), second(), runs(false)], ['SUSPENSION-SUSPENDS held']],
    ['in vain is a fault', [runs(true), first(), second(), runs(true)], ['SUSPENSION-SUSPENDS broken']],
    ['by the first alone is a fault', [resume(), runs(true), first(), runs(false)], ['SUSPENSION-GUARD broken']],
    [
      'may be done by what is sent after a call that could not be taken back',
      [runs(true), first(), resume({ status: 409 }), first(), second({ status: 409 }), runs(false)],
      ['SUSPENSION-SUSPENDS held'],
    ],
  ])('%s', (_, history, expected) => {
    expect(toldOf(history)).toEqual(expected)
  })

  test('is not held to have been done where the second call has to name a token', () => {
    const history = [runs(true), first(), resume({ status: 409 }), first(), runs(false)]
    expect(toldOf(history, { token: '{{token}}' })).toEqual([])
  })

  test('is taken for what suspends by whoever cannot know', () => {
    expect(operationFinder(bindingWith({}), '')('POST', 'http://t/v1/halt')).toBe('confirm-suspension')
  })

  test('is left alone in traffic, where nobody says which of the two a call was', () => {
    const unplanned = (one: Exchange): Exchange => {
      const { _case, _intent, ...rest } = one
      return rest
    }
    const call = (): Exchange => meant('suspend-ingestion')
    const history = [runs(true), call(), runs(false), call(), runs(true), resume(), runs(true)].map(unplanned)
    expect(toldOf(history).filter((told) => !told.startsWith('SUSPENSION-RESUMES'))).toEqual([])
  })
})
