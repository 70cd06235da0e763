import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readData } from './load.ts'
import type { MutantShare, Strength } from './types/strength.ts'

export type { MutantShare, Strength } from './types/strength.ts'

const NAME = 'strength.json'

/**
 * Stands for what a verdict depends on: schemas, rules and suites as they are run. The same in every checkout and every
 * installed package of the same compiled code; source that was not compiled has another.
 */
export function suiteHash(): string {
  return hashOfRooms(['schemas', 'rules', 'suites'])
}

/** SHA-256 of the code and the data in some folders of this package, tests and the strength of the suite left out. */
export function hashOfRooms(rooms: readonly string[]): string {
  const hash = createHash('sha256')
  for (const room of rooms) {
    const folder = fileURLToPath(new URL(`../${room}/`, import.meta.url))
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
    for (const name of names.sort()) {
      if (!/\.(js|ts|json)$/.test(name) || /\.(d|test)\.ts$/.test(name) || name === NAME) continue
      hash.update(`${room}/${name}\n`).update(readFileSync(`${folder}${name}`))
    }
  }
  return hash.digest('hex')
}

/** The shares of a file, where the suite that it speaks of is the one with that hash. */
export function sharesFor(suite: string, file: Strength): ReadonlyMap<string, MutantShare> {
  return new Map(file.suite === suite ? Object.entries(file.requirements) : [])
}

let shares: ReadonlyMap<string, MutantShare> | undefined

/**
 * How many of the deliberate faults that are about a requirement this very suite noticed. Undefined where there are
 * none, or where the suite has changed since it was proven.
 */
export function strengthOf(requirement: string): MutantShare | undefined {
  shares ??= existsSync(new URL(NAME, import.meta.url)) ? sharesFor(suiteHash(), readData<Strength>(NAME)) : new Map()
  return shares.get(requirement)
}
