import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readJournal } from '../../fixtures/journal.ts'
import { startReference } from '../../reference/server.ts'
import { exchange, type Given, referenceBinding } from '../../rules/testing.ts'
import type { Consent } from '../../schemas/types/config.ts'
import { BaselineNoise, clearPass } from './baseline.ts'
import { replayedTo } from './testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-clear-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
async function taught(told: readonly Told[], isClear = true): Promise<{ learned: string[]; others: number }> {
  const first = told.map(([line, given], index) => exchange(line, { ...given, start: index * 1_000 }))
  const replayed = await replayedTo(first, (_, number) => ({ ...told[number - 1]?.[1], ...told[number - 1]?.[2] }))
  const noise = new BaselineNoise(isClear)
  for (const one of replayed) noise.add(one)
  const { entries, others } = noise.learned()
  return { learned: entries.map(({ operation, pointer }) => `${operation} ${pointer}`), others }
}

const view = (id: string, more: object = {}): object => ({ viewid: id, name: 'mine', ...more })

describe('what a second replay teaches', () => {
  test('places that differ, in bodies and header fields, of what nobody had changed', async () => {
    const { learned, others } = await taught([
      ['GET /v1/config/view', { got: [{ name: 'old', luck: 1 }] }, { got: [{ name: 'old', luck: 2 }] }],
      ['GET /v1/config/view/old', { got: { luck: 1, n: 1 } }, { got: { luck: 2, n: 1 } }],
    ])
    expect(learned).toEqual(['list-views /*/luck', 'get-view /luck'])
    expect(others).toBe(0)
  })

  test('elements that come and go, where the first replay left nothing', async () => {
    const told: Told[] = [['GET /v1/config/view', { got: [] }, { got: [{ viewid: 'x', name: 'y' }] }]]
    expect(await taught(told)).toEqual({ learned: ['list-views /*'], others: 0 })
    expect(await taught(told, false)).toEqual({ learned: [], others: 1 })
  })

  test('no status, nor what is shown of a thing that could then not be changed', async () => {
    const { learned, others } = await taught([
      ['PUT /v1/config/view/old', { sent: { n: 2 }, got: { n: 2 } }, { status: 409 }],
      ['GET /v1/config/view/old', { got: { n: 2 } }, { got: { n: 1 } }],
      ['GET /v1/config/view/third', { got: { n: 2 } }, { got: { n: 1 } }],
    ])
    expect({ learned, others }).toEqual({ learned: ['get-view /n'], others: 1 })
  })

  test('nothing of what the first replay changed after it had looked', async () => {
    const before: Told = ['GET /v1/config/view/old', { got: { n: 1 } }, { got: { n: 2 } }]
    const put: Told = ['PUT /v1/config/view/old', { sent: { n: 2 }, got: { n: 2 } }]
    expect(await taught([before, put])).toEqual({ learned: [], others: 1 })
    expect((await taught([put, before])).learned).toEqual(['get-view /n'])
  })

  test('nothing of lines where the first replay sent some, unless they are of other hosts', async () => {
    const lines: Told = ['POST /logs/ingest?hostname=a', { sent: { lines: [] }, got: {} }]
    const usage: Told = [
      'GET /v2/usage/apps',
      { got: { results: [{ name: 'a', total_bytes: 1 }] } },
      { got: { results: [{ name: 'a', total_bytes: 2 }] } },
    ]
    expect((await taught([lines, usage])).learned).toEqual([])
    expect((await taught([usage])).learned).toHaveLength(1)
    const exported = (host: string): Told => [
      `GET /v2/export?hosts=${host}`,
      { got: { lines: [], more: 1 } },
      { got: { lines: [], more: 2 } },
    ]
    expect((await taught([lines, exported('a')])).learned).toEqual([])
    expect((await taught([lines, exported('b')])).learned).toEqual(['export-v2 /more'])
  })

  test('nothing where the request names what the second replay did not learn', async () => {
    const { learned } = await taught([
      ['POST /v1/config/view', { sent: { name: 'mine' }, got: view(ID) }, { status: 409 }],
      [`GET /v1/config/view/${ID}`, { got: view(ID, { n: 1 }) }, { got: view(ID, { n: 2 }) }],
    ])
    expect(learned).toEqual([])
  })
})
