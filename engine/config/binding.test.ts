import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ownFolder } from '../../fixtures/testing/folder.ts'
import { knownOperationIds, resolveBinding, shippedBindings } from '../../schemas/binding.ts'
import { features } from '../../schemas/features.ts'
import { ledger } from '../../schemas/ledger.ts'
import type { BindingFile } from '../../schemas/types/binding.ts'
import { UsageError } from '../errors.ts'
import { isBindingPath, loadBinding } from './binding.ts'
import { bindingProblems } from './binding-problems.ts'

const folder = ownFolder()

function write(name: string, content: unknown): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

function failure(nameOrPath: string): string {
  try {
    loadBinding(nameOrPath, folder)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as UsageError).message
  }
  throw new Error('it was loaded')
}

describe('loading', () => {
  test.each(shippedBindings())('the shipped binding %s is read with all that it extends', (name) => {
    const data = loadBinding(name, folder)
    expect(data.chain[0]).toBe(name)
    expect(resolveBinding(data).answers.size).toBeGreaterThan(0)
  })

  test('a file extends a file of another folder, which extends a shipped one', () => {
    write('mine/one.json', {
      formatVersion: 1,
      name: 'one',
      extends: '../base/two.json',
      answers: { 'GAP-USAGE-DAY-ZONE': 'UTC' },
    })
    write('base/two.json', { formatVersion: 1, name: 'two', extends: 'default' })
    const data = loadBinding('mine/one.json', folder)
    expect(data).toMatchObject({ name: 'one', chain: ['one', 'two', 'default'] })
    expect(resolveBinding(data).answers.get('GAP-USAGE-DAY-ZONE')).toEqual({
      value: 'UTC',
      from: 'one',
      place: 'mine/one.json#/answers/GAP-USAGE-DAY-ZONE',
    })
  })

  test('files that extend each other without end are not followed', () => {
    for (let at = 0; at < 100; at += 1) {
      write(`${at}.json`, { formatVersion: 1, name: `of ${at}`, extends: `./${at + 1}.json` })
    }
    expect(failure('./0.json')).toBe(
      '20.json: is binding 21 in a row that another one extends; join some of them into one file',
    )
  })

  test('a name that would act on a terminal is refused, and so are answers without end', () => {
    write('a.json', { formatVersion: 1, name: '\u001b[2J\n::error::x' })
    expect(failure('./a.json')).toMatch(/^a\.json#\/name: holds characters that are not shown, or act on a terminal; /)
    const answers = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`GAP-${at}`, true]))
    write('b.json', { formatVersion: 1, name: 'b', answers })
    expect(failure('./b.json').split('\n')).toHaveLength(100)
  })

  test('a file is checked whatever it is called', () => {
    write('binding of mine.json', {
      formatVersion: 1,
      name: 'mine',
      extends: 'default',
      answers: { 'GAP-NOBODY-KNOWS': 1 },
    })
    expect(failure('./binding of mine.json')).toContain('binding of mine.json#/answers/GAP-NOBODY-KNOWS: ')
  })

  test('a circle is told as one', () => {
    write('a.json', { formatVersion: 1, name: 'a', extends: './b.json' })
    write('b.json', { formatVersion: 1, name: 'b', extends: './a.json' })
    expect(failure('a.json')).toBe(
      'b.json#/extends: bindings extend each other in a circle: a.json -> b.json -> a.json; let one of them extend a shipped binding, or none',
    )
  })

  test.each<[string, unknown, string]>([
    ['defalt', undefined, 'there is no binding "defalt"; did you mean default?'],
    ['./none.json', undefined, 'none.json: no such file'],
    ['a.json', '{', 'a.json:1:2: is not valid JSON; it ends too early: a bracket or a quote is not closed'],
    ['a.json', [], 'a.json: must be an object, not an array'],
    ['a.json', { name: 'a' }, 'a.json#/formatVersion: is missing'],
    ['a.json', { formatVersion: 2, name: 'a' }, 'a.json#/formatVersion: must be 1'],
    ['a.json', { formatVersion: 1, name: 'a', answer: {} }, 'a.json#/answer: unknown field; did you mean answers?'],
    ['a.json', { formatVersion: 1, name: 'a', extends: 'none' }, 'a.json#/extends: there is no binding "none"'],
    ['a.json', { formatVersion: 1, name: 'a', extends: './no.json' }, 'a.json#/extends: no such file: no.json'],
    [
      'a.json',
      { formatVersion: 1, name: 'a', operations: { x: { path: 'v1' } } },
      'a.json#/operations/x/path: must begin with a slash, and hold no blanks and no ends of lines; where it is',
    ],
    [
      'a.json',
      { formatVersion: 1, name: 'a', operations: { 'export-v2': { parameters: { host: 'hosts' } } } },
      'a.json#/operations/export-v2/parameters/host: unknown field; did you mean hosts or hostname?',
    ],
    [
      'a.json',
      { formatVersion: 1, name: 'a', operations: { 'start-tap': { answer: { event: '/data' } } } },
      'a.json#/operations/start-tap/answer/event: unknown field; did you mean events?',
    ],
  ])('%s: %j', (name, content, expected) => {
    if (content !== undefined) write(name, content)
    expect(failure(name)).toContain(expected)
  })

  test('a file without a slash in its name is pointed at', () => {
    write('mine', '{}')
    expect(failure('mine')).toContain('write a path with a slash: ./mine')
  })

  test('a name is told from a path', () => {
    expect(['default', 'reference'].some(isBindingPath)).toBe(false)
    expect(['./x', 'x.json', 'a/b', 'C:\\x'].every(isBindingPath)).toBe(true)
  })
})

describe('what a binding may not say', () => {
  type Part = Omit<BindingFile, 'formatVersion' | 'name'>
  const problems = (...files: Part[]): string[] => {
    const named = files.map((file, index): BindingFile => ({ formatVersion: 1, name: `n${index}`, ...file }))
    const data = { name: 'n0', chain: named.map(({ name }) => name), files: named }
    return bindingProblems(data, data.chain).map(({ where, what, hint }) => `${where}: ${what}; ${hint}`)
  }

  test.each(shippedBindings())('the shipped binding %s says nothing of it', (name) => {
    const data = loadBinding(name, folder)
    expect(bindingProblems(data, data.chain)).toEqual([])
  })

  test.each<[Part, string]>([
    [
      { answers: { 'GAP-TAP-ANSWR': {} } },
      'n0#/answers/GAP-TAP-ANSWR: there is no gap "GAP-TAP-ANSWR"; did you mean GAP-TAP-ANSWER',
    ],
    [{ answers: { 'NODE-TITLE-MAX': 5 } }, 'n0#/answers/NODE-TITLE-MAX: there is no gap "NODE-TITLE-MAX"'],
    [
      { answers: { 'GAP-TRANSFORM-KIND-FIELD': 5 } },
      'n0#/answers/GAP-TRANSFORM-KIND-FIELD: must be a string, not a number; name of the field',
    ],
    [
      { answers: { 'GAP-USAGE-DAY-ZONE': 'Mars/Base' } },
      'n0#/answers/GAP-USAGE-DAY-ZONE: there is no time zone "Mars/Base"; such as UTC, or Europe/Rome',
    ],
    [
      { answers: { 'GAP-USAGE-DAY-ZONE': 'Europe/Berln' } },
      'n0#/answers/GAP-USAGE-DAY-ZONE: there is no time zone "Europe/Berln"; did you mean Europe/Berlin',
    ],
    [{ answers: { 'GAP-TAP-ANSWER': {} } }, 'n0#/answers/GAP-TAP-ANSWER/events: is missing'],
    [
      { answers: { 'GAP-TAP-ANSWER': { events: 'data' } } },
      'n0#/answers/GAP-TAP-ANSWER/events: must begin with a slash, or be empty',
    ],
    [{ answers: { 'GAP-PATHS-PIPELINES': '/v3' } }, 'n0#/answers/GAP-PATHS-PIPELINES: this gap has no value'],
    [
      { answers: { 'GAP-TAP-COMPONENT': { component: '{{source_id}}' } } },
      'n0#/answers/GAP-TAP-COMPONENT: nothing fills {{source_id}}',
    ],
    [
      { operations: { 'create-pipeline': { gap: 'GAP-PATH-PIPELINES', method: 'POST', path: '/v3/pipeline' } } },
      'n0#/operations/create-pipeline/gap: there is no gap "GAP-PATH-PIPELINES"; did you mean GAP-PATHS-PIPELINES',
    ],
    [
      { operations: { 'update-transform': { answer: { id: '/data/~2' } } } },
      'n0#/operations/update-transform/answer/id: "/data/~2" is not a JSON pointer; begin with a slash',
    ],
    [
      { operations: { 'delete-screen': { method: 'POST' } } },
      'n0#/operations/delete-screen/method: delete-screen cannot be moved; the specification says DELETE /v1/config/screen/{id}',
    ],
    [
      { operations: { 'delete-screen': { path: '/v1/screens/{id}' } } },
      'n0#/operations/delete-screen/path: delete-screen cannot be moved',
    ],
    [
      { operations: { 'update-transfrom': { body: {} } } },
      'n0#/operations/update-transfrom: nothing asks for an operation "update-transfrom"; did you mean update-transform',
    ],
    [
      { operations: { 'get-pipelin': { gap: 'GAP-PATHS-PIPELINES', method: 'GET', path: '/v3/pipeline/1' } } },
      'n0#/operations/get-pipelin: nothing asks for an operation "get-pipelin"; did you mean get-pipeline',
    ],
    [
      { operations: { 'create-screne': { offered: false } } },
      'n0#/operations/create-screne: nothing asks for an operation "create-screne"; did you mean create-screen',
    ],
    [
      { operations: { 'look-at-it': { method: 'GET', path: '/v1/it' } } },
      'n0#/operations/look-at-it: nothing asks for an operation "look-at-it"; a resource must name an operation of your own',
    ],
    [
      { operations: { 'get-board': { path: '/v1/board' } } },
      'n0#/operations/get-board: this operation has a path, but no method; give method, such as "GET" or "POST"',
    ],
    [
      { operations: { 'export-v2': { method: 'GET', path: '/v2', fields: { levle: 'level' } } } },
      'n0#/operations/export-v2/fields/levle: assay has no field "levle" of export-v2; did you mean level?',
    ],
    [
      { operations: { 'list-usage-v2-by-app': { method: 'GET', path: '/u', fields: { size: 'total' } } } },
      'n0#/operations/list-usage-v2-by-app/fields/size: assay has no field "size" of list-usage-v2-by-app; known are name, lines, bytes and percent',
    ],
    [
      { operations: { 'update-transform': { fields: { titel: '/shape/heading' } } } },
      'n0#/operations/update-transform/fields/titel: assay has no field "titel" of update-transform; did you mean title?',
    ],
    [
      { operations: { 'get-board': { body: {} } } },
      'n0#/operations/get-board: this operation is not in the specification, and needs a path; give method and path',
    ],
    [
      { operations: { 'get-board': { method: 'GET', path: '/v1/things/{thing_id}' } } },
      'n0#/operations/get-board/path: nothing fills {thing_id}; a resource with this id is missing under resources',
    ],
    [
      {
        operations: { 'get-board': { method: 'GET', path: '/x/{pipline_id' } },
        resources: { pipeline: { id: 'pipeline_id' } },
      },
      'n0#/operations/get-board/path: nothing fills {pipline_id}; did you mean pipeline_id?',
    ],
    [
      { operations: { 'update-transform': { body: { title: '{{lable}}' } } } },
      'n0#/operations/update-transform/body: nothing fills {{lable}}; did you mean label?',
    ],
    [
      { operations: { 'start-tap': { query: { a: '{{nothing-known}}' } } } },
      'n0#/operations/start-tap/query: nothing fills {{nothing-known}}',
    ],
    [
      { operations: { 'list-usage-by-tag': { parameters: { from: 'a', to: 'to', limit: 'most' } } } },
      'n0#/operations/list-usage-by-tag/parameters/from: from of list-usage-by-tag cannot be renamed; the specification calls it from',
    ],
    [
      { operations: { 'delete-member': { family: 'enterprise' } } },
      'n0#/operations/delete-member/family: delete-member cannot take other credentials; the specification says which credentials it takes, those of v1',
    ],
    [
      { operations: { 'update-transform': { body: { title: '{{token}}' } } } },
      'n0#/operations/update-transform/body: nothing fills {{token}}; it is filled in body and query of confirm-suspension',
    ],
    [
      { operations: { 'start-tap': { query: { a: '{{generation_id}}' } } } },
      'n0#/operations/start-tap/query: nothing fills {{generation_id}}; it is filled in bodies',
    ],
    [
      { operations: { 'list-usage-by-tag': { query: { a: '{{label}}' } } } },
      'n0#/operations/list-usage-by-tag/query: nothing fills {{label}}; a query may hold a name only where something is made',
    ],
    [
      { operations: { 'confirm-suspension': { method: 'POST', path: '/x', query: { again: '{{token}}' } } } },
      'n0#/operations/confirm-suspension: nothing fills {{token}}; answer.token of suspend-ingestion says where',
    ],
    [
      { operations: { 'create-key': { method: 'POST', path: '/v1/keys', answer: { id: '/made/key' } } } },
      'n0#/operations/create-key/answer/id: "key" is not the id of a key; this field holds the key itself',
    ],
    [
      { resources: { 'enterprise-key': { id: 'key_id', key: 'key' } } },
      'n0#/resources/enterprise-key/key: "key" is not the id',
    ],
    [
      { resources: { pipeline: { id: 'pipeline_id', create: 'create-pipline' } } },
      'n0#/resources/pipeline/create: there is no operation "create-pipline"',
    ],
    [
      { resources: { source: { id: 'sid', needs: ['pipeline'] } } },
      'n0#/resources/source/needs/0: there is no resource "pipeline"',
    ],
    [
      { resources: { source: { id: 'sid', with: 'pipeline' } } },
      'n0#/resources/source/with: there is no resource "pipeline"',
    ],
  ])('%j', (file, expected) => {
    const found = problems(file)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(expected)
  })

  test('whatever a requirement or a feature is about can be bound', () => {
    const asked = [...ledger().values(), ...features()].flatMap(({ operations }) => operations)
    expect(asked.length).toBeGreaterThan(100)
    expect(asked.filter((id) => !knownOperationIds().has(id))).toEqual([])
  })

  test('what an inherited binding gives counts', () => {
    const base = {
      operations: { 'get-thing': { method: 'GET' as const, path: '/v1/things/{thing_id}' } },
      resources: { thing: { id: 'thing_id', read: 'get-thing' } },
    }
    const mine = {
      operations: { 'get-thing': { body: {} }, 'list-boards': { offered: false } },
      resources: { other: { id: 'o', needs: ['thing'] } },
    }
    expect(problems(mine, base)).toEqual([])
    expect(problems(mine)).toHaveLength(2)
  })

  const stop = { method: 'POST', path: '/stop', answer: { token: '/word' } } as const
  const told = { again: '{{token}}' }
  test.each<[string, Part]>([
    [
      'a field of a record may have any name that the sample body has',
      {
        operations: {
          'create-board': { method: 'POST', path: '/v1/boards', body: { caption: '{{label}}' } },
          'list-boards': { method: 'GET', path: '/v1/boards', fields: { caption: '/shape/heading', title: 'x' } },
        },
      },
    ],
    [
      'what is no key may be told by a field that is called so',
      {
        resources: { board: { id: 'board_id', key: 'key' } },
        operations: { 'create-pipeline': { method: 'POST', path: '/v3', answer: { id: '/key' } } },
      },
    ],
    [
      'what the specification says may be repeated',
      { operations: { 'delete-screen': { method: 'DELETE', path: '/v1/config/screen/{id}' } } },
    ],
    ...[{ body: told }, { query: told }].map((more): [string, Part] => [
      `the second call of a suspension may name what the first told: ${Object.keys(more)}`,
      { operations: { 'suspend-ingestion': stop, 'confirm-suspension': { method: 'POST', path: '/stop', ...more } } },
    ]),
    ...['UTC', 'Europe/Rome', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires'].map((zone): [string, Part] => [
      `the zone ${zone}`,
      { answers: { 'GAP-USAGE-DAY-ZONE': zone } },
    ]),
    ['an answer can be taken back', { answers: { 'GAP-TAP-ANSWER': null } }],
  ])('but %s', (_, file) => {
    expect(problems(file)).toEqual([])
  })
})

test('what a creation names by its id is made before it, and a body may stand under a name', () => {
  const operations = {
    'create-gateway-route': { body: { route: { pipeline: '{{pipeline_id}}', title: '{{label}}' } } },
    'update-member': { body: { member: { role: 'member', groups: [] } } },
    'create-archiving': { body: { s3: { bucket: 'assay-example' } } },
    'create-board': { body: { title: '{{label}}', owner: '{{email}}', view: '{{view_id}}' } },
    'create-view': { body: { name: '{{label}}', board: '{{board_id}}' } },
  }
  write('own.json', { formatVersion: 1, name: 'own', extends: 'reference', operations })
  const binding = resolveBinding(loadBinding('./own.json', folder))
  expect(binding.resources.get('gateway-route')?.needs).toEqual(['pipeline'])
  expect(binding.operations.get('update-member')).toMatchObject({ within: 'member', body: { role: 'member' } })
  expect(binding.operations.get('create-archiving')).not.toHaveProperty('within')
  expect(binding.resources.get('transform')?.needs).toEqual(['pipeline', 'source'])
  // Of two that name each other, one has to be made without the other.
  const [board, view] = ['board', 'view'].map((type) => binding.resources.get(type)?.needs ?? [])
  expect([...(board ?? []), ...(view ?? [])]).toHaveLength(1)
})
