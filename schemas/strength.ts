import { existsSync } from 'node:fs'
import { readData } from './load.ts'
import type { MutantShare, Strength } from './types/strength.ts'

export type { MutantShare, Strength } from './types/strength.ts'

/** Where the strength of the suite stands, beside this module. */
export const STRENGTH = 'strength.json'

/** What the last whole proof said about the suite; undefined where there was none. */
export function shippedStrength(): Strength | undefined {
  return existsSync(new URL('./strength.json', import.meta.url)) ? readData<Strength>(STRENGTH) : undefined
}

/** The shares of each requirement, where the suite that was proven is the one with that hash. */
export function sharesFor(suite: string, strength: Strength | undefined): ReadonlyMap<string, MutantShare> {
  return new Map(strength?.suite === suite ? Object.entries(strength.requirements) : [])
}
