import { nameInPointer } from '../../../../schemas/pointer.ts'
import { lift } from '../lift.ts'
import type { SchemaSet } from '../schema-set.ts'
import { serialise } from '../serialise.ts'

/** A constraint at one place, as a violation names it. */
export interface Broken {
  readonly keyword: string
  /** of `required`: the property that is missing */
  readonly property: string | undefined
  readonly requirement: string | undefined
}

/** Tells what a value at one place breaks there; undefined where it breaks something elsewhere, or is no JSON. */
export type BrokenBy = (value: unknown) => readonly Broken[] | undefined

/** `base`: a valid body for the schema `ref`. Values are judged as they are serialised. */
export function createBrokenBy(set: SchemaSet, ref: string, base: unknown, pointer: string): BrokenBy {
  return (value) => {
    const text = serialise(lift(base, pointer, value))
    if (text === undefined) return undefined
    const broken: Broken[] = []
    for (const { keyword, pointer: place, requirement } of set.validator.violations(ref, JSON.parse(text))) {
      const missing = keyword === 'required' ? place.slice(place.lastIndexOf('/') + 1) : undefined
      const at = missing === undefined ? place : place.slice(0, -missing.length - 1)
      if (at !== pointer) return undefined
      broken.push({ keyword, property: missing === undefined ? missing : nameInPointer(missing), requirement })
    }
    return broken
  }
}

/** A constraint of a node in one word. */
export function keyOf(keyword: string, property: string | undefined): string {
  return property === undefined ? keyword : `${keyword} ${property}`
}
