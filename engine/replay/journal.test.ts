import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readJournal } from '../../fixtures/journal.ts'
import { createDependencies } from '../../fixtures/replay/plan/dependencies.ts'
import type { Step } from '../../fixtures/replay/plan/doubts.ts'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { exchange, type Given, referenceBinding } from '../../rules/testing.ts'
import { type Binding, type BindingFile, resolveBinding } from '../../schemas/binding.ts'
import { ReplayJournal } from './journal.ts'

const P = '11111111-1111-4111-8111-111111111111'
const S = '22222222-2222-4222-8222-222222222222'
const path = join(ownFolder(), 'journal.ndjson')
const binding = referenceBinding()

/** Lets a replay do what is listed, and returns what the journal says is left. */
async function left(...done: readonly Done[]): Promise<string[]> {
  await (await replayed(binding, ...done)).close()
  return readJournal(path).remaining.map(({ making, id }) => `${making.resource} ${id ?? `(${making.label})`}`)
}

type Done = readonly [line: string, given: Given & { location?: string }, unsent?: 'unsent']

async function replayed(binding: Binding, ...done: readonly Done[]): Promise<ReplayJournal> {
  const touch = createDependencies(binding, '')
  writeFileSync(path, '{"type":"run","formatVersion":1,"baseUrl":"","binding":"","prefix":"","startedAt":""}\n')
  const journal = await ReplayJournal.open(path, binding, '')
  for (const [number, [line, given, unsent]] of done.entries()) {
    const one = exchange(line, given)
    if (given.location !== undefined) one.response.headers.push({ name: 'Location', value: given.location })
    const step: Step = { exchange: one, dependencies: touch(one), number }
    await journal.making(step, { path: line.split(' ')[1] ?? '', body: one.request.postData?.text })
    if (unsent) journal.notSent(step)
    else journal.answered(step, one)
  }
  return journal
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

describe('what a replay may remove is what it made, and not what it was only shown', () => {
  const file = JSON.parse(readFileSync('examples/second-server/binding.json', 'utf8')) as BindingFile
  const numbers = resolveBinding({ name: file.name, chain: [file.name], files: [file] })
  const boards = '/v1/config/dashboards'
  const made = { status: 201, sent: { caption: 'x' }, got: { created: { no: 500 } } }

  test.each<[string, Binding, readonly Done[], Readonly<Record<string, boolean>>]>([
    [
      'by numbers, each as one of its type',
      numbers,
      [
        [`GET ${boards}`, { got: { entries: [{ no: 300, caption: 'old' }] } }],
        [`POST ${boards}`, made],
      ],
      {
        [`delete-board ${boards}/500`]: true,
        [`delete-board ${boards}/300`]: false,
        'delete-view /v1/config/searches/500': false,
      },
    ],
    [
      'by ids at their places, and what lies in them',
      binding,
      [
        ['GET /v3/pipeline', { got: { data: [{ id: S }] } }],
        ['POST /v3/pipeline', { sent: { title: 'x' }, got: { data: { id: P } } }],
      ],
      {
        [`delete-pipeline /v3/pipeline/${P}`]: true,
        [` /v3/pipeline/${P}/notes/7`]: true,
        [` /v3/other/${P}`]: false,
        [`delete-pipeline /v3/pipeline/${S}`]: false,
      },
    ],
    [
      'by addresses, and where there is only one',
      binding,
      [
        ['POST /v1/config/members', { sent: { email: 'a@example.com' }, got: {} }],
        ['POST /v1/config/archiving', { sent: {}, got: {} }],
      ],
      {
        'delete-member /v1/config/members/a%40example.com': true,
        'delete-member /v1/config/members/b%40example.com': false,
        'delete-archiving /v1/config/archiving': true,
        // a name of a run of assay, and what only holds the word
        ' /v1/config/members/assay-aaaaaa-x%40example.com': true,
        ' /v1/config/members/qa%2Bassay-aaaaaa-x-1%40corp.example': true,
        ' /v1/config/members/qa%40assay-labs.example': false,
        ' /v1/config/members/old-assay-bot%40corp.example': false,
        ' /v1/config/members/assay-bot': false,
        ' /v1/config/members/assay-aaaaaa': false,
        ' /v1/config/members/b%40example.com/assay-aaaaaa-x': false,
      },
    ],
    [
      'by paths, of what no binding knows',
      binding,
      [
        ['GET /things', { got: [{ id: S }] }],
        ['POST /things', { sent: { of: S }, got: { id: P, of: S } }],
        ['POST /things', { status: 201, location: 'http://x.example/base/things/7?a' }],
      ],
      {
        [` /things/${P}/parts/7`]: true,
        [` /things/${S}`]: false,
        [` /others/${P}`]: false,
        ' /things/7': true,
        ' /others/7': false,
        ' /things/8': false,
      },
    ],
  ])('%s', async (_, own, done, expected) => {
    const journal = await replayed(own, ...done)
    const found = Object.keys(expected).map((line) => {
      const asked = line.split(' ')[1] ?? ''
      return [line, journal.made(asked)]
    })
    await journal.close()
    expect(Object.fromEntries(found)).toEqual(expected)
  })
})
