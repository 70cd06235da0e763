import { describe, expect, test } from 'vitest'
import { exchange, type Given, newJudge, referenceBinding } from '../../rules/testing.ts'
import { fillPath } from '../../schemas/matcher.ts'
import type { JournalLine } from '../../schemas/types/journal.ts'
import type { Call, Sent } from '../case.ts'
import type { OtherRequest } from '../request/other-requests.ts'
import { createKept, type Kept } from './kept.ts'
import { Maker, type MakerRun } from './maker.ts'
import { Room } from './room.ts'

interface World {
  readonly maker: Maker
  readonly send: (call: Call) => Promise<Sent>
  /** what went to the journal and to the target, in order */
  readonly log: string[]
  /** bodies of all requests */
  readonly sent: unknown[]
}

/** A maker on a target that answers by 'METHOD path'; everything else with 404. */
function world(
  answers: Readonly<Record<string, Given>>,
  run: object = {},
  others: readonly OtherRequest[] = [],
  kept: Kept = createKept(referenceBinding()),
  binding = referenceBinding(),
): World {
  const log: string[] = []
  const sent: unknown[] = []
  const judge = newJudge()
  const worker = {
    binding,
    journal: {
      write: async (line: JournalLine) => {
        log.push(`${line.type} ${'entry' in line ? line.entry : ''}${'id' in line ? ` ${line.id}` : ''}`)
      },
      close: async () => undefined,
    },
    run: { runPrefix: 'assay-1', consent: {}, resources: {}, embedded: false, sink: {}, ...run },
    unused: new Map([['screen', ['listed']]]),
    kept,
    numbers: new Map(),
    room: new Room(),
  } as unknown as MakerRun
  let labels = 0
  return {
    log,
    maker: new Maker(worker, {
      caseId: 'case',
      label: () => {
        labels += 1
        return `assay-1-${labels}`
      },
      others: () => others,
    }),
    sent,
    send: async ({ operation, params, body }) => {
      sent.push(body)
      const bound = binding.operations.get(operation)
      const line = `${bound?.method} ${fillPath(bound?.path ?? '', params ?? {})}`
      log.push(line)
      return judge.judge(exchange(line, { status: 404, sent: body, ...answers[line] }))
    },
  }
}

const PIPELINE = 'POST /v3/pipeline'
const SOURCE = 'POST /v3/pipeline/p/source'
const ALERT = 'POST /v1/config/presetalert'
const ALERTS = 'GET /v1/config/presetalert'

describe('making', () => {
  test('sends what the text says where the binding has no body', async () => {
    const bodiless = new Map(
      [...referenceBinding().operations].map(([id, one]) => [
        id,
        { ...one, body: one.specified ? undefined : one.body },
      ]),
    )
    const binding = { ...referenceBinding(), operations: bodiless }
    const { maker, send, sent } = world({}, {}, [], undefined, binding)
    const given = { pipeline_id: 'p', pipeline_source_id: 's', pipeline_transform_id: 't' }
    await expect(maker.make('group', given, send)).rejects.toThrow('create-group-from-pipeline is answered with 404')
    expect(sent.at(-1)).toMatchObject({ title: 'assay-1-1', pipeline_id: 'p', pipeline_transform_ids: ['t'] })
  })

  test('makes nothing that no answer and no list would show', async () => {
    const { maker, send, log } = world({ [ALERT]: { status: 200 }, [ALERTS]: { status: 500 } })
    await expect(maker.make('preset-alert', {}, send)).rejects.toThrow('list-preset-alerts, which alone shows')
    expect(log).toEqual([ALERTS])
  })

  test('writes the journal first, and makes parents before children', async () => {
    const { maker, send, log } = world({
      [PIPELINE]: { status: 200, got: { data: { id: 'p' } } },
      [SOURCE]: { status: 201, got: { data: { id: 's' } } },
    })
    const made = await maker.make('source', {}, send)
    expect(made).toMatchObject({
      type: 'source',
      id: 's',
      own: true,
      params: { pipeline_id: 'p', pipeline_source_id: 's' },
    })
    expect(log).toEqual(['making case#0', PIPELINE, 'made case#0 p', 'making case#1', SOURCE, 'made case#1 s'])
  })
  test('takes what nothing removes from one case into the next, which makes no other', async () => {
    const kept = { ...createKept(referenceBinding()), types: new Set(['pipeline']) }
    const answers = { [PIPELINE]: { status: 200, got: { data: { id: 'p' } } } }
    const [first, second] = [world(answers, {}, [], kept), world(answers, {}, [], kept)]
    const made = await first.maker.make('pipeline', {}, first.send)
    const next = second.maker.make('pipeline', {}, second.send)
    first.maker.release()
    expect(await next).toEqual(made)
    expect(second.log).toEqual([])
    expect(second.maker.entries).toEqual([])
  })
  test.each([404, 308])('leaves nothing where it is answered with %d', async (status) => {
    const { maker, send } = world({ [PIPELINE]: { status } })
    await expect(maker.make('pipeline', {}, send)).rejects.toThrow(`is answered with ${status}`)
    expect(maker.entries.filter(({ removed }) => !removed)).toEqual([])
  })
  test('takes a parent that is given', async () => {
    const { maker, send, log } = world({ [SOURCE]: { status: 200, got: { data: { id: 's' } } } })
    await maker.make('source', { pipeline_id: 'p' }, send)
    expect(log).toEqual(['making case#0', SOURCE, 'made case#0 s'])
  })
  test.each<Given>([
    { status: 500 },
    { status: 503 },
    { outcome: 'reset', status: 0 },
    { outcome: 'truncated', status: 200 },
  ])('is tried again under another name where nobody knows whether it happened: %j', async (bad) => {
    const { maker, send, log } = world({ [PIPELINE]: bad })
    await expect(maker.make('pipeline', {}, send)).rejects.toMatchObject({ reason: 'no-resource' })
    expect(log).toEqual([1, 2, 3].flatMap((number) => [`making case#${number - 1}`, PIPELINE]))
    expect(maker.entries.map(({ label, removed }) => [label, removed])).toEqual(
      [1, 2, 3].map((number) => [`assay-1-${number}`, false]),
    )
    let tries = 0
    const second = world({ [PIPELINE]: { status: 200, got: { data: { id: 'p' } } } })
    const made = await second.maker.make('pipeline', {}, async (call) => {
      tries += 1
      return tries === 1 ? send(call) : second.send(call)
    })
    expect(made).toMatchObject({ id: 'p', label: 'assay-1-2' })
    expect(second.maker.entries.map(({ id }) => id)).toEqual([undefined, 'p'])
  })
  test.each([
    [400, ['assay-1-1', 'assay-1-1']],
    [500, ['assay-1-1', 'assay-1-2']],
  ])('that is answered with %i is tried with the names %j: after a failure it may be there', async (status, names) => {
    const other: OtherRequest = { what: 'another body', sure: true, make: async (request) => request }
    const { maker, send } = world({ [PIPELINE]: { status } }, {}, [other])
    const good = world({ [PIPELINE]: { status: 200, got: { data: { id: 'p' } } } })
    let tries = 0
    await maker.make('pipeline', {}, (call) => {
      tries += 1
      return tries === 1 ? send(call) : good.send(call)
    })
    expect(maker.entries.map(({ label }) => label)).toEqual(names)
  })
  test.each<[Given, string, boolean]>([
    [{ status: 400 }, 'not-made case#0', true],
    [{ status: 303 }, '', false],
    [{ outcome: 'protocol-error', status: 0 }, '', false],
    [{ outcome: 'timeout', status: 0 }, '', false],
  ])('that is answered with %j is journalled as %j', async (answer, line, removed) => {
    const { maker, send, log } = world({ [PIPELINE]: answer })
    await expect(maker.make('pipeline', {}, send)).rejects.toMatchObject({ reason: 'no-resource' })
    expect(log).toEqual(['making case#0', PIPELINE, ...(line === '' ? [] : [line])])
    expect(maker.entries[0]?.removed).toBe(removed)
  })
  test('by an operation that the target does not have says that the binding does not fit', async () => {
    const { maker, send } = world({})
    await expect(maker.make('pipeline', {}, send)).rejects.toMatchObject({ reason: 'answer-does-not-fit' })
  })
  test('what the binding knows nothing of is not possible', async () => {
    const { maker, send } = world({})
    await expect(maker.make('unheard', {}, send)).rejects.toMatchObject({ reason: 'no-resource' })
  })
  test('notes what a case removed by itself', async () => {
    const { maker, send, log } = world({ [PIPELINE]: { status: 200, got: { data: { id: 'p' } } } })
    await maker.make('pipeline', {}, send)
    await maker.removedById('pipeline', 'other')
    await maker.removedById('pipeline', 'p')
    expect(log.at(-1)).toBe('removed case#0')
    expect(maker.entries.filter(({ removed }) => !removed)).toEqual([])
  })
})

describe('what the answer does not give an id for', () => {
  const listed = (...names: string[]): Given => ({
    status: 200,
    got: names.map((name) => ({ name, presetid: `id of ${name}` })),
  })
  test('is found in the list by its name', async () => {
    const { maker, send } = world({ [ALERT]: { status: 200 }, [ALERTS]: listed('x', 'assay-1-1') })
    expect(await maker.make('preset-alert', {}, send)).toMatchObject({ id: 'id of assay-1-1', label: 'assay-1-1' })
  })
  test('and is not in the list cannot be used', async () => {
    const { maker, send } = world({ [ALERT]: { status: 200 }, [ALERTS]: listed('x') })
    await expect(maker.make('preset-alert', {}, send)).rejects.toMatchObject({ reason: 'answer-does-not-fit' })
  })
  test('is kept with the name that was really sent, and with what was there before, which is read once', async () => {
    const { maker, send, log } = world({ [ALERT]: { status: 200 }, [ALERTS]: listed('x') })
    for (const name of ['a', 7, null]) {
      await maker.making('preset-alert', { operation: 'create-preset-alert', body: { name }, label: 'assay-1-9' }, send)
    }
    expect(maker.entries.map(({ label }) => label)).toEqual(['a', '7', 'assay-1-9'])
    expect(maker.entries.map(({ answered }) => answered)).toEqual([true, true, true])
    expect(maker.entries.every(({ before }) => before?.has('id of x'))).toBe(true)
    expect(log.filter((line) => line === ALERTS)).toHaveLength(1)
  })
})
