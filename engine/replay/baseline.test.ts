import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readJournal } from '../../fixtures/journal.ts'
import { startReference } from '../../reference/server.ts'
import { referenceBinding } from '../../rules/testing.ts'
import type { Consent } from '../../schemas/types/config.ts'
import { clearPass } from './baseline.ts'

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
