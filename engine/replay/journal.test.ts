import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readJournal } from '../../fixtures/journal.ts'
import { createDependencies } from '../../fixtures/replay/plan/dependencies.ts'
import type { Step } from '../../fixtures/replay/plan/races.ts'
import { exchange, type Given, referenceBinding } from '../../rules/testing.ts'
import { ReplayJournal } from './journal.ts'

const P = '11111111-1111-4111-8111-111111111111'
const S = '22222222-2222-4222-8222-222222222222'
const folder = mkdtempSync(join(tmpdir(), 'assay-journal-'))
const path = join(folder, 'journal.ndjson')
const binding = referenceBinding()
const touch = createDependencies(binding.operations.values(), '')
afterEach(() => rmSync(path, { force: true }))

/** Lets a replay do what is listed, and returns what the journal says is left. */
async function left(...done: readonly (readonly [string, Given, 'unsent'?])[]): Promise<string[]> {
  writeFileSync(path, '{"type":"run","formatVersion":1,"baseUrl":"","binding":"","prefix":"","startedAt":""}\n')
  const journal = await ReplayJournal.open(path, binding)
  for (const [number, [line, given, unsent]] of done.entries()) {
    const one = exchange(line, given)
    const step: Step = { exchange: one, dependencies: touch(one), number }
    await journal.making(step, { path: line.split(' ')[1] ?? '', body: one.request.postData?.text })
    if (unsent) journal.notSent(step)
    else journal.answered(step, one)
  }
  await journal.close()
  return readJournal(path).remaining.map(({ making, id }) => `${making.resource} ${id ?? `(${making.label})`}`)
}

const pipeline = ['POST /v3/pipeline', { sent: { title: 'one' }, got: { data: { id: P } } }] as const
const source = [`POST /v3/pipeline/${P}/source`, { sent: { title: 'two' }, got: { data: { id: S } } }] as const

describe('the journal of a replay', () => {
  test('what was made and not removed is left, with its id', async () => {
    expect(await left(pipeline, source)).toEqual([`pipeline ${P}`, `source ${S}`])
  })

  test('what belongs to something goes with it', async () => {
    expect(await left(pipeline, source, [`DELETE /v3/pipeline/${P}`, { got: {} }])).toEqual([])
  })

  test('a removal that was refused removes nothing, a creation that was refused makes nothing', async () => {
    expect(await left(pipeline, [`DELETE /v3/pipeline/${P}`, { status: 500 }])).toEqual([`pipeline ${P}`])
    expect(await left(['POST /v3/pipeline', { sent: { title: 'one' }, status: 400 }])).toEqual([])
  })

  test('an id whose percent-encoding is none is taken as it stands', async () => {
    expect(await left(pipeline, ['DELETE /v3/pipeline/50%', { got: {} }])).toEqual([`pipeline ${P}`])
  })

  test('a creation without an answer may have made something, under its name', async () => {
    expect(await left(['POST /v3/pipeline', { sent: { title: 'one' }, outcome: 'reset' }])).toEqual(['pipeline (one)'])
  })

  test('a creation that could not be sent makes nothing', async () => {
    expect(await left(['POST /v3/pipeline', { sent: { title: 'one' } }, 'unsent'], pipeline)).toEqual([`pipeline ${P}`])
  })

  test('where the answer does not tell the id, a list does', async () => {
    const made = ['POST /v1/config/presetalert', { sent: { name: 'one', channels: [] } }] as const
    const list = ['GET /v1/config/presetalert', { got: [{ presetid: P, name: 'one' }] }] as const
    expect(await left(made)).toEqual(['preset-alert (one)'])
    expect(await left(made, list)).toEqual([`preset-alert ${P}`])
    expect(await left(made, list, [`DELETE /v1/config/presetalert/${P}`, {}])).toEqual([])
    const two = [P, S].map((presetid) => ({ presetid, name: 'one' }))
    expect(await left(made, ['GET /v1/config/presetalert', { got: two }])).toEqual(['preset-alert (one)'])
    expect(await left(made, made, ['GET /v1/config/presetalert', { got: two }])).toEqual([
      `preset-alert ${P}`,
      `preset-alert ${S}`,
    ])
  })

  test('a suspension is taken back by resuming', async () => {
    const suspended = ['POST /v1/config/ingestion/suspend/confirm', { sent: { token: 'x' }, got: {} }] as const
    expect(await left(suspended)).toEqual(['suspension suspension'])
    expect(await left(suspended, ['POST /v1/config/ingestion/resume', { got: {} }])).toEqual([])
  })
})
