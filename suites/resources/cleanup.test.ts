import { describe, expect, test } from 'vitest'
import { exchange, type Given, newJudge, referenceBinding } from '../../rules/testing.ts'
import { fillPath } from '../../schemas/matcher.ts'
import type { Call, Sent } from '../case.ts'
import { cleanUp, type Earlier, type Leftover, type Patience } from './cleanup.ts'

const binding = referenceBinding()
const leftover = (type: string, id: string | undefined, given: Partial<Leftover> = {}): Leftover => ({
  type,
  id,
  label: `assay-${type}-1`,
  params: {},
  ...given,
})

/** Cleans up on a target that answers by 'METHOD path'; everything else with an empty 200. */
async function clean(
  leftovers: readonly Leftover[],
  answers: Readonly<Record<string, Given | Error>> = {},
  earlier?: Earlier,
  patience?: Patience,
): Promise<{ sent: string[]; removed: (string | undefined)[]; left: (string | undefined)[]; why: string[] }> {
  const sent: string[] = []
  const removed: (string | undefined)[] = []
  const judge = newJudge()
  const send = async ({ operation, params, intent }: Call): Promise<Sent> => {
    const bound = binding.operations.get(operation)
    const line = `${bound?.method} ${fillPath(bound?.path ?? '', params ?? {})}`
    sent.push(line)
    const answer = answers[line] ?? {}
    if (answer instanceof Error) throw answer
    return judge.judge(exchange(line, { ...answer, ...(intent ? { intent } : {}) }))
  }
  const left = await cleanUp(leftovers, { binding, send }, async ({ type }) => void removed.push(type), {
    ...(earlier && { earlier }),
    ...(patience && { patience }),
  })
  return { sent, removed, left: left.map(({ type }) => type), why: left.map(({ why }) => why) }
}

const pipeline = leftover('pipeline', 'p')
const source = leftover('source', 's', { params: { pipeline_id: 'p' } })
const transform = leftover('transform', 't', { params: { pipeline_id: 'p' } })
const SCREENS = 'GET /v1/config/screen'

describe('cleanup', () => {
  test('removes the newest first', async () => {
    const { sent, left } = await clean([leftover('screen', '1'), leftover('screen', '2')])
    expect(sent).toEqual(['DELETE /v1/config/screen/2', 'DELETE /v1/config/screen/1'])
    expect(left).toEqual([])
  })
  test('leaves to a parent what goes with it', async () => {
    expect(await clean([pipeline, source, transform])).toEqual({
      sent: ['DELETE /v3/pipeline/p'],
      removed: ['pipeline', 'transform', 'source'],
      left: [],
      why: [],
    })
  })
  test('removes children by themselves where their parent stays, or is not ours', async () => {
    const { sent, left } = await clean([pipeline, source], { 'DELETE /v3/pipeline/p': { status: 409 } })
    expect(sent).toEqual(['DELETE /v3/pipeline/p', 'DELETE /v3/pipeline/p/source/s', 'DELETE /v3/pipeline/p'])
    expect(left).toEqual(['pipeline'])
    expect((await clean([source])).sent).toEqual(['DELETE /v3/pipeline/p/source/s'])
  })
  test('removes a parent before what its children may use', async () => {
    const { sent } = await clean([pipeline, leftover('group', 'g'), source])
    expect(sent).toEqual(['DELETE /v3/pipeline/p', 'DELETE /v3/transform-group/g'])
  })
  test.each([404, 410])('takes what is answered with %d for removed', async (status) => {
    const { left, removed } = await clean([leftover('screen', '1')], { 'DELETE /v1/config/screen/1': { status } })
    expect({ left, removed }).toEqual({ left: [], removed: ['screen'] })
  })
  test('tries once more, at the end, what the target did not hear of, or what was in use', async () => {
    const lost: Given[] = [{ outcome: 'reset' }, { status: 503 }, { status: 409 }]
    const once = (given: Given): Record<string, Given> => {
      let asked = 0
      return {
        get 'DELETE /v3/pipeline/p'() {
          asked += 1
          return asked === 1 ? given : {}
        },
      }
    }
    for (const given of lost) {
      const { sent, removed, left } = await clean([leftover('screen', '1'), pipeline, source], once(given))
      expect(sent).toEqual([
        'DELETE /v3/pipeline/p',
        'DELETE /v1/config/screen/1',
        'DELETE /v3/pipeline/p/source/s',
        'DELETE /v3/pipeline/p',
      ])
      expect({ removed, left }).toEqual({ removed: ['screen', 'source', 'pipeline'], left: [] })
    }
    expect((await clean([pipeline], { 'DELETE /v3/pipeline/p': { status: 403 } })).sent).toHaveLength(1)
  })
  test('leaves nothing of a parent that can be removed only at the end', async () => {
    let asked = 0
    const answers = {
      get 'DELETE /v3/transform-group/g'() {
        asked += 1
        return asked === 1 ? { status: 409 } : {}
      },
    }
    const revision = leftover('group-revision', 'r', { params: { transform_group_id: 'g' } })
    const { removed, left } = await clean([leftover('group', 'g'), revision], answers)
    expect({ asked, removed, left }).toEqual({ asked: 2, removed: ['group', 'group-revision'], left: [] })
  })
  test('reports what the binding has no way to remove', async () => {
    expect(await clean([leftover('group-revision', 'r'), leftover('unheard', 'u')])).toMatchObject({
      sent: [],
      left: ['unheard', 'group-revision'],
      why: ['a unheard', 'a group revision'].map((one) => `the binding has no operation that removes ${one}`),
    })
  })
  test.each<[string | undefined, Given | Error, string]>([
    ['1', { status: 403 }, 'delete-screen (DELETE /v1/config/screen/{id}) is answered with 403'],
    ['1', { status: 500 }, 'delete-screen (DELETE /v1/config/screen/{id}) is answered with 500'],
    ['1', { outcome: 'timeout' }, 'delete-screen (DELETE /v1/config/screen/{id}) is answered with timeout'],
    ['1', new Error('no connection'), 'delete-screen could not be sent: no connection'],
    [undefined, { status: 200 }, 'its id is unknown: no response tells it, and no list shows its name'],
  ])('says why a screen stays: id %s, %j', async (id, answer, why) => {
    const answers = { 'DELETE /v1/config/screen/1': answer, 'GET /v1/config/screen': { status: 500 } }
    expect(await clean([leftover('screen', id)], answers)).toMatchObject({ removed: [], left: ['screen'], why: [why] })
  })
})

describe('cleanup of a suspension', () => {
  const STATUS = 'GET /v1/config/ingestion/status'
  const RESUME = 'POST /v1/config/ingestion/resume'
  const suspension = leftover('suspension', 'suspension')
  const status = (isIngesting: boolean): Given => ({ got: { isIngesting } })

  test('is one call where ingestion runs then, or nobody can tell', async () => {
    expect(await clean([suspension], { [STATUS]: status(true) })).toMatchObject({ sent: [RESUME, STATUS], left: [] })
    expect((await clean([suspension])).left).toEqual([])
  })

  test('calls twice in a row where one call did not do, and reports what is suspended still', async () => {
    const { sent, left } = await clean([suspension], { [STATUS]: status(false) })
    expect(sent.slice(0, 5)).toEqual([RESUME, STATUS, RESUME, RESUME, STATUS])
    expect(left).toEqual(['suspension'])
  })

  test('gives the status time to show it', async () => {
    let now = 0
    const old: Record<string, Given> = { [STATUS]: status(false) }
    const patience: Patience = {
      settleMs: 1_000,
      now: () => now,
      sleep: async (milliseconds) => {
        now += milliseconds
        old[STATUS] = status(true)
      },
    }
    expect((await clean([suspension], old, undefined, patience)).left).toEqual([])
  })
})

describe('cleanup after a run that was killed', () => {
  const revision = leftover('group-revision', 'r', { params: { transform_group_id: 'g' } })
  const group = leftover('group', 'g')
  const nothing: Earlier = { removed: [] }
  const READ = 'GET /v3/transform-group/g/revision/r'
  const GROUP = 'GET /v3/transform-group/g'
  const gone = { status: 404 }

  test('counts what goes with a parent that it removes itself, without asking', async () => {
    const { sent, removed, left } = await clean([group, revision], {}, nothing)
    expect({ removed, left }).toEqual({ removed: ['group', 'group-revision'], left: [] })
    expect(sent).toHaveLength(1)
  })
  test('asks for what cannot be removed, whose parent may have been removed before', async () => {
    const killed = { removed: [{ type: 'group', id: 'g' }] }
    expect(await clean([revision], { [READ]: gone }, killed)).toEqual({
      sent: [READ],
      removed: ['group-revision'],
      left: [],
      why: [],
    })
    expect(await clean([revision], {}, killed)).toMatchObject({ sent: [READ], removed: [], left: ['group-revision'] })
  })
  test('asks for the parent where the thing itself cannot be read', async () => {
    const forbidden = { status: 403 }
    expect(await clean([revision], { [READ]: forbidden, [GROUP]: gone }, nothing)).toMatchObject({
      sent: [READ, GROUP],
      left: [],
    })
    expect(await clean([revision], { [READ]: forbidden, [GROUP]: {} }, nothing)).toMatchObject({
      left: ['group-revision'],
    })
  })
  test('takes the word of the journal for the parent where the thing itself cannot be read', async () => {
    const unknown = leftover('group-revision', undefined, { params: { transform_group_id: 'g' }, answered: true })
    const killed = { removed: [{ type: 'group', id: 'g' }] }
    expect((await clean([unknown], {}, killed)).left).toEqual([])
    expect((await clean([unknown], {}, nothing)).left).toEqual(['group-revision'])
  })
  test('counts as removed what refuses to be, and is not there', async () => {
    const refused = { 'DELETE /v1/config/screen/1': { status: 403 }, 'GET /v1/config/screen/1': gone }
    expect((await clean([leftover('screen', '1')], refused, nothing)).left).toEqual([])
    expect((await clean([leftover('screen', '1')], refused)).left).toEqual(['screen'])
  })
})

describe('cleanup of what has no known id', () => {
  const unknown = leftover('screen', undefined)
  const mine = { id: '7', title: 'assay-screen-1' }
  test('finds it by its name', async () => {
    const { sent, left } = await clean([unknown], { [SCREENS]: { got: [{ id: '6', title: 'other' }, mine] } })
    expect(sent).toEqual([SCREENS, 'DELETE /v1/config/screen/7'])
    expect(left).toEqual([])
  })
  test('takes it as never made where the list does not have it and no answer said that it was', async () => {
    expect(await clean([unknown], { [SCREENS]: { got: [] } })).toMatchObject({ sent: [SCREENS], left: [] })
    expect(await clean([{ ...unknown, answered: true }], { [SCREENS]: { got: [] } })).toMatchObject({
      left: ['screen'],
    })
  })
  test.each<[string, Given, number]>([
    ['cannot be read, also the second time', { status: 500 }, 2],
    ['shows no ids', { got: [{ title: 'assay-screen-1' }] }, 1],
    ['is no list', { got: { title: 'assay-screen-1' } }, 1],
  ])('reports it where the list %s', async (_, answer, times) => {
    const { sent, left } = await clean([unknown], { [SCREENS]: answer })
    expect({ sent, left }).toEqual({ sent: Array.from({ length: times }, () => SCREENS), left: ['screen'] })
  })
  test('finds all of them, at the end, once a list is heard', async () => {
    let asked = 0
    const late = {
      get [SCREENS](): Given {
        asked += 1
        return asked === 1 ? { outcome: 'reset' } : { got: ['1', '2'].map((id) => ({ id, title: `assay-${id}` })) }
      },
    }
    const two = ['2', '1'].map((id) => leftover('screen', undefined, { label: `assay-${id}`, answered: true }))
    const { sent, left } = await clean(two, late)
    expect(sent).toEqual([SCREENS, SCREENS, 'DELETE /v1/config/screen/1', 'DELETE /v1/config/screen/2'])
    expect(left).toEqual([])
  })
  test('removes as many of a name as it made, and nothing that was there before', async () => {
    const before = new Set(['1'])
    const two = [1, 2].map(() => leftover('screen', undefined, { label: 'a', answered: true, before }))
    const got = ['1', '2', '3'].map((id) => ({ id, title: 'a' }))
    const { sent, left } = await clean(two, { [SCREENS]: { got } })
    expect(sent).toEqual([SCREENS, 'DELETE /v1/config/screen/2', 'DELETE /v1/config/screen/3'])
    expect(left).toEqual([])
  })
  test('never removes by a name that a run does not give, unless it knows what was there before', async () => {
    const shown = { [SCREENS]: { got: [{ id: '1', title: 'a' }] } }
    const named = leftover('screen', undefined, { label: 'a' })
    expect(await clean([named], shown)).toMatchObject({ sent: [SCREENS], removed: [], left: ['screen'] })
    // Where nothing has that name, it was never made.
    expect(await clean([named], { [SCREENS]: { got: [{ id: '1', title: 'b' }] } })).toMatchObject({ left: [] })
    const answered = { ...named, answered: true }
    expect(await clean([answered], { [SCREENS]: { got: [] } })).toMatchObject({ left: ['screen'] })
  })
  test('asks again for what was made as long as a list may be old, once for the kind', async () => {
    let time = 0
    const patience: Patience = {
      settleMs: 1_000,
      now: () => time,
      async sleep(ms) {
        time += ms
      },
    }
    const got = (): unknown => (time < 500 ? [] : [mine])
    const late = {
      [SCREENS]: {
        get got() {
          return got()
        },
      },
    }
    const made = { ...unknown, answered: true }
    expect(await clean([made], late, undefined, patience)).toMatchObject({
      sent: [SCREENS, SCREENS, SCREENS, 'DELETE /v1/config/screen/7'],
      left: [],
    })
    time = 0
    const { sent, left } = await clean([made, { ...made }], { [SCREENS]: { got: [] } }, undefined, patience)
    expect({ lists: sent.length, left, time }).toEqual({ lists: 5, left: ['screen', 'screen'], time: 1_000 })
    // Things that nobody reported as made are not waited for.
    expect((await clean([unknown], { [SCREENS]: { got: [] } }, undefined, patience)).sent).toHaveLength(1)
  })
  test('takes nothing for another of its name that an old list shows once more', async () => {
    let asked = 0
    const patience: Patience = {
      settleMs: 2,
      now() {
        asked += 1
        return asked
      },
      sleep: async () => undefined,
    }
    const made = { ...unknown, answered: true }
    const { left } = await clean([made, { ...made }], { [SCREENS]: { got: [mine] } }, undefined, patience)
    expect(left).toEqual(['screen'])
  })
  test('finds what it made without a name', async () => {
    const nameless = leftover('screen', undefined, { answered: true, before: new Set(['1']) })
    const { sent } = await clean([nameless], { [SCREENS]: { got: [{ id: '1' }, { id: '2' }] } })
    expect(sent).toEqual([SCREENS, 'DELETE /v1/config/screen/2'])
  })
})
