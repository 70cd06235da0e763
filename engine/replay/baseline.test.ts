import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readJournal } from '../../fixtures/journal.ts'
import { lastingFolder } from '../../fixtures/testing/folder.ts'
import { run, target } from '../../fixtures/testing/replay.ts'
import { startReference } from '../../reference/server.ts'
import { exchange, type Given, referenceBinding } from '../../rules/testing.ts'
import type { Consent } from '../../schemas/types/config.ts'
import { BaselineNoise, clearPass } from './baseline.ts'

const folder = lastingFolder()

/** A journal of things that were made, each as its kind, name and id. */
function journalOf(...made: readonly (readonly [type: string, label: string, id?: string])[]): string {
  const path = join(folder, 'journal.ndjson')
  const header = { type: 'run', formatVersion: 1, baseUrl: '', binding: '', prefix: '', startedAt: '' }
  const lines = made.flatMap(([resource, label, id], index) => [
    { type: 'making', entry: String(index), resource, label, params: {}, case: 'replay' },
    ...(id === undefined ? [] : [{ type: 'made', entry: String(index), id }]),
  ])
  writeFileSync(path, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

test('what was made is removed and noted, but for what needs a consent of its own', async () => {
  const embedded = await startReference()
  try {
    const target = {
      baseUrl: embedded.url,
      credentials: embedded.credentials,
      resources: embedded.resources,
      binding: 'reference',
    }
    const authorization = `Token ${embedded.credentials.accessToken}`
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(`${embedded.url}/v1/config/board`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ title: 'Operations' }),
    })
    const { id } = (await answer.json()) as { id: string }
    const journal = journalOf(['board', 'Operations', id], ['exclusion', 'mine', 'x1'], ['board', 'Not ours'])
    const clear = (consent: Consent): ReturnType<typeof clearPass> =>
      clearPass({ journal, binding: referenceBinding(), target, consent, stopped: () => false })
    const left = await clear({ modifyTarget: true })
    expect(left.map(({ type, consent }) => [type, consent])).toEqual([['exclusion', 'consent.exclusions']])
    expect(readJournal(journal).remaining.map(({ making }) => making.resource)).toEqual(['exclusion'])
    expect((await fetch(`${embedded.url}/v1/config/board/${id}`, { headers })).status).toBe(404)
    expect(await clear({ exclusions: true })).toEqual([])
  } finally {
    await embedded.close()
  }
})

const ID = '11111111-1111-4111-8111-111111111111'

type Told = readonly [line: string, first: Given, second?: Given]

/** What is learned of a first replay, and of a second one with other answers; each one second after the other. */
async function taught(told: readonly Told[], isClear = true): Promise<string[]> {
  const first = told.map(([line, given], index) => exchange(line, { ...given, start: index * 1_000 }))
  const second = target((_, number) => ({ ...told[number - 1]?.[1], ...told[number - 1]?.[2] }))
  const { replayed } = await run(first, second, { concurrency: 1 })
  const noise = new BaselineNoise(isClear)
  for (const one of replayed) noise.add(one)
  return noise.learned().map(({ operation, pointer }) => `${operation} ${pointer}`)
}

const view = (id: string, more: object = {}): object => ({ viewid: id, name: 'mine', ...more })

describe('what a second replay teaches', () => {
  test('places that differ, in bodies and header fields', async () => {
    const luck = (luck: number): Given => ({ got: { luck, n: 1 } })
    const told: Told[] = [
      ['GET /v1/config/view', { got: [{ name: 'old', luck: 1 }] }, { got: [{ name: 'old', luck: 2 }] }],
      ['GET /v1/config/view/old', luck(1), luck(2)],
    ]
    expect(await taught(told)).toEqual(['list-views /*/luck', 'get-view /luck'])
  })

  test('elements that come and go, where the first replay left nothing', async () => {
    const told: Told[] = [['GET /v1/config/view', { got: [] }, { got: [{ viewid: 'x', name: 'y' }] }]]
    expect(await taught(told)).toEqual(['list-views /*'])
    expect(await taught(told, false)).toEqual([])
  })

  test('no status', async () => {
    expect(await taught([['PUT /v1/config/view/old', { sent: { n: 2 }, got: { n: 2 } }, { status: 409 }]])).toEqual([])
  })

  test('nothing of what the first replay changed after it had looked', async () => {
    const before: Told = ['GET /v1/config/view/old', { got: { n: 1 } }, { got: { n: 2 } }]
    const put: Told = ['PUT /v1/config/view/old', { sent: { n: 2 }, got: { n: 2 } }]
    expect(await taught([before, put])).toEqual([])
    expect(await taught([put, before])).toEqual(['get-view /n'])
    // A change that one of both refused is seen by all that follows.
    for (const [first, second] of [
      [200, 409],
      [409, 200],
    ]) {
      const once: Told = [put[0], { ...put[1], status: first ?? 0 }, { status: second ?? 0 }]
      expect(await taught([once, before])).toEqual([])
    }
  })

  test('nothing of usage and exports, which count the lines of the first replay as well', async () => {
    const usage = (total_bytes: number): Given => ({ got: { results: [{ name: 'a', total_bytes }] } })
    expect(await taught([['GET /v2/usage/apps', usage(1), usage(2)]])).toEqual([])
    const exported = (total: number): Given => ({ got: { lines: [], total } })
    expect(await taught([['GET /v2/export?from=1&to=2', exported(1), exported(2)]])).toEqual([])
  })

  test('nothing where the request names what the second replay did not learn', async () => {
    const told: Told[] = [
      ['POST /v1/config/view', { sent: { name: 'mine' }, got: view(ID) }, { status: 409 }],
      [`GET /v1/config/view/${ID}`, { got: view(ID, { n: 1 }) }, { got: view(ID, { n: 2 }) }],
    ]
    expect(await taught(told)).toEqual([])
  })
})
