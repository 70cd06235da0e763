import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * What runs came to, kept in a file where one is given. `version` stands for everything that they depend on: a file of
 * another version is begun anew.
 */
export function openRuns(path, version) {
  const runs = new Map()
  if (path === undefined) return { get: (key) => runs.get(key), add: (key, outcome) => runs.set(key, outcome) }
  const header = `${JSON.stringify({ type: 'peer-runs', version })}\n`
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (before.startsWith(header)) {
    for (const line of before.slice(header.length).split('\n').filter(Boolean)) {
      const { key, outcome } = JSON.parse(line)
      runs.set(key, outcome)
    }
  } else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, header)
  }
  return {
    get: (key) => runs.get(key),
    add(key, outcome) {
      runs.set(key, outcome)
      appendFileSync(path, `${JSON.stringify({ key, outcome })}\n`)
    },
  }
}
