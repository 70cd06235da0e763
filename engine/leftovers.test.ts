import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readJournal } from '../fixtures/journal.ts'
import { ownFolder } from '../fixtures/testing/folder.ts'
import { startReference } from '../reference/server.ts'
import { referenceBinding } from '../rules/testing.ts'
import { cleanupCommand, closeJournal, entriesOf, removeEntries } from './leftovers.ts'

const folder = ownFolder()

/** A journal of boards that may have been made. */
function journalOf(...labels: string[]): string {
  const path = join(folder, 'journal.ndjson')
  const header = { type: 'run', formatVersion: 1, baseUrl: '', binding: '', prefix: '', startedAt: '' }
  const lines = labels.map((label) => ({
    type: 'making',
    entry: label,
    resource: 'board',
    label,
    params: {},
    case: 'c',
  }))
  writeFileSync(path, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

test('a journal stays while it names something that may still be there', async () => {
  const path = journalOf('assay-abcdef-board')
  expect([await closeJournal(path, false), existsSync(path)]).toEqual([false, true])
  expect([await closeJournal(path, true), existsSync(path)]).toEqual([true, false])
  expect(await closeJournal(path, false)).toBe(false)
  expect([await closeJournal(journalOf(), false), existsSync(path)]).toEqual([true, false])
})

test('what is removed, or is not there, is noted in the journal', async () => {
  const embedded = await startReference()
  try {
    const { url: baseUrl, credentials, resources } = embedded
    const target = { baseUrl, credentials, resources }
    const journal = journalOf('assay-abcdef-one', 'assay-abcdef-two')
    const content = readJournal(journal)
    const removed: string[] = []
    const removing = { journal, content, binding: referenceBinding(), target, name: 'clear' }
    const [entry, ...others] = entriesOf(content)
    if (!entry) throw new Error('the journal names nothing')
    expect(others).toHaveLength(1)
    expect(await removeEntries([entry], { ...removing, onRemoved: ({ key }) => void removed.push(key) })).toEqual([])
    expect(removed).toEqual([entry.key])
    expect(entriesOf(readJournal(journal))).toEqual(others)
  } finally {
    await embedded.close()
  }
})

test.each([
  [{}, "npx assay cleanup 'my out/journal.ndjson'"],
  [{ config: 'my.json' }, "npx assay cleanup 'my out/journal.ndjson' --config my.json"],
  [
    { target: 'http://h/a b', binding: './b.json' },
    "npx assay cleanup 'my out/journal.ndjson' --target 'http://h/a b' --binding ./b.json",
  ],
])('the command for a cleanup tells again what the run was told: %j', (given, command) => {
  expect(cleanupCommand('npx assay', 'my out/journal.ndjson', given)).toBe(command)
})
