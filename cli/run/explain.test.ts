import { describe, expect, test } from 'vitest'
import { UsageError } from '../../engine/errors.ts'
import { citationsOf, explain } from '../../engine/inform/explain.ts'
import { widthOf } from '../../reports/text.ts'
import { ledger } from '../../schemas/ledger.ts'
import { type JsonSchema, loadResourceSchemas } from '../../schemas/load.ts'
import { specifiedOperations } from '../../schemas/operations.ts'
import { fakeIo } from '../testing.ts'
import { runExplain } from './inform.ts'

const cases = [
  { id: 'update-transform/title', title: 'titles within bounds', requirements: ['NODE-TITLE-MAX', 'NODE-TITLE-MIN'] },
  { id: 'start-tap/limit', title: 'at most as many events', requirements: ['TAP-LIMIT'] },
]
const about = (id: string): ReturnType<typeof explain> => explain(id, cases)

describe('citations', () => {
  test('a keyword is shown where it stands, with everything that uses it', () => {
    expect(about('NODE-TITLE-MAX').constraints).toEqual([
      {
        file: 'node.schema.json',
        pointer: '/$defs/title',
        keyword: 'maxLength',
        value: 512,
        accepted: true,
        uses: [
          { operation: 'update-transform', part: 'request', pointer: '/title' },
          { operation: 'update-source', part: 'request', pointer: '/title' },
        ],
      },
    ])
  })

  test('a property that has to be there is named', () => {
    const [citation] = about('KEY-NAME-PRESENT').constraints
    expect(citation).toMatchObject({ keyword: 'required', value: 'name', uses: [{ part: 'answer', pointer: '/*' }] })
  })

  test('two properties that one requirement asks for are told apart', () => {
    const cited = { required: { a: 'X-BOTH', b: 'X-BOTH' } }
    const pair: JsonSchema = { type: 'object', required: ['a', 'b'], 'x-requirement': cited }
    const [operation] = specifiedOperations()
    if (!operation) throw new Error('no operation')
    const using = { ...operation, response: { ...operation.response, schema: 'pair' }, errors: [] }
    const found = citationsOf('X-BOTH', new Map([['pair', pair]]), [using])
    expect(found.map(({ value, uses }) => [value, uses.length])).toEqual([
      ['a', 1],
      ['b', 1],
    ])
  })

  test('a parameter is told from a body', () => {
    expect(about('TAP-COMPONENT-PATTERN').constraints[0]?.uses).toEqual([
      { operation: 'start-tap', part: 'parameter', pointer: 'component_id' },
    ])
  })

  test('every requirement that a schema cites is found again', () => {
    const schemas = loadResourceSchemas()
    const cited = new Set<string>()
    JSON.stringify([...schemas.values()], (name, value: unknown) => {
      if (name !== 'x-requirement' || value === null || typeof value !== 'object') return value
      for (const id of Object.values(value).flatMap((one) => (typeof one === 'string' ? one : Object.values(one))))
        cited.add(String(id))
      return value
    })
    expect(cited.size).toBeGreaterThan(80)
    for (const id of cited) expect(citationsOf(id, schemas, []).length, id).toBeGreaterThan(0)
  })
})

describe('how it is judged', () => {
  test.each([
    ['NODE-TITLE-MAX', /failure.*refused, while the same request with a good value is accepted.*Good values/],
    ['TAP-EDGE-ID-MIN', /warning; with --strict a failure/],
    ['KEY-NAME-TYPE', /Every response with this place is checked/],
    ['GAP-TAP-ANSWER', /^Never judged/],
  ])('%s', (id, expected) => {
    expect(about(id).judged.join(' ')).toMatch(expected)
  })

  test('bounds that are only implied are not tried for acceptance', () => {
    expect(about('TAP-EDGE-ID-MIN').judged.join(' ')).not.toContain('Good values')
  })
})

test('what the operations cite it for is told', () => {
  expect(about('SCREEN-DELETE-UNKNOWN-CODE').cited).toEqual([
    { operation: 'delete-screen', as: 'code NotFound where unknown screen' },
  ])
  expect(about('ENT-KEYS-LIST-STATUS').cited).toEqual([
    { operation: 'list-enterprise-keys', as: 'success is status 200' },
  ])
})

test('gaps and those who wait for them name each other', () => {
  expect(about('TAP-LIMIT').needs.map(({ id }) => id)).toContain('GAP-TAP-ANSWER')
  expect(about('GAP-TAP-ANSWER').neededBy).toContain('TAP-LIMIT')
})

describe('the page', () => {
  test('holds text, level, section, schema, and only the cases that provoke it', () => {
    const io = fakeIo()
    runExplain('node-title-max', {}, io, cases)
    for (const part of [
      'NODE-TITLE-MAX',
      'level     stated',
      'section   Resources and their fields > Pipeline node common fields',
      'schema    schemas/resources/node.schema.json#/$defs/title',
      'maxLength: 512',
      '/title in the request of update-transform, update-source',
      'cases     update-transform/title: titles within bounds',
    ]) {
      expect(io.out()).toContain(part)
    }
    expect(io.out()).not.toContain('start-tap/limit')
  })

  test('there is one for every entry, and every line fits', () => {
    for (const id of ledger().keys()) {
      const io = fakeIo({ columns: 80 })
      runExplain(id, {}, io)
      expect(io.out()).toContain(id)
      expect(Math.max(...io.out().split('\n').map(widthOf))).toBeLessThanOrEqual(80)
    }
  })

  test('JSON holds the same', () => {
    const io = fakeIo()
    runExplain('NODE-TITLE-MAX', { json: true }, io, cases)
    expect(JSON.parse(io.out())).toEqual(JSON.parse(JSON.stringify(about('NODE-TITLE-MAX'))))
  })

  test('an unknown id names the nearest', () => {
    const attempt = (): void => runExplain('NODE-TITEL-MAX', {}, fakeIo())
    expect(attempt).toThrow(UsageError)
    expect(attempt).toThrow(/there is no requirement "NODE-TITEL-MAX"; the nearest are NODE-TITLE-MAX, /)
    expect(() => runExplain('?', {}, fakeIo())).toThrow(/the nearest are [A-Z]/)
  })
})
