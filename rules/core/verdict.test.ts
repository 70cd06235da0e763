import { describe, expect, test } from 'vitest'
import type { Requirement } from '../../schemas/ledger.ts'
import type { CaseRecord } from '../../schemas/types/case.ts'
import { decided, record, requirement, type World } from './_testing/decided.ts'
import type { Judgement } from './judgement.ts'

const one = (world: World): string => {
  const [first] = decided(world).requirements
  return `${first?.verdict} ${first?.reason}`.trim()
}
const both = requirement({ id: 'R', operations: ['update-transform', 'update-source'] })
const notRun = { judgements: [] }
/** A run about one requirement that differs from others. */
const only = (given: Partial<Requirement>): World => ({ requirements: [requirement({ id: 'R', ...given })] })
const BROKEN: World = { judgements: [{ outcome: 'broken' }] }
const skipped = (given: Partial<CaseRecord>): World => ({ cases: [record({ state: 'not-run', ...given })] })

describe('one requirement', () => {
  const worlds: [string, World, string][] = [
    ['held', {}, 'pass'],
    ['broken once among many', { judgements: [{}, {}, { outcome: 'broken' }] }, 'fail'],
    ['implied and broken', { ...only({ level: 'implied' }), ...BROKEN }, 'warn'],
    ['declared and broken', { ...only({ level: 'declared' }), ...BROKEN }, 'warn'],
    ['implied and broken under strict', { strict: true, ...only({ level: 'implied' }), ...BROKEN }, 'fail'],
    [
      'open and observed',
      { ...only({ level: 'open' }), judgements: [{ outcome: 'observed', actual: 'x' }] },
      'observed',
    ],
    ['open and broken', { ...only({ level: 'open' }), ...BROKEN }, 'not-run not-provoked: nothing was observed'],
    [
      'open and answered by the binding',
      { ...only({ level: 'open' }), answered: new Map([['R', 'own#/answers/R']]) },
      'not-run answered: answered by the binding (own#/answers/R)',
    ],
    [
      'open and never tried',
      { ...notRun, ...only({ level: 'open', provoke: 'never', why: 'it is asked' }) },
      'not-run not-observable: it is asked',
    ],
    [
      'open, of a case without consent',
      { judgements: [], ...only({ level: 'open' }), ...skipped({ reason: 'no-consent', detail: 'say so' }) },
      'not-run no-consent: say so',
    ],
    [
      'not claimed, broken or not',
      { claimed: new Set(), ...BROKEN },
      'not-run not-claimed: the feature pipelines is not claimed',
    ],
    [
      'of a case that failed',
      { ...notRun, cases: [record({ state: 'error', detail: 'TypeError: x\n  at y' })] },
      'error c: TypeError: x',
    ],
    ['held, of a case that failed', { cases: [record({ state: 'error', detail: 'x' })] }, 'error c: x'],
    [
      'against which something spoke that was not believed, whatever its cases did without',
      {
        judgements: [{ outcome: 'inconclusive', message: 'not judged: too early', against: 'it is gone' }],
        ...skipped({ reason: 'not-offered', detail: 'create-key is not offered' }),
      },
      'not-run inconclusive: it is gone (not judged: too early)',
    ],
    ['never seen', notRun, 'not-run not-provoked: it did not occur'],
    [
      'never to be seen',
      { ...notRun, ...only({ provoke: 'never', why: 'it is mailed' }) },
      'not-run not-observable: it is mailed',
    ],
    ['not seen by chance', { ...notRun, ...only({ provoke: 'if-seen', why: 'rare' }) }, 'not-run not-provoked: rare'],
    [
      'without its gap',
      { ...notRun, ...only({ needs: ['GAP-X'] }), unanswered: new Set(['GAP-X']) },
      'not-run gap-unanswered: GAP-X',
    ],
    [
      'of a case without consent',
      { ...notRun, ...skipped({ reason: 'no-consent', detail: 'say so' }) },
      'not-run no-consent: say so',
    ],
    [
      'of a case without its gap',
      { ...notRun, ...skipped({ reason: 'gap-unanswered', gap: 'GAP-Y' }) },
      'not-run gap-unanswered: GAP-Y',
    ],
    [
      'of an operation that the binding declines',
      {
        ...notRun,
        cases: [
          record({ state: 'not-run', reason: 'not-offered', detail: 'get-x is not offered (b.json#/x)' }),
          record({ case: 'd', notOffered: { 'update-transform': 'b.json#/u' } }),
        ],
      },
      'not-run not-offered: get-x is not offered (b.json#/x)',
    ],
    [
      'not shown by a case that did without an operation of another requirement',
      { ...notRun, cases: [record({ notOffered: { 'get-x': 'b.json#/x' } })] },
      'not-run answer-does-not-fit: get-x is not offered (b.json#/x)',
    ],
    [
      'not shown by such a case, nor by one that had all that it asked for',
      { ...notRun, cases: [record({ notOffered: { 'get-x': 'b.json#/x' } }), record({ case: 'd' })] },
      'not-run not-provoked: it did not occur',
    ],
    [
      'of an operation that the binding declines, and of a case without consent',
      {
        ...notRun,
        cases: [
          record({ state: 'not-run', reason: 'not-offered', detail: 'x' }),
          record({ case: 'd', state: 'not-run', reason: 'no-consent', detail: 'say so' }),
        ],
      },
      'not-run no-consent: say so',
    ],
    [
      'held once, and once not to be read under the binding',
      { judgements: [{}, { outcome: 'misfit', message: 'the binding reads a; the response has b' }] },
      'not-run answer-does-not-fit: the binding reads a; the response has b',
    ],
    [
      'broken, and once not to be read under the binding',
      {
        judgements: [{ outcome: 'misfit', message: 'the binding reads a; the response has b' }, { outcome: 'broken' }],
      },
      'fail',
    ],
    [
      'inconclusive only',
      { judgements: [{ outcome: 'inconclusive' }, { outcome: 'lost' }] },
      'not-run inconclusive: no response allowed a judgement',
    ],
    [
      'inconclusive, with reasons',
      { judgements: ['seldom', 'often', 'often'].map((message) => ({ outcome: 'inconclusive', message })) },
      'not-run inconclusive: often',
    ],
    [
      'not shown by any response: the reason says what would show it',
      { judgements: [{ outcome: 'unshown', message: 'get-x shows no `a`: set `operations.get-x.fields.a`' }] },
      'not-run not-provoked: get-x shows no `a`: set `operations.get-x.fields.a`',
    ],
    ['held once, and not shown another time', { judgements: [{}, { outcome: 'unshown', message: 'no' }] }, 'pass'],
    ['discarded only', { judgements: [{ outcome: 'discarded' }] }, 'not-run not-provoked: it did not occur'],
    [
      'left out',
      { ...notRun, only: { requirements: new Set(['S']), operations: new Set() } },
      'not-run disabled: left out by --only',
    ],
    [
      'seen at one of two operations',
      { requirements: [{ ...both, category: 'authentication' }] },
      'not-run inconclusive: not seen whole at update-source',
    ],
    ['about answers and seen at one of two operations', { requirements: [both] }, 'pass'],
    [
      'seen at the one operation that was run',
      { requirements: [both], only: { requirements: new Set(['R']), operations: new Set(['update-transform']) } },
      'pass',
    ],
    [
      'seen at the one operation that is claimed',
      { requirements: [both], operations: new Set(['update-transform']) },
      'pass',
    ],
    [
      'accepted but never refused',
      { sides: ['accepted', 'refused'], judgements: [{ side: 'accepted' }] },
      'not-run inconclusive: not seen whole at update-transform',
    ],
    [
      'refused but never accepted',
      { sides: ['accepted', 'refused'], judgements: [{ side: 'refused' }] },
      'not-run inconclusive: not seen whole at update-transform',
    ],
    [
      'seen from both sides',
      { sides: ['accepted', 'refused'], judgements: [{ side: 'refused' }, { side: 'accepted' }] },
      'pass',
    ],
  ]
  test.each(worlds)('%s', (_, world, expected) => {
    expect(one(world)).toBe(expected)
  })
})

describe('what somebody else may have done', () => {
  const doubted = { outcome: 'doubted' } as const
  const verdictOf = (judgements: readonly Partial<Judgement>[]): readonly [string | undefined, string | undefined] => {
    const [one] = decided({ judgements, source: 'traffic' }).requirements
    return [one?.verdict, one?.reason]
  }
  test('once or twice takes nothing from what was seen to hold', () => {
    expect(verdictOf([{}, doubted, doubted])).toEqual(['pass', ''])
  })
  test('again and again leaves nothing to pass, however often it held', () => {
    const [verdict, reason] = verdictOf([{}, {}, doubted, doubted, doubted])
    expect(verdict).toBe('not-run')
    expect(reason).toMatch(/^inconclusive: broken 3 times and held 2 times; another client may have done it .*--alone/)
    expect(verdictOf([doubted, doubted, doubted])[0]).toBe('not-run')
  })
  test('is a finding where it was found for sure as well', () => {
    expect(verdictOf([doubted, doubted, doubted, { outcome: 'broken' }])[0]).toBe('fail')
  })
})
