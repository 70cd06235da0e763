import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STRENGTH } from '../schemas/strength.ts'

/**
 * Stands for what a verdict depends on: schemas, rules and suites as they are run. The same in every checkout and every
 * installed package of the same compiled code; source that was not compiled has another.
 */
export function suiteHash(): string {
  return hashOfRooms(['schemas', 'rules', 'suites'])
}

/** SHA-256 of the code and the data in some folders of this package, tests and the strength of the suite left out. */
export function hashOfRooms(rooms: readonly string[]): string {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const hash = createHash('sha256')
  for (const room of rooms) {
    const names = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    for (const name of names.map((one) => one.replaceAll('\\', '/')).sort()) {
      if (!/\.(c?js|ts|json)$/.test(name) || /\.(d|test)\.ts$/.test(name) || name === STRENGTH) continue
      hash.update(`${room}/${name}\n`).update(readFileSync(join(root, room, name)))
    }
  }
  return hash.digest('hex')
}
