import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../schemas/types/exchange.ts'
import { eachSays } from '../../_testing/says.ts'
import { exchange, type Given, judgeAll, referenceBinding, said, seen } from '../../testing.ts'

const SENT = { user_config: { a: 1 }, generation_id: 1, inputs: ['x', 'y'], title: 'new', description: 'd' }
const REPLACES = 'TRANSFORM-UPDATE-REPLACES'
const put = (given: Given = {}): Exchange =>
  exchange('PUT /v3/pipeline/p/transform/t', { sent: SENT, got: {}, start: 1_000, ...given })
const get = (record: unknown, given: Given = {}): Exchange =>
  exchange('GET /v3/pipeline/p/transform/t', { got: { data: record }, start: 5_000, ...given })
const distinct = (outcomes: readonly string[]): string[] => [...new Set(outcomes)]

test('in traffic, a reference to a thing that was removed may show null', () => {
  const history = (viewid: unknown): Exchange[] => [
    seen('POST /v1/config/alert', [0, 1], { sent: { name: 'a', viewid: 7 }, got: { alertid: 'p', id: 'p' } }),
    seen('DELETE /v1/config/view/7', [2, 3], { status: 204 }),
    seen('GET /v1/config/alert/p', [4, 5], { got: { alertid: 'p', id: 'p', name: 'a', viewid } }),
  ]
  expect(said('ALERT-READ', history(null))).toEqual(['held'])
  expect(said('ALERT-READ', history(8))).toEqual(['doubted'])
})

test('an address may be shown in another letter case', () => {
  const history = (email: string): Exchange[] => [
    exchange('POST /v1/config/members', { sent: { email: 'a+B@b.c', role: 'member' }, got: {} }),
    exchange('GET /v1/config/members/a+B@b.c', { got: { email, role: 'member' } }),
  ]
  expect(said('MEMBER-READ', history('a+b@b.c'))).toEqual(['held'])
  expect(said('MEMBER-READ', history('ab@b.c'))).toEqual(['broken'])
})

describe('an update of what has no read', () => {
  const unread = { operations: { 'get-member': { offered: false } } }
  const member = (role: string): Exchange[] => [
    exchange('POST /v1/config/members', {
      sent: { email: 'a@b.c', role: 'member' },
      got: { email: 'a@b.c' },
      start: 1,
    }),
    exchange('PUT /v1/config/members/a@b.c', { sent: { role: 'readonly' }, got: {}, start: 1_000 }),
    exchange('GET /v1/config/members', { got: [{ email: 'a@b.c', role }], start: 5_000 }),
  ]

  test('is seen in the list', () => {
    expect(said('MEMBER-UPDATE', member('readonly'), 0, unread)).toEqual(['held'])
    expect(said('MEMBER-UPDATE', member('member'), 0, unread)).toEqual(['broken'])
    expect(said('MEMBER-UPDATE', member('member'))).toEqual([])
  })
})

describe('an update that replaces', () => {
  eachSays({ told: (history, settleMs) => distinct(said(REPLACES, history, settleMs)), settles: true }, [
    ['read back as sent', [put(), get(SENT)], 'held'],
    ['with ids in another order and more fields', [put(), get({ ...SENT, inputs: ['y', 'x'], more: 1 })], 'held'],
    [
      'with fields of its configuration left out that say nothing',
      [put({ sent: { ...SENT, user_config: { a: 1, b: false, c: '', d: [] } } }), get(SENT)],
      'held',
    ],
    [
      'with a field of its configuration left out',
      [put({ sent: { ...SENT, user_config: { a: 1, b: 2 } } }), get(SENT)],
      'broken held',
    ],
    [
      'with null for what is empty',
      [
        put({ sent: { ...SENT, inputs: [], user_config: { fields: [], options: {} } } }),
        get({ ...SENT, inputs: null, user_config: null }),
      ],
      'held',
    ],
    ['with null for what is not', [put(), get({ ...SENT, inputs: null })], 'held broken'],
    [
      'with a UUID in another letter case',
      [
        put({ sent: { ...SENT, inputs: ['ABCDEF00-0000-4000-8000-00000000000A'] } }),
        get({ ...SENT, inputs: ['abcdef00-0000-4000-8000-00000000000a'] }),
      ],
      'held',
    ],
    ['with another generation', [put(), get({ ...SENT, generation_id: 9 })], 'held'],
    ['read back old', [put(), get({ title: 'old' })], 'broken'],
    ['without the fields in the record', [put(), get({ id: 't' })], 'unshown'],
    ['without a field that a read has shown before', [get(SENT), put(), get({ title: 'new' })], 'broken held'],
    ['without the title that another transform shows', [put(), get({ description: 'd' })], 'held'],
    [
      'without fields whose values may as well be left out',
      [
        get(SENT),
        put({ sent: { ...SENT, description: 'd', inputs: [], user_config: {} } }),
        get({ title: 'new', description: 'd' }),
      ],
      'held',
    ],
    ['read without an update', [get({ title: 'old' })], ''],
    ['that was refused', [put({ status: 400 }), get({ title: 'old' })], ''],
    ['that timed out', [put({ outcome: 'timeout' }), get({ title: 'old' })], ''],
    ['that broke the server', [put({ status: 500 }), get({ title: 'old' })], ''],
    ['that is a near-miss', [put({ sent: { ...SENT, title: '' } }), get({ title: 'old' })], ''],
    ['that is only observed', [put({ intent: { kind: 'observe' } }), get({ title: 'old' })], ''],
    ['followed by one without an answer', [put(), put({ outcome: 'reset' }), get({ title: 'old' })], ''],
    ['followed by a refused one', [put(), put({ status: 400, sent: { title: 'x' } }), get(SENT)], 'held'],
    ['with a read that began before it was answered', [put({ end: 5_001 }), get({ title: 'old' })], ''],
    ['with a read that is refused', [put(), get({ title: 'old' }, { status: 404 })], ''],
    ['with a read that broke off', [put(), get({ title: 'old' }, { outcome: 'truncated', status: 200 })], ''],
    [
      'of another transform',
      [put(), exchange('GET /v3/pipeline/p/transform/u', { got: { data: { title: 'old' } } })],
      '',
    ],
    ['with a read of another case', [put(), get({ title: 'old' }, { case: 'other' })], ''],
  ])

  describe('that sends another kind', () => {
    const made = exchange('POST /v3/pipeline/p/transform', {
      sent: { type: 'sample', user_config: { rate: 1 } },
      got: { data: { id: 't' } },
      start: 500,
    })
    const other = put({ sent: { type: 'filter', user_config: { on: '.x' } } })
    eachSays(
      (history) => distinct(said(REPLACES, history)),
      [
        [
          'is held to its configuration where the kind is shown',
          [other, get({ type: 'filter', user_config: {} })],
          'broken',
        ],
        ['may leave the kind as it was', [other, get({ type: 'sample', user_config: { rate: 1 } })], ''],
        ['is open where no kind is shown', [made, other, get({ user_config: { rate: 1 } })], 'unshown'],
        [
          'is not the case where it is the one that was made',
          [made, put({ sent: { type: 'sample', user_config: { rate: 2 } } }), get({ user_config: { rate: 1 } })],
          'broken',
        ],
      ],
    )
  })

  test('may hide what a configuration holds of secrets, and fill in the rest', () => {
    const sent = { user_config: { auth: { id: 'a' }, brokers: [{ host: 'h', secret_key: 's' }], n: 1 } }
    const stored = { brokers: [{ host: 'h', secret_key: '***', port: 1 }], n: 1, more: true }
    expect(said(REPLACES, [put({ sent }), get({ user_config: stored })])).toEqual(['held'])
    expect(said(REPLACES, [put({ sent }), get({ user_config: { ...stored, n: 2 } })])).toEqual(['broken'])
    expect(said(REPLACES, [put({ sent }), get({ user_config: { ...stored, brokers: [{}] } })])).toEqual(['broken'])
  })

  test('names each field by itself', () => {
    const found = judgeAll([put(), get({ ...SENT, title: 'old' })]).filter(
      ({ requirement }) => requirement === REPLACES,
    )
    expect(found.filter(({ outcome }) => outcome === 'broken').map(({ pointer }) => pointer)).toEqual(['/title'])
    expect(found.filter(({ outcome }) => outcome === 'held')).toHaveLength(3)
  })
})

const ID = '11111111-1111-4111-8111-111111111111'

describe('an update of which no read shows anything', () => {
  const move = (sent: object): Exchange =>
    exchange(`PUT /v3/pipeline/${ID}/transform-group/p`, { sent, got: {}, start: 1_000 })
  const read = (record: object): Exchange =>
    exchange(`GET /v3/pipeline/${ID}/transform-group/p`, { got: { data: record }, start: 5_000 })
  const moved = { transform_group_revision_id: ID, inputs: [ID] }
  const toldOf = (requirement: string, exchanges: readonly Exchange[]): unknown[] =>
    judgeAll(exchanges)
      .filter((one) => one.requirement === requirement)
      .map(({ outcome, message }) => (outcome === 'unshown' ? message : outcome))

  test('names the operation, and the entry of the binding that would tell', () => {
    expect(toldOf('REVISION-MOVES', [move(moved), read({ inputs: [ID] })])).toEqual([
      'get-placed-group shows no `transform_group_revision_id`: set `operations.get-placed-group.fields.transform_group_revision_id`',
    ])
    expect(toldOf('REVISION-INPUTS-SET', [move(moved), read({ inputs: [ID] })])).toEqual(['held'])
  })

  test('says nothing of it where it is shown, or may as well be left out', () => {
    expect(toldOf('REVISION-MOVES', [move(moved), read(moved)])).toEqual(['held'])
    expect(toldOf('REVISION-INPUTS-SET', [move({ ...moved, inputs: [] }), read({})])).toEqual([])
  })
})

describe('an update of a preset alert', () => {
  const URL = '/v1/config/presetalert/p'
  const channel = {
    integration: 'webhook',
    triggerlimit: '15',
    triggerinterval: '15m',
    operator: 'presence',
    headers: { 'x-a': '1' },
  }
  const put = (channels: readonly object[]): Exchange =>
    exchange(`PUT ${URL}`, { sent: { name: 'a', channels }, start: 1_000 })
  const get = (channels: readonly object[] | undefined, start = 5_000): Exchange =>
    exchange(`GET ${URL}`, { got: { name: 'a', channels, presetid: 'p' }, start })
  const outcomes = (history: Exchange[]): string[] => distinct(said('PRESET-READ', history))
  const { headers: _, ...bare } = channel

  test('may be read back in a spelling of the target', () => {
    const own = { ...channel, triggerlimit: 15, triggerinterval: '900', operator: 'PRESENCE', headers: { 'X-A': '1' } }
    expect(outcomes([put([channel]), get([own])])).toEqual(['held'])
  })

  test('may leave out what no read has shown of such a channel, and nothing else', () => {
    expect(outcomes([put([channel]), get([bare])])).toEqual(['held'])
    expect(outcomes([get([channel], 10), put([channel]), get([bare])])).toEqual(['broken'])
    expect(outcomes([get([{ ...channel, integration: 'email' }], 10), put([channel]), get([bare])])).toEqual(['held'])
    expect(outcomes([get([channel], 10), put([channel]), get(undefined)])).toEqual(['broken'])
  })

  test('that loses a channel, or what is in it, is found', () => {
    expect(outcomes([put([channel, channel]), get([channel])])).toEqual(['broken'])
    expect(outcomes([put([channel]), get([{ ...channel, operator: 'absence' }])])).toEqual(['broken'])
  })

  test('says nothing of its channels to the requirement of the update, which holds its name', () => {
    expect(distinct(said('PRESET-UPDATE-APPLIES', [put([channel]), get([])]))).toEqual(['held'])
  })
})

describe('an update of a thing that is kept as the target likes', () => {
  const path = '/v1/config/view/v1'
  const sent = { name: 'n', query: 'q', hosts: ['h'] }
  const update = (given: Given = {}): Exchange => exchange(`PUT ${path}`, { sent, got: {}, ...given })
  const read = (got: unknown, given: Given = {}): Exchange =>
    exchange(`GET ${path}`, { got, intent: { kind: 'read', final: true }, ...given })
  const gone = (): Exchange => read({ code: 'NotFound' }, { status: 404 })
  test.each<[string, Exchange[], string[]]>([
    ['shows what it may show otherwise', [read(sent), update(), read({ ...sent, name: 'n', query: ' Q ' })], ['held']],
    ['need not show what was never shown', [update(), read({ name: 'n' })], ['held']],
    ['has lost what was shown before', [read(sent), update(), read({ name: 'n', hosts: ['h'] })], ['held', 'broken']],
    [
      'may leave out what says nothing',
      [read(sent), update({ sent: { ...sent, query: '' } }), read({ name: 'n', hosts: ['h'] })],
      ['held'],
    ],
    ['is not there any more', [read(sent), update(), gone()], ['broken']],
    ['was never read before', [update(), gone()], []],
    ['was removed', [read(sent), update(), exchange(`DELETE ${path}`, { got: {} }), gone()], []],
    ['was never there', [update({ status: 404 }), gone()], []],
    ['may have been left alone', [update({ status: 500 }), gone()], []],
  ])('%s', (_, history, expected) => {
    const lost = expected.includes('broken') && history.at(-1)?.response.status === 200
    expect(distinct(said('VIEW-UPDATE', history))).toEqual(lost ? ['held'] : expected)
    expect(distinct(said('VIEW-READ', history))).toEqual(expected.includes('held') ? expected : [])
  })

  const first = { name: 'm', query: 'p', hosts: ['g'] }
  test.each<[string, Exchange[], string[], string[]]>([
    ['and is read as the update before it', [update({ sent: first }), update(), read(first)], ['broken'], []],
    [
      'and is read so in one field',
      [update({ sent: first }), update(), read({ ...sent, query: 'p' })],
      ['held'],
      ['held', 'broken'],
    ],
    [
      'and is read with values that nobody sent',
      [update({ sent: first }), update(), read({ query: 'x' })],
      [],
      ['broken'],
    ],
    ['that sends the same again', [update(), update(), read({ ...sent, query: '(q)' })], [], ['held', 'broken']],
    ['and may not be known', [update({ sent: first }), update({ status: 500 }), read(first)], [], []],
  ])('%s', (_, history, seen, values) => {
    expect(distinct(said('VIEW-UPDATE', history))).toEqual(seen)
    expect(distinct(said('VIEW-READ', history))).toEqual(values)
  })

  test('need not be read with values that the binding says are kept otherwise', () => {
    const resources = { view: { ...referenceBinding().resources.get('view'), id: 'view_id', normalises: ['query'] } }
    const history = (query: string): Exchange[] => [
      update({ sent: { query: 'p' } }),
      update({ sent: { query: 'q' } }),
      read({ query }),
    ]
    expect(said('VIEW-READ', history('(q)'))).toEqual(['broken'])
    expect(said('VIEW-READ', history('(q)'), 0, { resources })).toEqual([])
    expect(said('VIEW-UPDATE', history('(q)'), 0, { resources })).toEqual(['held'])
    expect(said('VIEW-UPDATE', history('p'), 0, { resources })).toEqual(['broken'])
  })

  test('may be old for a while', () => {
    const early = read({}, { status: 404, start: 1_100 })
    expect(said('VIEW-UPDATE', [read(sent, { start: 0 }), update({ start: 1_000 }), early], 60_000)).toEqual([
      'inconclusive',
    ])
  })
})
