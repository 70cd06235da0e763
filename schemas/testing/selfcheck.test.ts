import { describe, expect, test } from 'vitest'
import type { Requirement } from '../ledger.ts'
import type { JsonSchema } from '../load.ts'
import type { Operation } from '../operations.ts'
import { checkCases, checkLedger, loadSpecification, type Specification } from './selfcheck.ts'

function entry(id: string, change: Partial<Requirement> = {}): Requirement {
  return {
    id,
    section: 'Endpoints',
    level: 'stated',
    category: 'things',
    feature: 'things',
    operations: ['make-thing'],
    text: 'A thing is a thing.',
    provoke: 'always',
    ...change,
  }
}

const operation: Operation = {
  id: 'make-thing',
  verb: 'create',
  resource: 'thing',
  method: 'PUT',
  path: '/v1/things/{id}',
  title: 'Make a thing',
  category: 'things',
  feature: 'things',
  family: 'v1',
  section: 'Endpoints',
  security: ['access-token'],
  parameters: [{ name: 'id', in: 'path', schema: 'parameters#id' }],
  request: { schema: 'thing', mode: 'create' },
  response: { status: 200, statusRequirement: 'MAKE-STATUS', body: 'open' },
  errors: [],
  effect: 'own',
}

const thing: JsonSchema = {
  type: 'string',
  maxLength: 3,
  'x-requirement': { type: 'THING-TYPE', maxLength: 'THING-MAX' },
}

/** A specification of one operation with one field, in which everything agrees. */
const small: Specification = {
  requirements: [
    entry('MAKE-STATUS'),
    entry('THING-TYPE', { level: 'implied' }),
    entry('THING-MAX'),
    entry('GAP-PATHS', { level: 'open', provoke: 'never', why: 'Nobody can see it.', answer: { type: 'string' } }),
  ],
  operations: [operation],
  features: [
    { id: 'general', title: 'All', available: true, operations: [] },
    { id: 'things', title: 'Things', available: true, operations: ['make-thing'] },
    { id: 'later', title: 'Later', available: false, operations: ['send-line'] },
  ],
  schemas: new Map([
    ['thing', thing],
    ['parameters', { $defs: { id: { description: 'an id' } } }],
  ]),
  specimens: new Map([
    [
      'thing',
      [
        { constraint: 'THING-TYPE', valid: ['abc'], invalid: [5] },
        { constraint: 'THING-MAX', valid: ['abc'], invalid: [{ repeat: ['a', 4] }] },
      ],
    ],
  ]),
  outline: {
    specification: '0',
    sections: [
      {
        section: 'Endpoints',
        counts: { statements: 1, tableRows: 1, gapBullets: 1 },
        statements: [{ about: 'a thing', entries: ['THING-TYPE', 'THING-MAX'] }],
        tableRows: [{ about: 'made', entries: ['MAKE-STATUS'] }],
        gapBullets: [{ about: 'paths', entries: ['GAP-PATHS'] }],
        beyond: [],
      },
    ],
  },
}

const LONG = `A thing is ${'very '.repeat(23)}long.`

/** The small specification with some fields of one ledger entry changed. */
function changed(id: string, change: Partial<Requirement>): Specification {
  return { ...small, requirements: small.requirements.map((one) => (one.id === id ? { ...one, ...change } : one)) }
}

function withOperation(change: Partial<Operation>): Specification {
  return { ...small, operations: [{ ...operation, ...change }] }
}

function withThing(change: Partial<JsonSchema>): Specification {
  return { ...small, schemas: new Map([...small.schemas, ['thing', { ...thing, ...change }]]) }
}

describe('checkLedger', () => {
  test('the specification that ships agrees with itself', () => {
    expect(checkLedger(loadSpecification())).toEqual([])
  })

  test('a small specification agrees with itself', () => {
    expect(checkLedger(small)).toEqual([])
  })

  test('an id that stands twice is told', () => {
    const twice = { ...small, requirements: [...small.requirements, entry('MAKE-STATUS')] }
    expect(checkLedger(twice)).toContain('MAKE-STATUS: stands in the ledger twice')
  })

  const ofEntries: [string, string, Partial<Requirement>, string][] = [
    ['a feature that does not exist', 'THING-MAX', { feature: 'nothing' }, 'there is no feature nothing'],
    [
      'an operation that no feature has',
      'THING-MAX',
      { operations: ['make-thing', 'fly'] },
      'there is no operation fly',
    ],
    [
      'an operation named twice',
      'THING-MAX',
      { operations: ['make-thing', 'make-thing'] },
      'names the operation make-thing twice',
    ],
    ['a need that does not exist', 'THING-MAX', { needs: ['GAP-NOTHING'] }, 'needs GAP-NOTHING, which does not exist'],
    ['a need that is no gap', 'THING-MAX', { needs: ['MAKE-STATUS'] }, 'needs MAKE-STATUS, which is no gap'],
    ['a gap that needs itself', 'GAP-PATHS', { needs: ['GAP-PATHS'] }, 'needs itself'],
    ['silence without a reason', 'MAKE-STATUS', { provoke: 'if-seen' }, "is provoked 'if-seen' without saying why"],
    ['a gap that is not open', 'GAP-PATHS', { level: 'stated' }, 'is a gap, but stated'],
    ['an answer to no gap', 'MAKE-STATUS', { answer: {} }, 'has an answer, but is no gap'],
    [
      'a wish',
      'MAKE-STATUS',
      { text: 'A thing should be one.' },
      "'A thing should be one.' is a wish, not a statement",
    ],
    ['a wish as a reason', 'GAP-PATHS', { why: 'Should do.' }, "'Should do.' is a wish, not a statement"],
    ['a long statement', 'MAKE-STATUS', { text: LONG }, `'${LONG}' has more than 25 words`],
    ['no full stop', 'MAKE-STATUS', { text: 'A thing' }, "'A thing' does not end with a full stop"],
  ]
  test.each(ofEntries)('%s is told', (_, id, change, problem) => {
    expect(checkLedger(changed(id, change))).toContain(`${id}: ${problem}`)
  })

  test('features that clash are told', () => {
    const problems = checkLedger({
      ...small,
      features: [
        ...small.features.slice(1),
        { id: 'later', title: 'Again', available: true, operations: ['make-thing'] },
      ],
    })
    expect(problems).toEqual([
      'later: stands in the features twice',
      'make-thing: belongs to two features',
      'there is no feature general',
    ])
  })

  const ofOperations: [string, Partial<Operation>, string][] = [
    ['a feature that does not list the operation', { feature: 'later' }, 'the feature later does not list it'],
    ['a schema that does not exist', { request: { schema: 'nothing', mode: 'create' } }, 'there is no schema nothing'],
    ['a path of another family', { family: 'v3' }, '/v1/things/{id} is not a path of the family v3'],
    ['a placeholder without a parameter', { parameters: [] }, 'its path and its parameters differ'],
    [
      'a body that has no schema',
      { response: { ...operation.response, body: 'schema' } },
      'its response body is not clear',
    ],
    [
      'a citation of nothing',
      { response: { ...operation.response, statusRequirement: 'NO-STATUS' } },
      'cites NO-STATUS, which is not in the ledger',
    ],
  ]
  test.each(ofOperations)('%s is told', (_, change, problem) => {
    expect(checkLedger(withOperation(change))).toContain(`make-thing: ${problem}`)
  })

  test('an operation that stands twice is told', () => {
    const twice = { ...small, operations: [operation, operation] }
    expect(checkLedger(twice)).toContain('make-thing: stands in the operations twice')
  })

  test('a schema that cites nothing of the ledger is told', () => {
    const problems = checkLedger(withThing({ 'x-requirement': { type: 'THING-TYPE', maxLength: 'THING-LONG' } }))
    expect(problems).toContain('thing: cites THING-LONG, which is not in the ledger')
    expect(problems).toContain('THING-MAX: no schema cites it')
  })

  test('operations that cite a requirement and those that it names are the same', () => {
    expect(checkLedger(changed('THING-MAX', { operations: [] }))).toEqual([
      'THING-MAX: does not name make-thing, which cites it',
    ])
    const second: Operation = { ...operation, id: 'send-line', feature: 'later' }
    const { request: _, ...bare } = second
    const apart = {
      ...changed('THING-MAX', { operations: ['make-thing', 'send-line'] }),
      operations: [operation, bare],
    }
    expect(checkLedger(apart)).toContain('THING-MAX: names send-line, which does not cite it')
  })

  test.each(['type', 'minLength'])('%s is no keyword whose good values have to be accepted here', (keyword) => {
    expect(checkLedger(withThing({ 'x-accept': ['maxLength', keyword] }))).toEqual([
      `thing: x-accept names ${keyword}, which is no bound there`,
    ])
  })

  test('problems of specimens and of the outline are among those of the whole', () => {
    expect(checkLedger({ ...small, specimens: new Map() })).toContain('thing: THING-MAX has no specimens')
    expect(checkLedger(changed('THING-MAX', { section: 'Elsewhere' }))).toContain(
      "THING-MAX: the specification has no section 'Elsewhere'",
    )
  })
})

describe('checkCases', () => {
  const all = { id: 'things/all', requirements: ['MAKE-STATUS', 'THING-TYPE', 'THING-MAX'] }

  test('cases that name every entry once are fine', () => {
    expect(checkCases([all], small)).toEqual([])
  })

  test.each(['stated', 'implied', 'declared', 'open'] as const)('an entry that no case names is told: %s', (level) => {
    const specification = changed('THING-MAX', { level })
    const cases = [{ id: 'a', requirements: ['MAKE-STATUS', 'THING-TYPE'] }]
    expect(checkCases(cases, specification)).toEqual(['THING-MAX: can always be provoked, but no case names it'])
  })

  test('a case that names what does not exist is told', () => {
    expect(checkCases([all, { id: 'b', requirements: ['THING-MOST'] }], small)).toEqual([
      'b: there is no requirement THING-MOST',
    ])
  })

  test.each<Partial<Requirement>>([
    { provoke: 'if-seen' },
    { provoke: 'never' },
    { feature: 'later' },
    { feature: 'general', operations: ['send-line'] },
  ])('%j needs no case', (change) => {
    expect(
      checkCases([{ id: 'a', requirements: ['MAKE-STATUS', 'THING-TYPE'] }], changed('THING-MAX', change)),
    ).toEqual([])
  })

  test('a general requirement at an operation of an available feature needs a case', () => {
    expect(checkCases([], changed('THING-MAX', { feature: 'general' }))).toContain(
      'THING-MAX: can always be provoked, but no case names it',
    )
  })

  test('without cases the specification that ships names what is owed', () => {
    const problems = checkCases([])
    expect(problems).toContain('NODE-TITLE-MAX: can always be provoked, but no case names it')
    expect(problems).toContain('EXPORT-V2-COMPLETE: can always be provoked, but no case names it')
    expect(problems.some((problem) => problem.startsWith('EXPORT-V1-CAP:'))).toBe(false)
  })
})
