import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { BindingFile, BoundOperation, BoundOrigin, BoundResource } from '../../schemas/types/binding.ts'
import { type Findings, isSurer } from './found.ts'

/** A line of the file that says something else than what was found, and was left as it is. */
export interface Kept {
  readonly place: string
  readonly ours: unknown
  readonly found: unknown
}

/** A line of the file that says something else now; `now` is undefined where it went away. */
export interface Changed {
  readonly place: string
  readonly before: unknown
  readonly now: unknown
}

/** What was found, laid out as a file. */
export type Fresh = { -readonly [Key in keyof BindingFile]: BindingFile[Key] } & {
  operations: Record<string, BoundOperation>
  answers: Record<string, unknown>
}

/** An entry by its lines: `/path`, `/answer/id`; an answer to a gap is one line, the empty one. */
type Lines = Map<string, unknown>

interface Entry {
  readonly theirs: Lines
  readonly now: Lines
  /** what was found of a line that `now` need not say, because the file inherits it */
  readonly found: (line: string) => unknown
  /** nobody changed it since `assay bind` wrote it, and the new finding is as sure */
  readonly isOurs: boolean
}

/** In these parts each name is a line of its own; a sample body or a query is one whole. */
const NAMED = ['parameters', 'fields', 'answer'] as const

/** Marks each entry as one that `assay bind` wrote. */
export function signed(fresh: Fresh): BindingFile {
  const origins = Object.entries(fresh.origins ?? {}).map(([place, origin]) => {
    const [, part = '', id = ''] = place.split('/')
    const entry = fresh[part as 'answers']?.[id]
    return [place, { ...origin, wrote: markOf(entry) }]
  })
  return { ...fresh, ...(origins.length > 0 ? { origins: Object.fromEntries(origins) } : {}) }
}

/** Tells later whether somebody changed an entry. */
function markOf(entry: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(entry ?? null))
    .digest('hex')
    .slice(0, 12)
}

/**
 * A file with what was found. Lines that somebody wrote stay, but for `replace`; what `assay bind` wrote is renewed. No
 * line goes away only because nothing was found of it this time: that proves nothing.
 */
export function updated(
  old: BindingFile,
  fresh: Fresh,
  findings: Findings,
  replace: boolean,
): { file: BindingFile; kept: Kept[]; changed: Changed[] } {
  const kept: Kept[] = []
  const changed: Changed[] = []
  const origins = { ...old.origins }

  function renew(place: string, theirs: unknown, now: unknown, found: Entry['found']): unknown {
    const origin = old.origins?.[place]
    const newer = originIn(findings, fresh, place)
    const isUntouched = origin?.wrote === markOf(theirs)
    const isLessSure = origin !== undefined && newer !== undefined && isSurer(origin.sure, newer.sure)
    const entry = {
      theirs: linesOf(place, theirs),
      now: linesOf(place, now),
      found,
      isOurs: isUntouched && !isLessSure,
    }
    const lines = renewed(entry, replace)
    kept.push(...lines.kept.map((one) => ({ ...one, place: place + one.place })))
    changed.push(...lines.changed.map((one) => ({ ...one, place: place + one.place })))
    const result = entryOf(lines.result)
    const told = isLessSure ? origin : newer
    if (result === undefined) delete origins[place]
    else if (told && (theirs === undefined || origin !== undefined || replace)) {
      // Where somebody changed something, the mark is that of what was found: the entry stays known as theirs.
      origins[place] = { ...told, wrote: markOf(isUntouched || theirs === undefined ? result : now) }
    }
    return result
  }

  function part<T>(name: 'answers' | 'operations' | 'resources', ids: Iterable<string>): Record<string, T> {
    const result: Record<string, unknown> = { ...old[name] }
    const now: Readonly<Record<string, unknown>> = fresh[name] ?? {}
    for (const id of new Set([...Object.keys(now), ...ids])) {
      if (result[id] === undefined && now[id] === undefined) continue
      // A promise that nobody can see is taken back only in a file that says nothing of it.
      if (name === 'answers' && now[id] === null && result[id] !== undefined) continue
      const renewedEntry = renew(`/${name}/${id}`, result[id], now[id], (line) => foundAt(findings, name, id, line))
      if (renewedEntry === undefined) delete result[id]
      else result[id] = renewedEntry
    }
    return result as Record<string, T>
  }

  const file = {
    ...old,
    answers: part('answers', findings.answers.keys()),
    operations: part<BoundOperation>('operations', findings.operations.keys()),
    ...(old.resources || fresh.resources ? { resources: part<BoundResource>('resources', []) } : {}),
    ...(Object.keys(origins).length > 0 ? { origins } : {}),
  }
  return { file, kept, changed }
}

function renewed(
  { theirs, now, found, isOurs }: Entry,
  replace: boolean,
): { result: Lines; kept: Kept[]; changed: Changed[] } {
  const result = new Map(theirs)
  const kept: Kept[] = []
  const changed: Changed[] = []
  const says = (line: string): unknown => (now.has(line) ? now.get(line) : found(line))
  const hasMoved = ['/method', '/path'].some(
    (line) => theirs.has(line) && !isDeepStrictEqual(says(line), theirs.get(line)),
  )
  for (const [line, before] of theirs) {
    const after = says(line)
    if (isDeepStrictEqual(before, after)) continue
    // Entries that belong to another path are of no use at the new one.
    const isGone = after === undefined && hasMoved && isOurs
    if (after === undefined && !isGone) continue
    if (!isOurs && !replace) {
      kept.push({ place: line, ours: before, found: after })
      continue
    }
    if (now.has(line)) result.set(line, now.get(line))
    else result.delete(line)
    changed.push({ place: line, before, now: now.get(line) })
  }
  // Places in the responses of another path say nothing of the one that somebody wrote.
  if (!hasMoved || isOurs || replace) {
    for (const [line, value] of now) if (!theirs.has(line)) result.set(line, value)
  }
  return { result, kept, changed }
}

function linesOf(place: string, entry: unknown): Lines {
  if (entry === undefined) return new Map()
  if (place.startsWith('/answers/')) return new Map([['', entry]])
  return new Map(
    Object.entries(entry as object).flatMap(([name, value]): [string, unknown][] =>
      isNamed(name) ? Object.entries(value).map(([key, one]) => [`/${name}/${key}`, one]) : [[`/${name}`, value]],
    ),
  )
}

function isNamed(name: string): boolean {
  return NAMED.some((one) => one === name)
}

function entryOf(lines: Lines): unknown {
  if (lines.has('')) return lines.get('')
  const entry: Record<string, unknown> = {}
  for (const [line, value] of lines) {
    const [, name = '', ...key] = line.split('/')
    if (!isNamed(name)) entry[name] = value
    else entry[name] = { ...(entry[name] as object | undefined), [key.join('/')]: value }
  }
  return lines.size === 0 ? undefined : entry
}

/** What was found of a line, also where the file inherits just that. */
function foundAt({ operations, answers }: Findings, part: string, id: string, line: string): unknown {
  if (part === 'answers') return answers.get(id)?.value
  if (part === 'resources') return undefined
  const found = operations.get(id)
  const [, name = '', ...key] = line.split('/')
  if (name === 'offered') return found && true
  const value = (found as Readonly<Record<string, unknown>> | undefined)?.[name]
  return isNamed(name) ? (value as Readonly<Record<string, unknown>> | undefined)?.[key.join('/')] : value
}

function originIn({ operations, answers }: Findings, fresh: Fresh, place: string): BoundOrigin | undefined {
  const [, part = '', id = ''] = place.split('/')
  const found = part === 'operations' ? operations.get(id) : answers.get(id)
  return fresh.origins?.[place] ?? (found && { from: found.from, sure: found.sure })
}
