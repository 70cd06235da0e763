import { describe, expect, test } from 'vitest'
import type { Requirement } from '../../schemas/ledger.ts'
import type { CaseRecord, NotRunReason } from '../../schemas/types/case.ts'
import { decided, record, requirement, type World } from './_testing/decided.ts'
import type { Judgement } from './judgement.ts'

describe('a run', () => {
  const pass = [requirement({ id: 'R' }), requirement({ id: 'S' })]
  const held = [{}, { requirement: 'S' }]
  const only = (given: Partial<Requirement>): World => ({ requirements: [requirement({ id: 'R', ...given })] })
  const beside = (given: Partial<Requirement>): World => {
    return { requirements: [requirement({ id: 'R' }), requirement({ id: 'S', ...given })] }
  }
  const BROKEN: World = { judgements: [{ outcome: 'broken' }] }
  const left = (requirements: string[], reason: NotRunReason, detail: string): CaseRecord =>
    record({ requirements, state: 'not-run', reason, detail })
  const worlds: [string, World, string][] = [
    ['everything held', { requirements: pass, judgements: held }, 'conformant'],
    [
      'one failed',
      { requirements: pass, judgements: [{}, { requirement: 'S', outcome: 'broken' }] },
      'non-conformant S failed',
    ],
    [
      'one only warned',
      { ...beside({ level: 'implied' }), judgements: [{}, { requirement: 'S', outcome: 'broken' }] },
      'conformant',
    ],
    ['nothing but a warning', { ...only({ level: 'implied' }), ...BROKEN }, 'conformant'],
    [
      'one not run',
      { requirements: pass },
      'partial 1 stated requirement was not run; to be conformant: find out why: S (it did not occur) (1)',
    ],
    [
      'one that no response shows: the entry of the binding that would tell',
      {
        requirements: pass,
        judgements: [
          {},
          { requirement: 'S', outcome: 'unshown', message: 'get-x shows no `a`: set `operations.get-x.fields.a`' },
        ],
      },
      'partial 1 stated requirement was not run; to be conformant: set operations.get-x.fields.a in the binding (1)',
    ],
    [
      'several not run: what to do about each, the most of them first',
      {
        requirements: [...pass, ...['T', 'U', 'V', 'W', 'X', 'Y', 'Z'].map((id) => requirement({ id }))],
        cases: [
          left(['T', 'U'], 'no-consent', 'all (consent.exclusions)'),
          left(['V'], 'no-consent', 'all (consent.suspend)'),
          left(['W'], 'no-resource', 'none (resources.ownerEmail)'),
          record({ requirements: ['X'], state: 'not-run', reason: 'gap-unanswered', gap: 'GAP-A' }),
          left(['Y'], 'no-resource', 'none (GAP-PATHS-B), none listed'),
          left(['Z'], 'disabled', 'it sends 3 lines, more than --max-ingest leaves'),
          left(['S'], 'inconclusive', 'each failed'),
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
        cases: [left(['TRANSFORM-UPDATE-STATUS', 'S'], 'inconclusive', 'x')],
        operations: new Set(['update-transform']),
      },
      'partial no good request of update-transform succeeded, and 2 stated requirements were not run; to be conformant: find out why: S (x), TRANSFORM-UPDATE-STATUS (x) (2)',
    ],
    ['an implied one not run', beside({ level: 'implied' }), 'conformant'],
    [
      'one that only an operation could show which the binding declines',
      {
        ...beside({}),
        cases: [record(), record({ case: 'd', requirements: ['S'], state: 'not-run', reason: 'not-offered' })],
      },
      'conformant',
    ],
    ['one not claimed', beside({ feature: 'boards' }), 'conformant'],
    ['one that does not always occur', beside({ provoke: 'if-seen' }), 'conformant'],
    ['no success', { successes: 0 }, 'invalid no request succeeded, so nothing was tested'],
    [
      'no success, though something failed',
      { successes: 0, ...BROKEN },
      'invalid no request succeeded, so nothing was tested',
    ],
    ['nothing judged', { judgements: [] }, 'invalid nothing could be judged'],
    [
      'no request with a body that succeeded',
      { bodies: { sent: 12, accepted: 0 } },
      'invalid none of 12 good requests with a body succeeded, so hardly anything was tested',
    ],
    ['few requests with a body, none of which succeeded', { bodies: { sent: 9, accepted: 0 } }, 'conformant'],
    ['one request with a body that succeeded', { bodies: { sent: 12, accepted: 1 } }, 'conformant'],
    [
      'no request with a body that succeeded, and something that failed',
      { bodies: { sent: 12, accepted: 0 }, ...BROKEN },
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
    ['a problem, though something failed', { problems: ['p'], ...BROKEN }, 'invalid p'],
    ['a failed case', { cases: [record({ state: 'error', detail: 'x\ny' })] }, 'invalid R: c: x'],
    [
      'a failed case about nothing that is judged',
      { cases: [record({ requirements: [], state: 'error', detail: 'x\ny' })] },
      'invalid c: x',
    ],
    [
      'a part of it',
      { only: { requirements: new Set(['R']), operations: new Set(['update-transform']) } },
      'partial only a part was run (--only): R passes',
    ],
    [
      'a part of it that failed',
      { only: { requirements: new Set(['R']), operations: new Set() }, ...BROKEN },
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
