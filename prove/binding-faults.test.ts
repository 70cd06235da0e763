import { describe, expect, test } from 'vitest'
import { asked, handler } from '../reference/faults/core/changes.ts'
import type { Changes } from '../reference/faults/core/fault.ts'
import type { BindingFile } from '../schemas/types/binding.ts'
import { casesOf, run } from './testing.ts'
import type { Trial } from './trial.ts'

let files = 0

/** Runs cases against the reference as it is, under a binding that does not fit it. */
function under(operations: BindingFile['operations'], ...cases: readonly string[]): Promise<Trial> {
  files += 1
  return over(undefined, { formatVersion: 1, name: `misfit-${files}`, ...(operations && { operations }) }, cases)
}

function over(changes: Changes | undefined, binding: BindingFile, cases: readonly string[]): Promise<Trial> {
  const overlay = changes && { name: 'changed', ...changes }
  return run({ overlay, binding, seed: 5, profile: 'standard', cases: casesOf((id) => cases.includes(id)) })
}

const EXCLUDING = ['create-exclusion/drops', 'create-exclusion/usage']
const ends = ({ records }: Trial): unknown[] => records.map(({ state, reason, detail }) => [state, reason, detail])

describe('an exclusion rule that cannot act is not held against the target', () => {
  const sample = (more: object): BindingFile['operations'] => ({
    'create-exclusion': { body: { title: '{{label}}', apps: ['{{label}}'], ...more } },
    'update-exclusion': { offered: false },
  })
  test.each<[object, string]>([
    [{ active: false }, 'active is false'],
    [{ disabled: true }, 'disabled is true'],
    [{ indexonly: false }, 'indexonly is false'],
    [{ apps: ['another'], active: true }, 'it does not select by {{label}}'],
  ])('%j', async (more, why) => {
    const trial = await under(sample(more), ...EXCLUDING)
    expect(trial.broken).toEqual([])
    const what = `a rule made with the sample body would drop nothing: ${why}`
    const place = /\(binding misfit-\d+#\/operations\/create-exclusion\/body\)$/
    expect(trial.records.map(({ reason }) => reason)).toEqual(EXCLUDING.map(() => 'answer-does-not-fit'))
    for (const { detail } of trial.records) {
      expect(detail).toContain(what)
      expect(detail).toMatch(place)
    }
  })

  test('the shipped sample acts by itself', async () => {
    const trial = await under({ 'update-exclusion': { offered: false } }, ...EXCLUDING)
    expect(trial.broken).toEqual([])
    expect(ends(trial)).toEqual(EXCLUDING.map(() => ['done', undefined, undefined]))
    for (const id of ['EXCLUSION-DROPS', 'USAGE-V2-STORED']) expect(trial.tallies.of(id).evidence.judged).not.toBe(0)
  })
})

describe('an operation that the binding declines', () => {
  test('is said to be not offered, with its place in the binding', async () => {
    const trial = await under({ 'create-exclusion': { offered: false } }, 'create-exclusion/drops')
    const why = `create-exclusion is not offered (binding misfit-${files}#/operations/create-exclusion/offered)`
    expect(ends(trial)).toContainEqual(['not-run', 'not-offered', why])
  })

  test('is noted where a case does without it', async () => {
    const trial = await under({ 'list-boards': { offered: false } }, 'walk/1')
    expect(trial.records[0]).toMatchObject({ state: 'done', notOffered: { 'list-boards': expect.any(String) } })
  })

  test('still has to be shown where the text gives its path', async () => {
    const trial = await under({ 'delete-screen': { offered: false } }, 'delete-screen/removes')
    expect(trial.records[0]).toMatchObject({ state: 'not-run', reason: 'answer-does-not-fit' })
    expect(trial.records[0]?.detail).toContain('delete-screen is not offered (binding misfit-')
  })
})

describe('a value that stands under another name than the binding says is not held against the target', () => {
  const place = (rest: string): string => `(binding misfit-${files}#/operations/${rest})`

  test.each<[string, string, string]>([
    ['host', 'host', '_host'],
    ['app', 'application', '_app'],
    ['level', '_level', 'level'],
    ['tags', 'tags', '_tag'],
  ])('%s of a line: the other fields are judged', async (field, bound, found) => {
    const trial = await under({ 'export-v2': { fields: { [field]: bound } } }, 'ingest-lines/comes-out')
    expect(trial.broken).toEqual([])
    const said = `the binding reads ${bound}; the response has ${found} ${place(`export-v2/fields/${field}`)}`
    expect(trial.tallies.of('LINES-FIELDS').evidence.misfit).toBe(said)
    expect(trial.tallies.of('LINES-VERBATIM').evidence.judged).not.toBe(0)
  })

  test.each(['export-v1', 'export-v2'])('the text of the lines of %s: nothing is judged by them', async (operation) => {
    const trial = await under(
      { [operation]: { fields: { line: '/text' } } },
      ...['export-v1/jsonl', 'export-v2/page', 'ingest-lines/comes-out', 'create-exclusion/drops'],
    )
    expect(trial.broken).toEqual([])
    const said = `the binding reads /text; the response has _line ${place(`${operation}/fields/line`)}`
    expect(trial.tallies.of('LINES-COME-OUT').evidence.misfit).toBe(said)
  })

  test.each(['list-usage-by-app', 'list-usage-v2-by-host'])('the names in the rows of %s', async (operation) => {
    const trial = await under({ [operation]: { fields: { name: 'title' } } }, `${operation}/counts`)
    expect(trial.broken).toEqual([])
    const said = `the binding reads title; the response has name ${place(`${operation}/fields/name`)}`
    const requirement = operation === 'list-usage-by-app' ? 'USAGE-V1-BY-APP' : 'USAGE-V2-BY-HOST'
    expect(trial.tallies.of(requirement).evidence.misfit).toBe(said)
  })

  test('the application of lines that are sent: a rule that selects by it cannot drop them', async () => {
    const trial = await under({ 'ingest-lines': { fields: { app: 'application' } } }, 'create-exclusion/drops')
    expect(trial.broken.map(({ requirement }) => requirement)).not.toContain('EXCLUSION-DROPS')
  })

  test('the id of what was made, where no list shows it either', async () => {
    const trial = await under(
      { 'create-board': { answer: { id: '/data/id' } }, 'list-boards': { answer: { list: '/data' } } },
      'create-board/kept-closed',
    )
    const said = `the binding reads /data/id; the response has /id ${place('create-board/answer/id')}`
    expect(trial.records[0]?.detail).toBe(`the response of create-board does not show the new id: ${said}`)
    expect(trial.broken).toEqual([])
  })
})

describe('an edge that only events name', () => {
  /** Each event passes the edge that it names; all other edges are idle, or are not looked at. */
  const edges = (isIgnored: boolean, name: unknown): Changes => ({
    ...asked('start-tap', (call) => {
      const { edge_id: edge, ...rest } = call.body as Record<string, unknown>
      return { ...call, body: isIgnored || edge === name ? rest : call.body }
    }),
    answer: (answer, _, operation) => {
      const { data } = (answer.json ?? {}) as { data?: { events?: object[] } }
      if (operation !== 'start-tap' || !data?.events) return answer
      return { ...answer, json: { data: { ...data, events: data.events.map((event) => ({ ...event, edge: name })) } } }
    },
  })
  const judged = async (changes: Changes, told: object = { busy: 'event:/edge' }): Promise<unknown> => {
    const answers = { 'GAP-TAP-EDGE': { ...told, idle: 'nowhere' } }
    const binding: BindingFile = { formatVersion: 1, name: `edges ${Object.keys(told)}`, answers }
    const { broken, records, tallies } = await over(changes, binding, ['start-tap/one-edge'])
    const { state, detail } = records[0] ?? {}
    return [broken.map(({ requirement }) => requirement), tallies.of('TAP-EDGE').evidence.judged, state, detail]
  }

  test('is tapped, and found to be ignored', async () => {
    expect(await judged(edges(false, 'north'))).toEqual([[], 2, 'done', undefined])
    expect(await judged(edges(true, 'north'))).toEqual([['TAP-EDGE', 'TAP-EDGE'], 2, 'done', undefined])
  })

  test('is ignored where no event has one', async () => {
    expect(await judged(edges(false, null), {})).toEqual([[], 2, 'done', undefined])
    expect(await judged(edges(true, null), {})).toEqual([['TAP-EDGE', 'TAP-EDGE'], 2, 'done', undefined])
  })

  test('is asked for by nothing where an event has none', async () => {
    const detail = 'the first event of the tap has no edge at event:/edge'
    expect(await judged(edges(false, null))).toEqual([[], 0, 'not-run', detail])
  })
})

test('a made key is not judged by lines that are refused for a known key too', async () => {
  const refused = handler('ingest-lines', () => () => ({ status: 401, json: { error: 'no', code: 'NotAuthorized' } }))
  const binding: BindingFile = { formatVersion: 1, name: 'silent' }
  const trial = await over(refused, binding, ['list-enterprise-keys/ingestion-key-authenticates'])
  expect(trial.broken).toEqual([])
  expect(trial.records.map(({ state }) => state)).toEqual(['not-run'])
})
