import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Removes the type declarations that no entry of the package leads to: nobody can import them. */
export function pruneDeclarations(dist) {
  const needed = new Set()
  const library = join(dist, 'library')
  const waiting = declarationsIn(library).map((name) => join(library, name))
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (needed.has(path) || !existsSync(path)) continue
    needed.add(path)
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/['"](\.[^'"]+)\.[jt]s['"]/g)) {
      waiting.push(normalize(join(dirname(path), `${name}.d.ts`)))
    }
  }
  for (const name of declarationsIn(dist)) if (!needed.has(join(dist, name))) rmSync(join(dist, name))
}

function declarationsIn(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.d.ts'))
}
