import { describe, expect, test } from 'vitest'
import type { Made, Request } from './client.ts'
import { infer } from './infer.ts'
import { removeAll } from './removal.ts'
import type { Search } from './search.ts'
import { NOTHING, probeOf, type Reply } from './testing/probe.ts'
import { searchThing } from './things.ts'

/** A target of boards that stand at a path of its own, in envelopes and under names of its own. */
function boards(more: (request: Request) => Reply | undefined = () => undefined) {
  const rows: Record<string, unknown>[] = [{ no: 1, caption: 'of somebody else' }]
  const at = '/v1/config/dashboards'
  return (request: Request): Reply => {
    const { method, path, body } = request
    const own = more(request)
    if (own) return own
    if (path === at && method === 'GET') return [200, { entries: rows }]
    if (path === at && method === 'POST') {
      const { caption } = body as { caption?: string }
      if (caption === undefined) return [400, { error: 'missing field: caption' }]
      rows.push({ no: 4711, ...(body as object) })
      // Another id stands before its own.
      return [201, { created: { board_id: 1, no: 4711 } }]
    }
    const row = rows.find(({ no }) => path === `${at}/${no}`)
    return row && method === 'GET' ? [200, { entry: row }] : NOTHING
  }
}

const findingsOf = ({ hits, answers, open }: Search): ReturnType<typeof infer> => infer({ routes: hits, answers, open })

const things = ({ ledger }: Search): readonly Pick<Made, 'id' | 'removed'>[] =>
  ledger.things.map(({ id, removed }) => ({ id, removed }))

describe('one kind of resource', () => {
  test('is made, found again by its name, and so its paths, places and names are known', async () => {
    const { probe, written } = probeOf(boards(), { modify: true })
    const found = await searchThing(probe, 'board')
    expect(found).toMatchObject({ label: 'assay-abcdef-board', item: '/v1/config/dashboards/{board_id}' })
    const { operations, resources, open } = findingsOf(probe)
    expect(operations.get('create-board')).toMatchObject({
      path: '/v1/config/dashboards',
      body: { caption: '{{label}}' },
      answer: { id: '/created/no' },
      sure: 'proven',
    })
    expect(operations.get('create-board')?.answer).not.toHaveProperty('record')
    expect(operations.get('get-board')).toMatchObject({
      path: '/v1/config/dashboards/{board_id}',
      answer: { record: '/entry', id: '/entry/no' },
      sure: 'proven',
    })
    expect(operations.get('list-boards')).toMatchObject({ answer: { list: '/entries' }, sure: 'proven' })
    expect(resources.get('board')).toEqual({ label: 'caption', key: 'no' })
    // This target has no way to change one.
    expect([...open.keys()]).toEqual(['update-board'])
    expect(probe.ids).toEqual({ board_id: '4711' })
    // The sample that was refused is known not to have made anything.
    expect(written).toEqual(['making', 'not-made', 'making', 'made'])
    expect(things(probe)).toEqual([
      { id: undefined, removed: true },
      { id: '4711', removed: false },
    ])
  })

  test('of members goes by the address, whatever other id they have', async () => {
    let email = ''
    const { probe } = probeOf(
      ({ method, path, body }) => {
        const row = { id: 405, email }
        if (method === 'POST' && path === '/v1/config/members') {
          email = String((body as { email?: unknown }).email)
          return [201, { id: 405, email }]
        }
        if (method === 'GET' && path === '/v1/config/members') return [200, [{ id: 1, email: 'a@example.com' }, row]]
        return method === 'GET' && path === '/v1/config/members/405' ? [200, row] : NOTHING
      },
      { modify: true },
    )
    await searchThing(probe, 'member')
    expect(probe.ids.email).toBe(email)
    expect(probe.hits.has('get-member')).toBe(false)
    expect(findingsOf(probe).operations.get('create-member')?.answer?.id).toBe('/email')
  })

  test('stays in the journal where a failure does not tell whether it was made', async () => {
    const { probe, written } = probeOf(
      boards(({ method }) => (method === 'POST' ? [503, {}] : undefined)),
      { modify: true },
    )
    expect(await searchThing(probe, 'board')).toBeUndefined()
    expect(new Set(written)).toEqual(new Set(['making']))
    expect(things(probe).every(({ removed }) => !removed)).toBe(true)
    expect(findingsOf(probe).open.get('create-board')).toMatch(/POST \S+ returned 503; no sample body was accepted/)
    // Resources that were there before are read all the same.
    expect(findingsOf(probe).operations.get('list-boards')).toMatchObject({
      path: '/v1/config/dashboards',
      sure: 'likely',
    })
  })

  test('whose list is old for a while, and which takes no parameters, is found and removed', async () => {
    const at = '/v1/enterprise/keys'
    const rows: Record<string, unknown>[] = [{ id: 'k1', name: 'of somebody else', key: 's1' }]
    let old: readonly unknown[] = [...rows]
    const list = (): Reply => {
      const shown = old
      old = [...rows]
      return [200, shown]
    }
    const { probe, written } = probeOf(
      ({ method, path, body }) => {
        if (path === at && method === 'GET') return list()
        if (method === 'POST' && path.includes('?')) return [400, { error: 'unknown parameter' }]
        if (method === 'POST' && path === at) rows.push({ id: 'k2', key: 's2', ...(body as object) })
        if (method === 'DELETE' && path === `${at}/k2`) rows.pop()
        return path === at || method === 'DELETE' ? [200, rows.at(-1)] : NOTHING
      },
      { modify: true },
    )
    await searchThing(probe, 'enterprise-key')
    const { operations, resources } = findingsOf(probe)
    expect(operations.get('create-enterprise-key')).toMatchObject({ path: at, query: {} })
    expect(resources.get('enterprise-key')).toEqual({ label: 'name', key: 'id' })
    expect(await removeAll(probe)).toEqual([])
    expect(written.slice(-2)).toEqual(['made', 'removed'])
  })

  test('that is made and found nowhere stays open', async () => {
    const { probe } = probeOf(
      boards(({ method }) => (method === 'POST' ? [201, { created: { no: 5 } }] : undefined)),
      { modify: true },
    )
    expect(await searchThing(probe, 'board')).toBeUndefined()
    expect(findingsOf(probe).open.get('create-board')).toMatch(/returned 201, but the new resource was found nowhere/)
  })

  test('without consent is only read: its list, and one of what it holds', async () => {
    const { probe, written } = probeOf(boards(), { modify: false })
    expect(await searchThing(probe, 'board')).toBeUndefined()
    expect(written).toEqual([])
    const { operations, resources } = findingsOf(probe)
    expect([...operations.keys()].sort()).toEqual(['get-board', 'list-boards'])
    expect(operations.get('list-boards')).toMatchObject({ answer: { list: '/entries' }, sure: 'likely' })
    expect(operations.get('get-board')).toMatchObject({ answer: { record: '/entry', id: '/entry/no' }, sure: 'proven' })
    expect(resources.get('board')).toEqual({ key: 'no' })
  })

  test('of which two lists may be meant is a question', async () => {
    const both = boards(({ method, path }) =>
      method === 'GET' && path === '/v1/settings/boards' ? [200, []] : undefined,
    )
    const { probe } = probeOf(both, { modify: false })
    await searchThing(probe, 'board')
    expect(findingsOf(probe).open.get('list-boards')).toMatch(/dashboards and \S+boards both return lists/)
    expect(findingsOf(probe).operations.size).toBe(0)
  })

  test('that is listed nowhere is a question, with the paths that were tried', async () => {
    const { probe } = probeOf(() => NOTHING, { modify: false })
    await searchThing(probe, 'board')
    expect(findingsOf(probe).open.get('list-boards')).toMatch(
      /^no list of them was found \(tried GET \S+, .* and \d+ more\)$/,
    )
  })

  test('is not what the target answers to any path', async () => {
    const alike: Reply = [200, { entries: [] }]
    const { probe } = probeOf(() => alike, { modify: false }, alike)
    await searchThing(probe, 'board')
    expect([...findingsOf(probe).operations.keys()]).toEqual([])
  })

  test('whose elements cannot be read leaves no id behind', async () => {
    const { probe } = probeOf(
      boards(({ path }) => (path.endsWith('/1') ? NOTHING : undefined)),
      { modify: false },
    )
    await searchThing(probe, 'board')
    expect([...findingsOf(probe).operations.keys()]).toEqual(['list-boards'])
    expect(probe.ids).toEqual({})
  })

  test('whose id another kind has as well is found under it, since each may count for itself', async () => {
    const { probe } = probeOf(boards(), { modify: true })
    probe.ids.view_id = '4711'
    expect(await searchThing(probe, 'board')).toMatchObject({ item: '/v1/config/dashboards/{board_id}' })
    expect(probe.ids).toMatchObject({ board_id: '4711' })
  })

  test.each([
    ['with a list in it', { integration: 's3', bucket: 'mine', regions: [{ name: 'eu' }] }, false],
    ['where a document says how one is made', { integration: 's3', bucket: 'mine' }, true],
  ])('an archive that is configured stays as it is %s', async (_, archive, isDocumented) => {
    const sent: string[] = []
    const { probe } = probeOf(
      ({ method, path }) => {
        if (method !== 'GET') sent.push(`${method} ${path}`)
        return path === '/v1/config/archiving' ? [200, archive] : NOTHING
      },
      { modify: true, archiving: true },
    )
    const route = {
      method: 'PUT',
      path: '/v1/config/archiving',
      names: [],
      count: 1,
      from: '',
      sure: 'documented',
    } as const
    const routes = new Map([['create-archiving', { ...route, seen: [] }]])
    if (isDocumented) Object.assign(probe, { documented: { ...probe.documented, routes } })
    expect(await searchThing(probe, 'archiving')).toBeUndefined()
    expect(sent).toEqual([])
    expect(probe.hits.get('get-archiving')).toMatchObject({ path: '/v1/config/archiving', sure: 'likely' })
  })

  test('an archive in a list has a path of its own, although the list stands where a single one would', async () => {
    const archive = { id: 'a-1', target: { integration: 's3', bucket: 'assay-example' } }
    const list: object[] = []
    const { probe } = probeOf(
      ({ method, path }) => {
        if (path === '/v1/config/archiving/a-1') return [200, archive]
        if (path !== '/v1/config/archiving') return NOTHING
        if (method === 'POST') list.push(archive)
        return method === 'GET' ? [200, list] : [201, archive]
      },
      { modify: true, archiving: true },
    )
    const route = { method: 'GET', path: '/v1/config/archiving', names: [], count: 1, from: '', seen: [] }
    const routes = new Map([['get-archiving', { ...route, sure: 'documented' as const }]])
    Object.assign(probe, { documented: { ...probe.documented, routes } })
    await searchThing(probe, 'archiving')
    expect(probe.hits.get('get-archiving')?.path).toBe('/v1/config/archiving/{archiving_id}')
  })

  test('that acts on the whole account needs a consent of its own', async () => {
    const { probe, written } = probeOf(({ method }) => (method === 'GET' ? [200, []] : [201, { id: 'made' }]), {
      modify: true,
    })
    await searchThing(probe, 'exclusion')
    expect([...findingsOf(probe).operations.keys()]).toEqual(['list-exclusions'])
    expect(written).toEqual([])
  })
})
