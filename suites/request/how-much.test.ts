import { expect, test } from 'vitest'
import { fieldOf } from '../generate/fields.ts'
import { walk } from '../generate/probes.ts'
import { fewer, howMuch, type Wanted } from './how-much.ts'

const wanted = walk(fieldOf('transform-update', '/title')).flatMap((probe): Wanted[] =>
  probe.kind === 'observe' ? [] : [{ probe, intent: { kind: probe.kind, requirement: probe.requirement ?? '' } }],
)
const { types, good, edges } = howMuch('quick', false)
const kept = (seed: number): readonly Wanted[] =>
  fewer(wanted, ({ probe }) => (probe.kind === 'accept' ? good : probe.keyword === 'type' ? types : edges), seed)

test('where it is not the turn of a place, each rule of it is tried all the same, by few values', () => {
  const rules = (some: readonly Wanted[]): string[] => [
    ...new Set(some.map(({ probe }) => `${probe.kind} ${probe.keyword}`)),
  ]
  expect(rules(kept(1))).toEqual(rules(wanted))
  expect(kept(1).length).toBeLessThan(wanted.length / 3)
})

test('a value that another one waits for is kept with it, and the order stays', () => {
  const labels = kept(1).map(({ probe }) => probe.label)
  for (const { probe } of kept(1)) if (probe.after !== undefined) expect(labels).toContain(probe.after)
  expect(kept(1)).toEqual(wanted.filter((one) => kept(1).includes(one)))
})

test('the seed draws the others', () => {
  expect(kept(1)).toEqual(kept(1))
  expect(
    new Set(
      [1, 2, 3, 4, 5].map((seed) =>
        kept(seed)
          .map(({ probe }) => probe.label)
          .join(),
      ),
    ).size,
  ).toBeGreaterThan(1)
})
