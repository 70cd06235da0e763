import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOfRooms } from '../engine/hash.ts'
import { jsonIn } from '../schemas/json.ts'
import { keyOf, type Outcome } from './job.ts'

/** What was found out so far, kept in a file, so that a run that was broken off goes on where it stood. */
export interface StateFile {
  /** outcomes of earlier runs of the very same suite, by the key of their job */
  readonly known: ReadonlyMap<string, Outcome>
  add(outcome: Outcome): void
}

const NAME = 'prove-state.ndjson'
/** Everything that an outcome depends on: code, schemas and bindings, as they are run. */
const ROOMS = ['schemas', 'rules', 'fixtures', 'suites', 'reference', 'prove']

/** `again`: forget what is known. Throws what the file system throws. */
export function openState(folder: string, again: boolean): StateFile {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, NAME)
  const header = `${JSON.stringify({ type: 'prove', formatVersion: 1, suite: hashOfRooms(ROOMS) })}\n`
  const before = again || !existsSync(path) ? '' : readFileSync(path, 'utf8')
  if (!before.startsWith(header)) writeFileSync(path, header)
  const lines = before.startsWith(header) ? before.slice(header.length).split('\n') : []
  const known = new Map(lines.flatMap(outcomeIn).map((outcome) => [keyOf(outcome.job), outcome]))
  // A line that was cut off must not run into the next one.
  if (before.startsWith(header) && !before.endsWith('\n')) appendFileSync(path, '\n')
  return { known, add: (outcome) => appendFileSync(path, `${JSON.stringify(outcome)}\n`) }
}

function outcomeIn(line: string): Outcome[] {
  const outcome = jsonIn(line)
  return outcome === undefined ? [] : [outcome as Outcome]
}
