import { describe, expect, test } from 'vitest'
import { probes } from '../../../schemas/records/intents.ts'
import type { Exchange, Intent } from '../../../schemas/types/exchange.ts'
import { exchange, type Given, judgeAll, said } from '../../testing.ts'

describe('a thing that is read', () => {
  const look: Intent = { kind: 'read', probe: probes.beside, group: 'g' }
  const base: Intent = { kind: 'base', group: 'g' }

  describe('an update of one thing', () => {
    const REQUIREMENT = 'PRESET-UPDATE-APPLIES'
    const read = (name: string, given: Given = {}): Exchange =>
      exchange('GET /v1/config/presetalert/b', {
        got: { presetid: 'b', name, channels: [] },
        intent: { ...look, final: true },
        ...given,
      })
    const update = (id: string, name: string, given: Given = {}): Exchange =>
      exchange(`PUT /v1/config/presetalert/${id}`, { sent: { name, channels: [] }, intent: base, ...given })

    test('leaves another as it was', () => {
      expect(said(REQUIREMENT, [read('two'), update('a', 'one'), read('two')])).toEqual(['held'])
    })
    test('is blamed where another has what was sent to the first', () => {
      expect(said(REQUIREMENT, [read('two'), update('a', 'one'), read('one')])).toEqual(['broken'])
    })
    test('is not blamed for anything else that another reads as', () => {
      expect(said(REQUIREMENT, [read('two'), update('a', 'one'), read('three')])).toEqual(['held'])
      expect(said(REQUIREMENT, [read('two'), update('a', 'one'), read('', { status: 404 })])).toEqual([])
    })
    test.each([
      ['the other one read so before', [read('one'), update('a', 'one'), read('one')]],
      ['it was about the other one', [read('two'), update('b', 'one'), read('one')]],
      ['it was refused', [read('two'), update('a', 'one', { status: 400 }), read('one')]],
      ['nobody knows what came of it', [read('two'), update('a', 'one', { outcome: 'reset' }), read('one')]],
      ['the read was under way before', [read('two'), update('a', 'one', { start: 1e9, end: 2e9 }), read('one')]],
    ])('says nothing where %s', (_, history) => {
      expect(said(REQUIREMENT, history).filter((outcome) => outcome !== 'held' && outcome !== 'inconclusive')).toEqual(
        [],
      )
    })
  })

  describe('a removal', () => {
    const REQUIREMENT = 'SCREEN-DELETE-REMOVES'
    const read = (given: Given = {}): Exchange =>
      exchange('GET /v1/config/screen/b', { got: { id: 'b', title: 't' }, intent: { ...look, final: true }, ...given })
    const remove = (id: string, given: Given = {}): Exchange =>
      exchange(`DELETE /v1/config/screen/${id}`, { got: { deleted: true }, intent: base, ...given })
    const gone: Given = { status: 404, got: { error: 'no' } }

    test('leaves another where it is', () => {
      expect(said(REQUIREMENT, [read(), remove('a'), read()])).toEqual(['held'])
    })
    test('that takes another along is a finding, whether it was carried out or refused', () => {
      expect(said(REQUIREMENT, [read(), remove('a'), read(gone)])).toEqual(['broken'])
      expect(said(REQUIREMENT, [read(), remove('a', gone), read(gone)])).toEqual(['broken'])
      expect(said(REQUIREMENT, [read(), remove('a'), read({ got: null })])).toEqual(['broken'])
    })
    test('is given the settle time', () => {
      const early = (): Exchange => read({ ...gone, intent: { ...look, final: false } })
      expect(said(REQUIREMENT, [read(), remove('a'), early(), read()], 5_000)).toEqual(['inconclusive', 'held'])
    })
    test.each([
      ['the other one was not there before', [read(gone), remove('a'), read(gone)]],
      ['the other one is asked for and refused', [read(), remove('a'), read({ status: 403 })]],
      ['the other one was removed itself', [read(), remove('b'), read(gone)]],
      ['nobody knows what came of it', [read(), remove('a', { outcome: 'timeout' }), read(gone)]],
      ['reads do not tell what they show', [read({ got: { title: 't' } }), remove('a'), read(gone)]],
    ])('says nothing where %s', (_, history) => {
      expect(said(REQUIREMENT, history).filter((outcome) => outcome === 'broken')).toEqual([])
    })
  })

  describe('state variables', () => {
    const read = (state: unknown, given: Given = {}): Exchange =>
      exchange('GET /v3/pipeline/state-variable?pipeline_id=b', {
        got: { data: { id: 's', state } },
        intent: { ...look, final: true },
        ...given,
      })
    const patch = (id: string, state: unknown): Exchange =>
      exchange('PATCH /v3/pipeline/state-variable', { sent: { pipeline_id: id, state }, intent: base })
    const A = '00000000-0000-4000-8000-00000000000a'

    test('of one pipeline are not those of another', () => {
      const before = read({ one: 'two' })
      expect(said('STATEVAR-APPLIES', [before, patch(A, { one: 'one' }), read({ one: 'two' })])).toContain('held')
      expect(said('STATEVAR-APPLIES', [before, patch(A, { one: 'one' }), read({ one: 'one' })])).toContain('broken')
      expect(said('STATEVAR-APPLIES', [before, patch(A, { one: 'one' }), read({ one: 3 })])).not.toContain('broken')
    })
  })
})

describe('a list', () => {
  const list = (...names: readonly string[]): Exchange =>
    exchange('GET /v3/pipeline/gateway-route', {
      got: { data: names.map((title, index) => ({ id: `r${index + 1}`, title })) },
      intent: { kind: 'read', probe: probes.beside, group: 'g', final: true },
    })
  const patch = (id: string, title: unknown, given: Given = {}): Exchange =>
    exchange(`PATCH /v3/pipeline/gateway-route/${id}`, {
      sent: { title },
      intent: { kind: 'base', group: 'g' },
      ...given,
    })
  const broken = (...history: readonly Exchange[]): string[] =>
    judgeAll(history).flatMap(({ outcome, message }) => (outcome === 'broken' ? [message ?? ''] : []))

  describe('the name that one thing was given', () => {
    test('is that of no other one in the list', () => {
      expect(broken(list('a', 'b'), patch('r1', 'new'), list('new', 'b'))).toEqual([])
      expect(broken(list('a', 'b'), patch('r1', 'new'), list('new', 'new'))).toEqual([
        'an update of one gateway route has given its name to another',
      ])
    })
    test.each([
      ['had it before', [list('a', 'new'), patch('r1', 'new'), list('new', 'new')]],
      ['was not listed before', [list('a'), patch('r1', 'new'), list('new', 'new')]],
      ['has yet another name', [list('a', 'b'), patch('r1', 'new'), list('new', 'c')]],
      ['has it, and the update was refused', [list('a', 'b'), patch('r1', 'new', { status: 400 }), list('a', 'new')]],
      [
        'has it, and nobody knows of the update',
        [list('a', 'b'), patch('r1', 'new', { outcome: 'reset' }), list('a', 'new')],
      ],
      ['has it, and no name was sent', [list('a', 'b'), patch('r1', undefined), list('a', 'new')]],
    ])('may be that of one that %s', (_, history) => {
      expect(broken(...history)).toEqual([])
    })
  })
})

describe('the processing status', () => {
  const look = (status: string, given: Given = {}): Exchange =>
    exchange('GET /v3/pipeline/b', {
      got: { data: { id: 'b', processing_status: status } },
      intent: { kind: 'read', probe: probes.beside, group: 'g', final: true },
      ...given,
    })
  const turn = (to: string, given: Given = {}, id = 'a'): Exchange =>
    exchange(`PUT /v3/pipeline/${id}/processing-status`, {
      sent: { processing_status: to },
      intent: { kind: 'base', group: 'g' },
      ...given,
    })
  const outcomes = (...history: readonly Exchange[]): string[] =>
    judgeAll(history).flatMap(({ edge, outcome }) => (edge === 'another pipeline' ? [outcome] : []))

  /** What another pipeline is read as at first, and after the first was switched on, off and on. */
  const walk = (...[first = '', on = '', off = '', again = '']: readonly string[]): Exchange[] => [
    look(first),
    turn('enabled'),
    look(on),
    turn('disabled'),
    look(off),
    turn('enabled'),
    look(again),
  ]

  describe('another pipeline', () => {
    test('stays as it is', () => {
      expect(outcomes(...walk('enabled', 'enabled', 'enabled', 'enabled'))).toEqual(['held'])
    })
    test('that follows the first there and back is switched with it', () => {
      expect(outcomes(...walk('enabled', 'enabled', 'disabled', 'enabled'))).toEqual(['broken'])
      expect(outcomes(...walk('off', 'on', 'off', 'on'))).toEqual(['broken'])
    })
    test('may change once, by itself', () => {
      expect(outcomes(...walk('disabled', 'enabled', 'enabled', 'enabled'))).toEqual(['held'])
      expect(outcomes(...walk('disabled', 'disabled', 'disabled', 'enabled'))).toEqual(['held'])
    })
    test('is not judged by switches that were refused, or were its own', () => {
      const refused = turn('disabled', { status: 409 })
      expect(
        outcomes(look('x'), turn('enabled'), look('on'), refused, look('off'), turn('enabled'), look('on')),
      ).toEqual([])
      const own = turn('disabled', {}, 'b')
      expect(outcomes(look('x'), turn('enabled'), look('on'), own, look('off'), turn('enabled'), look('on'))).toEqual(
        [],
      )
    })
  })
})
