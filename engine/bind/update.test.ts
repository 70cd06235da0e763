import { describe, expect, test } from 'vitest'
import { resolveBinding, shippedBinding } from '../../schemas/binding.ts'
import type { BindingFile } from '../../schemas/types/binding.ts'
import { type Assembled, assemble } from './assemble.ts'
import { type Findings, type FoundOperation, noFindings } from './found.ts'

const base = resolveBinding({ name: 'default', chain: ['default'], files: [shippedBinding('default')] })

const keys: FoundOperation = {
  id: 'create-key',
  method: 'POST',
  path: '/v1/config/credentials',
  answer: { id: '/created/no' },
  status: 201,
  from: 'probe: seen',
  sure: 'proven',
}

function findings(...operations: FoundOperation[]): Findings {
  return { ...noFindings(), operations: new Map(operations.map((one) => [one.id, one])) }
}

/** What `assay bind` writes where there is no file yet. */
function first(...operations: FoundOperation[]): BindingFile {
  const nothing: BindingFile = { formatVersion: 1, name: 'ours', extends: 'default' }
  return again(nothing, findings(...operations)).file
}

function again(file: BindingFile, found: Findings, replace = false): Assembled {
  return assemble(found, { name: 'other', existing: { file, base }, replace })
}

function edited(file: BindingFile, id: string, edit: object): BindingFile {
  return { ...file, operations: { ...file.operations, [id]: { ...file.operations?.[id], ...edit } } }
}

describe('a binding that is brought up to date', () => {
  const file = first(keys)

  test('keeps every line that somebody wrote into an entry of its own', () => {
    const hand = { query: { type: 'service' }, body: { name: '{{label}}' }, fields: { type: 'sort' } }
    const mine = edited(file, 'create-key', hand)
    const told = again(mine, findings(keys))
    expect(told.file.operations?.['create-key']).toEqual(mine.operations?.['create-key'])
    expect([...told.kept, ...told.changed]).toEqual([])
    // A third time, too: what the second run wrote does not make it its own.
    const third = again(told.file, findings(keys))
    expect(third.file).toEqual(told.file)
  })

  test('adds what is new to an entry that somebody changed', () => {
    const mine = edited(file, 'create-key', { fields: { type: 'sort' } })
    const more = { ...keys, fields: { name: 'caption', type: 'other' } }
    const told = again(mine, findings(more))
    expect(told.file.operations?.['create-key']?.fields).toEqual({ type: 'sort', name: 'caption' })
    expect(told.kept).toEqual([{ place: '/operations/create-key/fields/type', ours: 'sort', found: 'other' }])
  })

  test('renews what it wrote itself, and names each line that changes or goes away', () => {
    const moved = { ...keys, path: '/v1/config/secrets', answer: { id: '/made/no' } }
    const once = first({ ...keys, fields: { name: 'caption' } })
    const told = again(once, findings(moved))
    expect(told.kept).toEqual([])
    expect(told.changed).toEqual([
      { place: '/operations/create-key/path', before: '/v1/config/credentials', now: '/v1/config/secrets' },
      { place: '/operations/create-key/fields/name', before: 'caption', now: undefined },
      { place: '/operations/create-key/answer/id', before: '/created/no', now: '/made/no' },
    ])
    expect(told.file.operations?.['create-key']).toMatchObject({
      path: '/v1/config/secrets',
      answer: { id: '/made/no' },
    })
    // Its own entry it stays: the next change is taken over as well.
    expect(again(told.file, findings(keys)).changed).toHaveLength(2)
  })

  test('takes nothing away because it was not found this time, or is less sure', () => {
    const once = first({ ...keys, fields: { name: 'caption' } })
    expect(again(once, findings(keys)).file).toEqual(once)
    const guessed: FoundOperation = { ...keys, path: '/v1/config/other', sure: 'likely' }
    const told = again(once, findings(guessed))
    expect(told.file).toEqual(once)
    expect(told.kept.map(({ place }) => place)).toEqual(['/operations/create-key/path'])
  })

  test('drops a name of its own where the target now has the name that is inherited', () => {
    const once = first({ ...keys, fields: { name: 'caption' } })
    const told = again(once, findings({ ...keys, fields: { name: 'name' } }))
    expect(told.file.operations?.['create-key']?.fields).toBeUndefined()
    expect(told.changed).toEqual([{ place: '/operations/create-key/fields/name', before: 'caption', now: undefined }])
  })

  test('leaves an entry of a path that somebody wrote as it is, and names what was found otherwise', () => {
    const old: BindingFile = {
      formatVersion: 1,
      name: 'ours',
      extends: 'default',
      operations: { 'create-key': { method: 'POST', path: '/v1/config/mine', answer: { id: '/mine' } } },
    }
    const told = again(old, findings({ ...keys, fields: { name: 'caption' } }))
    expect(told.file.operations).toEqual(old.operations)
    expect(told.kept.map(({ place }) => place)).toEqual([
      '/operations/create-key/path',
      '/operations/create-key/answer/id',
    ])
    const replaced = again(old, findings(keys), true)
    expect(replaced.file.operations?.['create-key']).toMatchObject({ path: keys.path, answer: keys.answer })
    expect(replaced.changed.map(({ place }) => place)).toEqual(told.kept.map(({ place }) => place))
  })

  test('with --replace keeps what nothing was found of', () => {
    const mine = edited(file, 'create-key', { query: { type: 'service' }, path: '/v1/config/mine' })
    const told = again(mine, findings(keys), true)
    expect(told.file.operations?.['create-key']).toMatchObject({ query: { type: 'service' }, path: keys.path })
  })

  test('keeps an answer that somebody changed, and renews one of its own', () => {
    const kind = (value: string): Findings => ({
      ...findings(keys),
      answers: new Map([['GAP-SOURCE-KIND-FIELD', { value, from: 'probe: seen', sure: 'proven' }]]),
    })
    const once = again(file, kind('sort')).file
    expect(again(once, kind('kind')).file.answers).toEqual({ 'GAP-SOURCE-KIND-FIELD': 'kind' })
    const mine = { ...once, answers: { 'GAP-SOURCE-KIND-FIELD': 'mine', 'GAP-USAGE-DAY-ZONE': 'UTC' } }
    const told = again(mine, kind('kind'))
    expect(told.file.answers).toEqual(mine.answers)
    expect(told.kept).toEqual([{ place: '/answers/GAP-SOURCE-KIND-FIELD', ours: 'mine', found: 'kind' }])
  })
})
