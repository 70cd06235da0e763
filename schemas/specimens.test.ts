import { describe, expect, test } from 'vitest'
import { type JsonSchema, loadResourceSchemas } from './load.ts'
import { expandSpecimen, loadSpecimens, ownConstraints, type Specimen } from './specimens.ts'
import { checkSpecimens } from './testing/check-specimens.ts'

const word: JsonSchema = {
  type: 'string',
  enum: ['saas', 'local'],
  'x-requirement': { type: 'WORD-TYPE', enum: 'WORD-VALUES' },
}
const good: Specimen[] = [
  { constraint: 'WORD-TYPE', valid: ['saas'], invalid: [5] },
  { constraint: 'WORD-VALUES', valid: ['saas', 'local'], invalid: ['Saas'] },
]

function check(schema: JsonSchema, specimens: readonly Specimen[]): string[] {
  return checkSpecimens(new Map([['word', schema]]), new Map([['word', specimens]]))
}

describe('checkSpecimens', () => {
  test('the schemas that ship agree with their specimens', () => {
    expect(checkSpecimens(loadResourceSchemas(), loadSpecimens())).toEqual([])
  })

  test('a wrong type beside an enum breaks both, and that is fine', () => {
    expect(check(word, good)).toEqual([])
  })

  test('a schema that is too wide accepts an invalid specimen', () => {
    expect(check({ ...word, enum: ['saas', 'local', 'Saas'] }, good)).toEqual([
      'word: WORD-VALUES accepts the invalid "Saas"',
    ])
  })

  test('a schema that is too narrow refuses a valid specimen', () => {
    expect(check({ ...word, enum: ['saas'] }, good)).toEqual([
      'word: WORD-VALUES refuses the valid "local": must be one of "saas"',
    ])
  })

  test('an invalid specimen that breaks another constraint too is told', () => {
    expect(
      check({ ...word, maxLength: 5, 'x-requirement': { ...word['x-requirement'], maxLength: 'WORD-MAX' } }, [
        ...good.slice(0, 1),
        { constraint: 'WORD-VALUES', valid: ['saas'], invalid: ['clouds'] },
        { constraint: 'WORD-MAX', valid: ['saas'], invalid: ['localed'] },
      ]),
    ).toEqual([
      'word: the invalid "localed" of WORD-MAX breaks WORD-VALUES too',
      'word: the invalid "clouds" of WORD-VALUES breaks WORD-MAX too',
    ])
  })

  test('a constraint without a requirement is told', () => {
    expect(check({ ...word, minLength: 1 }, good)).toEqual(['word: minLength names no requirement'])
  })

  test('a constraint without specimens is told', () => {
    expect(check(word, good.slice(1))).toEqual(['word: WORD-TYPE has no specimens'])
    expect(check(word, [{ constraint: 'WORD-TYPE', valid: [], invalid: [] }, ...good.slice(1)])).toEqual([
      'word: WORD-TYPE has no valid specimen',
      'word: WORD-TYPE has no invalid specimen',
    ])
  })

  test('specimens of no constraint are told', () => {
    const odd = { constraint: 'WORD-MAX', valid: [''], invalid: ['x'] }
    expect(check(word, [...good, odd])).toEqual(['word: specimens of WORD-MAX, which is no constraint there'])
  })

  test('a requirement that stands for two constraints is told', () => {
    const twice: JsonSchema = {
      ...word,
      minLength: 1,
      'x-requirement': { ...word['x-requirement'], minLength: 'WORD-TYPE' },
    }
    expect(check(twice, good)).toContain('word: WORD-TYPE stands for a second constraint')
  })
})

describe('expandSpecimen', () => {
  test('a text is repeated', () => {
    expect(expandSpecimen({ repeat: ['ab', 3] })).toBe('ababab')
  })

  test('an array is filled', () => {
    expect(expandSpecimen({ elements: [{ a: 1 }, 2] })).toEqual([{ a: 1 }, { a: 1 }])
  })

  test.each([[{ rate: 1 }], [['repeat']], [null], [5], ['text']])('%j stands for itself', (value) => {
    expect(expandSpecimen(value)).toBe(value)
  })
})

describe('ownConstraints', () => {
  test('definitions are among them, what stands in other files is not', () => {
    const schema: JsonSchema = { $defs: { short: { maxLength: 3 } }, properties: { x: { $ref: 'node.schema.json' } } }
    expect(ownConstraints(schema).map(({ keyword }) => keyword)).toEqual(['maxLength'])
  })
})

describe('the title pattern', () => {
  const { pattern, minLength } = loadResourceSchemas().get('node')?.$defs?.title ?? {}
  test.each(['', 'a', ' ', 'a<', '>', '"', 'a\\b', '\n', '<>"', "it's", '\u{1f600}'])(
    'with the minimum beside it, it says of %j what the printed one says',
    (text) => {
      const ours = new RegExp(pattern ?? '', 'u').test(text) && text.length >= (minLength ?? 0)
      expect(ours).toBe(/^[^<>"]+$/u.test(text))
    },
  )
})
