import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sizesOf } from '../../rules/core/sides.ts'
import { constraintsOf } from '../../schemas/constraints.ts'
import { at } from '../../schemas/pointer.ts'
import { draw, drawShrinkable } from './drawing.ts'
import { type Field, fields, specificationSet } from './fields.ts'
import { drawProbes, walk } from './probes.ts'
import { breaksExactly } from './testing/breaks-exactly.ts'
import { requestRefs } from './testing/request-refs.ts'
import { FromBase, lift, serialise } from './values/body.ts'
import { sampleOf } from './values/good.ts'
import { rootNode } from './values/nodes.ts'

const set = specificationSet()

/** The laws that every generator keeps, for every schema that a request has. */
const CASES = requestRefs().map((ref) => ({ ref, fields: fields(set, ref) }))

function violations(ref: string, body: unknown): unknown[] {
  const text = serialise(body)
  if (text === undefined) return ['no JSON']
  return set.validator.violations(ref, JSON.parse(text))
}

/** Valid bodies with every property present, to lift values into: drawn good values stand where there are some. */
function parents(ref: string, all: readonly Field[], count: number): unknown[] {
  const sample = sampleOf(set, rootNode(set, ref))
  return Array.from({ length: count }, (_, index) =>
    all.reduce((body, { good, pointer, schema }) => {
      // An empty list has no places within it.
      const [value] = good && index > 0 && schema.type !== 'array' ? draw(good, 11 + index, 1) : []
      return value === undefined ? body : lift(body, pointer, value)
    }, sample),
  )
}

describe.each(CASES)('$ref', ({ ref, fields: all }) => {
  test('good values of all places together satisfy the schema', () => {
    const refused = parents(ref, all, 250).filter((value) => violations(ref, value).length > 0)
    expect(refused.map(serialise)).toEqual([])
  })

  test('each constraint of the schema is broken alone or named as shadowed', () => {
    const [name = '', definition] = ref.split('#')
    const root = set.schemas.get(name)
    const start = definition === undefined ? root : root?.$defs?.[definition]
    if (!root || !start) throw new Error(`no schema ${ref}`)
    const wanted = constraintsOf(start, set.resolve, root).map(
      ({ keyword, requirement }) => `${keyword} ${requirement}`,
    )
    const broken = all.flatMap(({ misses }) => misses).map(({ keyword, requirement }) => `${keyword} ${requirement}`)
    expect(broken.sort()).toEqual(wanted.sort())
  })

  test('good edges are valid in any valid body, and stand on their bounds', () => {
    const bodies = parents(ref, all, 5)
    for (const field of all) {
      for (const edge of field.edges) {
        for (const body of bodies) {
          const lifted = lift(body, field.pointer, edge.value)
          expect(violations(ref, lifted), `${field.pointer} ${edge.label}`).toEqual([])
          const value = at(lifted, field.pointer)
          // Beside the bound there is one value between the two.
          const between = sizesOf(field.schema, edge.keyword).slice(1)
          if (!between.includes(sizeOf(value))) expectOnBound(field, edge.keyword, value)
        }
      }
    }
  })

  test('every bound and every listed value has its edge, and its nearest miss', () => {
    for (const field of all) {
      for (const { keyword } of field.constraints) {
        const place = `${field.pointer} ${keyword}`
        const edges = field.edges.filter((edge) => edge.keyword === keyword)
        if (keyword === 'enum')
          expect(
            edges.map(({ value }) => value),
            place,
          ).toEqual(field.schema.enum)
        if (!isBound(keyword)) continue
        const bound = field.schema[keyword] ?? Number.NaN
        const sizes = new Set([bound, ...sizesOf(field.schema, keyword)])
        expect([...new Set(edges.map(({ value }) => sizeOf(value)))], place).toEqual([...sizes])
        const nearest = keyword.startsWith('min') ? bound - 1 : bound + 1
        const misses = field.misses.find((miss) => miss.keyword === keyword)?.edges.map(({ value }) => sizeOf(value))
        // Nothing is shorter than nothing.
        if (!(['minLength', 'minItems'].includes(keyword) && bound === 0)) expect(misses, place).toContain(nearest)
      }
    }
  })

  test('edges and 200 random near-misses of each constraint break it and nothing else', () => {
    const bodies = parents(ref, all, 20)
    for (const field of all) {
      for (const miss of field.misses) {
        const also = miss.by.map(({ requirement }) => requirement)
        const drawn = miss.arbitrary ? fc.sample(miss.arbitrary, { seed: 17, numRuns: 200 }) : []
        const values = [...miss.edges.map(({ value }) => value), ...drawn]
        const wrong = values.filter(
          (value, index) =>
            !breaksExactly(
              set.validator,
              ref,
              lift(bodies[index % bodies.length], field.pointer, value),
              miss.requirement,
              also,
            ),
        )
        expect(wrong, `${field.pointer} ${miss.keyword}`).toEqual([])
        const unbreakable =
          ['minLength', 'minItems'].includes(miss.keyword) && field.schema[miss.keyword as 'minItems'] === 0
        expect(miss.edges.length > 0, `${field.pointer} ${miss.keyword}`).toBe(!unbreakable)
      }
    }
  })

  test('a near-miss stays one while it shrinks, and ends short', () => {
    const [body] = parents(ref, all, 1)
    for (const field of all) {
      for (const miss of field.misses.filter(({ by }) => by.length === 0)) {
        for (const drawn of miss.arbitrary ? drawShrinkable(miss.arbitrary, 23, 4) : []) {
          let smallest = drawn
          for (let step = 0; step < 500; step += 1) {
            const [next] = smallest.smaller()
            if (!next) break
            smallest = next
            const lifted = lift(body, field.pointer, smallest.value)
            expect(
              breaksExactly(set.validator, ref, lifted, miss.requirement),
              `${field.pointer} ${miss.keyword}`,
            ).toBe(true)
          }
          expect([...smallest.smaller()]).toEqual([])
          expectShort(field, miss.keyword, at(lift(body, field.pointer, smallest.value), field.pointer))
        }
      }
    }
  })

  test('random good values are valid and plain', () => {
    const bodies = parents(ref, all, 10)
    for (const field of all) {
      const values = field.good ? fc.sample(field.good, { seed: 29, numRuns: 50 }) : []
      for (const [index, value] of values.entries()) {
        const lifted = lift(bodies[index % bodies.length], field.pointer, value)
        expect(violations(ref, lifted), field.pointer).toEqual([])
        expect(serialise(value) ?? '""').toMatch(/^[ -~]*$/)
      }
    }
  })

  test('what a walk refuses breaks its requirement, and what it accepts breaks none', () => {
    const [body] = parents(ref, all, 1)
    for (const probe of all.flatMap((field) => [...walk(field), ...drawProbes(field, 31, 20)])) {
      const lifted = lift(body, probe.pointer, probe.value)
      if (probe.kind === 'accept') expect(violations(ref, lifted), probe.label).toEqual([])
      if (probe.kind === 'refuse')
        expect(breaksExactly(set.validator, ref, lifted, probe.requirement, probe.also), probe.label).toBe(true)
    }
  })

  test('the same seed draws the same probes, and more runs add to them', () => {
    for (const field of all) {
      const sent = (runs: number): unknown[] =>
        drawProbes(field, 37, runs).map(({ kind, keyword, value }) => [
          kind,
          keyword,
          serialise(lift(undefined, '', value)),
        ])
      expect(sent(12)).toEqual(sent(12))
      expect(sent(24).slice(0, 12)).toEqual(sent(12))
    }
  })
})

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const

function isBound(keyword: string): keyword is (typeof BOUNDS)[number] {
  return (BOUNDS as readonly string[]).includes(keyword)
}

/** What a bound speaks of: a number's value, a text's length, an array's count. */
function sizeOf(value: unknown): number {
  const plain = value instanceof FromBase ? value.of(undefined) : value
  if (typeof plain === 'string') return [...plain].length
  return Array.isArray(plain) ? plain.length : Number(plain)
}

function expectOnBound(field: Field, keyword: string, value: unknown): void {
  const { schema } = field
  if (keyword === 'minLength' || keyword === 'maxLength') expect([...String(value)]).toHaveLength(schema[keyword] ?? -1)
  if (keyword === 'minimum' || keyword === 'maximum') expect(value).toBe(schema[keyword])
  if (keyword === 'minItems' || keyword === 'maxItems') expect(value).toHaveLength(schema[keyword] ?? -1)
  if (keyword === 'enum') expect(schema.enum).toContain(value)
}

/** A shrunk value is what a person would write: just outside the bound, or a few characters. */
function expectShort(field: Field, keyword: string, value: unknown): void {
  const { maxLength, minLength = 0, maximum, minimum, maxItems } = field.schema
  const place = `${field.pointer} ${keyword}`
  if (keyword === 'maxLength') expect(String(value), place).toHaveLength((maxLength ?? -2) + 1)
  else if (keyword === 'maximum') expect(value, place).toBe(Math.floor(maximum ?? Number.NaN) + 1)
  else if (keyword === 'minimum')
    expect(Math.abs(Number(value)), place).toBeLessThanOrEqual(Math.abs((minimum ?? 0) - 1))
  else if (keyword === 'maxItems') expect(value, place).toHaveLength((maxItems ?? -2) + 1)
  else expect((serialise(value) ?? '').length, place).toBeLessThanOrEqual(Math.max(12, minLength + 4))
}
