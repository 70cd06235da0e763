import { describe, expect, test } from 'vitest'
import type { Requirement } from '../schemas/ledger.ts'
import type { CaseRecord } from '../schemas/types/case.ts'
import type { Judgement } from './judgement.ts'
import { createTallyBook } from './tally.ts'
import { decide, type VerdictInput, type Verdicts } from './verdict.ts'

const requirement = (given: Partial<Requirement> & { id: string }): Requirement => ({
  section: 'Errors',
  level: 'stated',
  category: 'pipelines',
  feature: 'pipelines',
  operations: ['update-transform'],
  text: 'text',
  provoke: 'always',
  ...given,
})
const record = (given: Partial<CaseRecord> = {}): CaseRecord => ({
  case: 'c',
  requirements: ['R'],
  state: 'done',
  requests: 1,
  durationMs: 1,
  ...given,
})

interface World extends Partial<Omit<VerdictInput, 'ledger' | 'tallies' | 'sides'>> {
  readonly requirements?: readonly Requirement[]
  readonly judgements?: readonly Partial<Judgement>[]
  /** sides that have to be seen of R at update-transform */
  readonly sides?: readonly ('accepted' | 'refused')[]
}

function decided({ requirements = [requirement({ id: 'R' })], judgements = [{}], sides, ...given }: World): Verdicts {
  const tallies = createTallyBook()
  for (const judgement of judgements) {
    tallies.add({
      requirement: 'R',
      outcome: 'held',
      operation: 'update-transform',
      caseId: 'c',
      exchanges: [],
      ...judgement,
    })
  }
  return decide({
    ledger: new Map(requirements.map((one) => [one.id, one])),
    tallies,
    cases: [record()],
    sides: new Map(sides ? [['R', new Map([['update-transform', sides]])]] : []),
    claimed: new Set(['pipelines']),
    operations: new Set(['update-transform', 'update-source']),
    unanswered: new Set(),
    answered: new Map(),
    only: undefined,
    strict: false,
    problems: [],
    successes: 1,
    ...given,
  })
}

const one = (world: World): string => {
  const [first] = decided(world).requirements
  return `${first?.verdict} ${first?.reason}`.trim()
}
const both = requirement({ id: 'R', operations: ['update-transform', 'update-source'] })
const notRun = { judgements: [] }

describe('one requirement', () => {
  const worlds: [string, World, string][] = [
    ['held', {}, 'pass'],
    ['broken once among many', { judgements: [{}, {}, { outcome: 'broken' }] }, 'fail'],
    [
      'implied and broken',
      { requirements: [requirement({ id: 'R', level: 'implied' })], judgements: [{ outcome: 'broken' }] },
      'warn',
    ],
    [
      'declared and broken',
      { requirements: [requirement({ id: 'R', level: 'declared' })], judgements: [{ outcome: 'broken' }] },
      'warn',
    ],
    [
      'implied and broken under strict',
      { strict: true, requirements: [requirement({ id: 'R', level: 'implied' })], judgements: [{ outcome: 'broken' }] },
      'fail',
    ],
    [
      'open and observed',
      { requirements: [requirement({ id: 'R', level: 'open' })], judgements: [{ outcome: 'observed', actual: 'x' }] },
      'observed',
    ],
    [
      'open and broken',
      { requirements: [requirement({ id: 'R', level: 'open' })], judgements: [{ outcome: 'broken' }] },
      'not-run not-provoked: nothing was observed',
    ],
    [
      'open and answered by the binding',
      { requirements: [requirement({ id: 'R', level: 'open' })], answered: new Map([['R', 'own#/answers/R']]) },
      'not-run answered: answered by the binding (own#/answers/R)',
    ],
    [
      'open and never tried',
      { ...notRun, requirements: [requirement({ id: 'R', level: 'open', provoke: 'never', why: 'it is asked' })] },
      'not-run not-observable: it is asked',
    ],
    [
      'open, of a case without consent',
      {
        judgements: [],
        requirements: [requirement({ id: 'R', level: 'open' })],
        cases: [record({ state: 'not-run', reason: 'no-consent', detail: 'say so' })],
      },
      'not-run no-consent: say so',
    ],
    [
      'not claimed, broken or not',
      { claimed: new Set(), judgements: [{ outcome: 'broken' }] },
      'not-run not-claimed: the feature pipelines is not claimed',
    ],
    [
      'of a case that failed',
      { ...notRun, cases: [record({ state: 'error', detail: 'TypeError: x\n  at y' })] },
      'error c: TypeError: x',
    ],
    ['held, of a case that failed', { cases: [record({ state: 'error', detail: 'x' })] }, 'error c: x'],
    ['never seen', notRun, 'not-run not-provoked: it did not occur'],
    [
      'never to be seen',
      { ...notRun, requirements: [requirement({ id: 'R', provoke: 'never', why: 'it is mailed' })] },
      'not-run not-observable: it is mailed',
    ],
    [
      'not seen by chance',
      { ...notRun, requirements: [requirement({ id: 'R', provoke: 'if-seen', why: 'rare' })] },
      'not-run not-provoked: rare',
    ],
    [
      'without its gap',
      { ...notRun, requirements: [requirement({ id: 'R', needs: ['GAP-X'] })], unanswered: new Set(['GAP-X']) },
      'not-run gap-unanswered: GAP-X',
    ],
    [
      'of a case without consent',
      { ...notRun, cases: [record({ state: 'not-run', reason: 'no-consent', detail: 'say so' })] },
      'not-run no-consent: say so',
    ],
    [
      'of a case without its gap',
      { ...notRun, cases: [record({ state: 'not-run', reason: 'gap-unanswered', gap: 'GAP-Y' })] },
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
      'not-run inconclusive: no answer allowed a judgement',
    ],
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

describe('a run', () => {
  const pass = [requirement({ id: 'R' }), requirement({ id: 'S' })]
  const held = [{}, { requirement: 'S' }]
  const worlds: [string, World, string][] = [
    ['everything held', { requirements: pass, judgements: held }, 'conformant'],
    [
      'one failed',
      { requirements: pass, judgements: [{}, { requirement: 'S', outcome: 'broken' }] },
      'non-conformant S failed',
    ],
    [
      'one only warned',
      {
        requirements: [pass[0] as Requirement, requirement({ id: 'S', level: 'implied' })],
        judgements: [{}, { requirement: 'S', outcome: 'broken' }],
      },
      'conformant',
    ],
    [
      'nothing but a warning',
      { requirements: [requirement({ id: 'R', level: 'implied' })], judgements: [{ outcome: 'broken' }] },
      'conformant',
    ],
    [
      'one not run',
      { requirements: pass },
      'partial 1 stated requirement was not run; to be conformant: find out why: S (it did not occur) (1)',
    ],
    [
      'several not run: what to do about each, the most of them first',
      {
        requirements: [...pass, ...['T', 'U', 'V', 'W', 'X', 'Y', 'Z'].map((id) => requirement({ id }))],
        cases: [
          record({
            requirements: ['T', 'U'],
            state: 'not-run',
            reason: 'no-consent',
            detail: 'all (consent.exclusions)',
          }),
          record({ requirements: ['V'], state: 'not-run', reason: 'no-consent', detail: 'all (consent.suspend)' }),
          record({
            requirements: ['W'],
            state: 'not-run',
            reason: 'no-resource',
            detail: 'none (resources.ownerEmail)',
          }),
          record({ requirements: ['X'], state: 'not-run', reason: 'gap-unanswered', gap: 'GAP-A' }),
          record({
            requirements: ['Y'],
            state: 'not-run',
            reason: 'no-resource',
            detail: 'none (GAP-PATHS-B), none listed',
          }),
          record({
            requirements: ['Z'],
            state: 'not-run',
            reason: 'disabled',
            detail: 'it sends 3 lines, more than --max-ingest leaves',
          }),
          record({ requirements: ['S'], state: 'not-run', reason: 'inconclusive', detail: 'each failed' }),
        ],
        judgements: [{}],
      },
      'partial 8 stated requirements were not run; to be conformant: give consent.exclusions, consent.suspend (3); answer GAP-A, GAP-PATHS-B in the binding (2); find out why: S (each failed) (1); set resources.ownerEmail (1); raise --max-ingest (1)',
    ],
    [
      'an operation that never succeeded',
      {
        requirements: [...pass, requirement({ id: 'TRANSFORM-UPDATE-STATUS' })],
        judgements: [{}],
        cases: [
          record({
            requirements: ['TRANSFORM-UPDATE-STATUS', 'S'],
            state: 'not-run',
            reason: 'inconclusive',
            detail: 'x',
          }),
        ],
        operations: new Set(['update-transform']),
      },
      'partial no good request of update-transform succeeded, and 2 stated requirements were not run; to be conformant: find out why: S (x), TRANSFORM-UPDATE-STATUS (x) (2)',
    ],
    [
      'an implied one not run',
      { requirements: [pass[0] as Requirement, requirement({ id: 'S', level: 'implied' })] },
      'conformant',
    ],
    [
      'one that only an operation could show which the binding declines',
      {
        requirements: [pass[0] as Requirement, requirement({ id: 'S' })],
        cases: [record(), record({ case: 'd', requirements: ['S'], state: 'not-run', reason: 'not-offered' })],
      },
      'conformant',
    ],
    [
      'one not claimed',
      { requirements: [pass[0] as Requirement, requirement({ id: 'S', feature: 'boards' })] },
      'conformant',
    ],
    [
      'one that does not always occur',
      { requirements: [pass[0] as Requirement, requirement({ id: 'S', provoke: 'if-seen' })] },
      'conformant',
    ],
    ['no success', { successes: 0 }, 'invalid no request was answered with success, so nothing was tested'],
    [
      'no success, though something failed',
      { successes: 0, judgements: [{ outcome: 'broken' }] },
      'invalid no request was answered with success, so nothing was tested',
    ],
    ['nothing judged', { judgements: [] }, 'invalid nothing could be judged'],
    [
      'no request with a body that succeeded',
      { bodies: { sent: 12, accepted: 0 } },
      'invalid none of 12 good requests with a body was answered with success, so hardly anything was tested',
    ],
    ['few requests with a body, none of which succeeded', { bodies: { sent: 9, accepted: 0 } }, 'conformant'],
    ['one request with a body that succeeded', { bodies: { sent: 12, accepted: 1 } }, 'conformant'],
    [
      'no request with a body that succeeded, and something that failed',
      { bodies: { sent: 12, accepted: 0 }, judgements: [{ outcome: 'broken' }] },
      'non-conformant R failed',
    ],
    ['a failure where nothing ever held', { judgements: [{ outcome: 'failed' }] }, 'non-conformant R failed'],
    ['a failure where it held elsewhere', { judgements: [{ outcome: 'failed' }, {}] }, 'conformant'],
    [
      'nothing judged, in a part',
      { judgements: [], missing: 'shard 2 of 2 is missing' },
      'invalid nothing could be judged',
    ],
    [
      'something seen of a requirement, in a part',
      { sides: ['accepted', 'refused'], judgements: [{ side: 'refused' }], missing: 'shard 2 of 2 is missing' },
      'partial shard 2 of 2 is missing; to be conformant: merge the report of each shard',
    ],
    [
      'everything held, in a part',
      { missing: 'shard 2 of 2 is missing' },
      'partial shard 2 of 2 is missing; to be conformant: merge the report of each shard',
    ],
    ['nothing in the ledger', { requirements: [], judgements: [], cases: [] }, 'invalid nothing could be judged'],
    ['a problem of its own', { problems: ['a worker was lost'] }, 'invalid a worker was lost'],
    ['a problem, though something failed', { problems: ['p'], judgements: [{ outcome: 'broken' }] }, 'invalid p'],
    ['a failed case', { cases: [record({ state: 'error', detail: 'x\ny' })] }, 'invalid R: c: x'],
    [
      'a failed case about nothing that is judged',
      { cases: [record({ requirements: [], state: 'error', detail: 'x\ny' })] },
      'invalid c: x',
    ],
    [
      'a part of it',
      { only: { requirements: new Set(['R']), operations: new Set(['update-transform']) } },
      'partial only a part was run (--only); to be conformant: run without --only',
    ],
    [
      'a part of it that failed',
      { only: { requirements: new Set(['R']), operations: new Set() }, judgements: [{ outcome: 'broken' }] },
      'non-conformant R failed',
    ],
  ]
  test.each(worlds)('%s', (_, world, expected) => {
    const { overall, reason } = decided(world)
    expect(`${overall} ${reason}`.trim()).toBe(expected)
  })

  test('names three that failed and counts the rest', () => {
    const ids = ['A', 'B', 'C', 'D', 'E']
    const { reason } = decided({
      requirements: ids.map((id) => requirement({ id })),
      judgements: ids.map((id): Partial<Judgement> => ({ requirement: id, outcome: 'broken' })),
    })
    expect(reason).toBe('A, B, C and 2 more failed')
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
    expect(reason).toMatch(/^inconclusive: broken 3 times and held 2 times, unless somebody did it .*--alone/)
    expect(verdictOf([doubted, doubted, doubted])[0]).toBe('not-run')
  })
  test('is a finding where it was found for sure as well', () => {
    expect(verdictOf([doubted, doubted, doubted, { outcome: 'broken' }])[0]).toBe('fail')
  })
})
