import { describe, expect, test } from 'vitest'
import { type ProbeName, probes } from '../../../schemas/intents.ts'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll, said } from '../../testing.ts'

const OWNER = 'owner@example.com'
const members = (emails: readonly string[], given: Given = {}): Exchange =>
  exchange('GET /v1/config/members', { got: emails.map((email) => ({ email })), start: 9_000, ...given })
const first = (): Exchange => members([OWNER], { start: 1 })
const provoke = (email: string, probe: ProbeName, given: Given = {}): Exchange =>
  exchange(`DELETE /v1/config/members/${email}`, {
    status: 409,
    got: { error: 'e', code: 'Conflict', status: 'error' },
    intent: { kind: 'provoke', probe, group: 'g' },
    start: 1_000,
    ...given,
  })
const tried = (given: Given = {}): Exchange => provoke(OWNER, probes.owner, given)

describe('the owner', () => {
  // What is said of the refusal itself waits for a control, which these histories do not have.
  const stays = (history: readonly Exchange[], settleMs = 0): string[] =>
    judgeAll(history, settleMs)
      .filter(
        ({ requirement, message }) =>
          requirement === 'MEMBER-DELETE-OWNER-REFUSED' && !/no control/.test(message ?? ''),
      )
      .map(({ outcome }) => outcome)
  const histories: [string, Exchange[], string[]][] = [
    ['is still listed', [first(), tried(), members(['b@example.com', OWNER])], ['held']],
    ['is listed in capitals', [first(), tried(), members([OWNER.toUpperCase()])], ['held']],
    ['is still read', [first(), tried(), exchange(`GET /v1/config/members/${OWNER}`, { start: 9_000 })], ['held']],
    ['is listed no more', [first(), tried(), members(['b@example.com'])], ['broken']],
    ['is removed with success', [first(), tried({ status: 200 }), members([])], ['broken']],
    [
      'is read no more',
      [first(), tried(), exchange(`GET /v1/config/members/${OWNER}`, { status: 404, start: 9_000 })],
      ['broken'],
    ],
    ['was not listed before', [members([], { start: 1 }), tried(), members([])], []],
    ['is looked for too early', [first(), tried({ end: 9_500 }), members([])], []],
    [
      'is looked for on the first page of a list',
      [first(), tried(), members(Array.from({ length: 25 }, (_, index) => `m${index}@example.com`))],
      [],
    ],
    ['is looked for in vain', [first(), tried(), members([], { status: 500 })], []],
  ]
  test('is known in recordings by the role that stands beside the address', () => {
    const seen = (roles: Record<string, string> | undefined): string[] => {
      const { _intent, ...plain } = tried()
      return stays([first(), { ...plain, ...(roles && { _roles: roles }) }, members([OWNER])])
    }
    expect(seen({ [OWNER]: 'owner' })).toEqual(['held'])
    expect(seen({ [OWNER]: 'member' })).toEqual([])
    expect(seen(undefined)).toEqual([])
  })

  test.each(histories)('%s', (_, history, expected) => {
    expect(stays(history)).toEqual(expected)
  })

  test('is given the settle time', () => {
    expect(stays([first(), tried(), members([], { start: 1_500 })], 5_000)).toEqual(['inconclusive'])
  })
})

describe('codes', () => {
  const unknown = (code: unknown, given: Given = {}): Exchange =>
    provoke('x@example.com', probes.unknownMember, {
      got: { error: 'e', code, status: 'error' },
      status: 404,
      ...given,
    })
  const histories: [string, Exchange[], string[]][] = [
    ['of two conditions differ', [unknown('NotFound'), tried()], ['held']],
    ['of two conditions are one', [unknown('Conflict'), tried()], ['broken']],
    ['of one condition are one', [unknown('NotFound'), unknown('NotFound')], []],
    ['that are no text', [unknown(404), tried()], []],
    ['of a refusal for other reasons', [unknown('Conflict', { status: 403 }), tried()], []],
    ['of a fault of the server', [unknown('Conflict', { status: 500 }), tried()], []],
    ['of another case', [unknown('Conflict', { case: 'other' }), tried()], []],
  ]
  test.each(histories)('%s', (_, history, expected) => {
    expect(said('ERROR-BODY-CODE-UNIQUE', history)).toEqual(expected)
  })
})
