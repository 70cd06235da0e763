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

/** In these parts each name is a line of its own; a sample body or a query is one whole. */
const NAMED: readonly string[] = ['parameters', 'fields', 'answer']

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

  /** What an entry says now. `found`: all that was found of it; `now` need not say what the file inherits. */
  function renewed(place: string, theirs: Lines, now: Lines, found: Lines, isOurs: boolean): Lines {
    const result = new Map(theirs)
    const mayChange = isOurs || replace
    const says = new Map([...found, ...now])
    const hasMoved = ['/method', '/path'].some(
      (line) => theirs.has(line) && !isDeepStrictEqual(says.get(line), theirs.get(line)),
    )
    for (const [line, before] of theirs) {
      const after = says.get(line)
      // Entries that belong to another path are of no use at the new one.
      const isGone = after === undefined && hasMoved && isOurs
      if (isDeepStrictEqual(before, after) || (after === undefined && !isGone)) continue
      if (!mayChange) {
        kept.push({ place: place + line, ours: before, found: after })
        continue
      }
      if (now.has(line)) result.set(line, now.get(line))
      else result.delete(line)
      changed.push({ place: place + line, before, now: now.get(line) })
    }
    // Places in the responses of another path say nothing of the one that somebody wrote.
    if (!hasMoved || mayChange) for (const [line, value] of now) if (!theirs.has(line)) result.set(line, value)
    return result
  }

  function part<T>(name: 'answers' | 'operations' | 'resources', ids: Iterable<string>): Record<string, T> {
    const result: Record<string, unknown> = { ...old[name] }
    const written: Readonly<Record<string, unknown>> = fresh[name] ?? {}
    for (const id of new Set([...Object.keys(written), ...ids])) {
      const [theirs, now, place] = [result[id], written[id], `/${name}/${id}`]
      if (theirs === undefined && now === undefined) continue
      // A promise that nobody can see is taken back only in a file that says nothing of it.
      if (name === 'answers' && now === null && theirs !== undefined) continue
      const origin = old.origins?.[place]
      const newer = originIn(findings, fresh, place)
      const isUntouched = origin?.wrote === markOf(theirs)
      const isLessSure = origin !== undefined && newer !== undefined && isSurer(origin.sure, newer.sure)
      const found = foundLines(findings, name, id)
      // Ours is what nobody changed since `assay bind` wrote it, if the new finding is as sure.
      const isOurs = isUntouched && !isLessSure
      const entry = entryOf(renewed(place, linesOf(place, theirs), linesOf(place, now), found, isOurs))
      const told = isLessSure ? origin : newer
      if (entry === undefined) {
        delete result[id]
        delete origins[place]
        continue
      }
      result[id] = entry
      // Where somebody changed something, the mark is that of what was found: the entry stays known as theirs.
      if (told && (theirs === undefined || origin !== undefined || replace))
        origins[place] = { ...told, wrote: markOf(isUntouched || theirs === undefined ? entry : now) }
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

function linesOf(place: string, entry: unknown): Lines {
  if (entry === undefined) return new Map()
  if (place.startsWith('/answers/')) return new Map([['', entry]])
  return new Map(
    Object.entries(entry as object).flatMap(([name, value]): [string, unknown][] =>
      NAMED.includes(name)
        ? Object.entries(value ?? {}).map(([key, one]) => [`/${name}/${key}`, one])
        : [[`/${name}`, value]],
    ),
  )
}

function entryOf(lines: Lines): unknown {
  if (lines.has('')) return lines.get('')
  const entry: Record<string, unknown> = {}
  for (const [line, value] of lines) {
    const [, name = '', ...key] = line.split('/')
    if (!NAMED.includes(name)) entry[name] = value
    else entry[name] = { ...(entry[name] as object | undefined), [key.join('/')]: value }
  }
  return lines.size === 0 ? undefined : entry
}

/** All that was found of an entry, also what the file inherits just so. */
function foundLines({ operations, answers }: Findings, part: string, id: string): Lines {
  if (part === 'answers') return linesOf(`/answers/${id}`, answers.get(id)?.value)
  const found = part === 'operations' ? operations.get(id) : undefined
  return linesOf('', found && { ...found, offered: true })
}

function originIn({ operations, answers }: Findings, fresh: Fresh, place: string): BoundOrigin | undefined {
  const [, part = '', id = ''] = place.split('/')
  const found = part === 'operations' ? operations.get(id) : answers.get(id)
  return fresh.origins?.[place] ?? (found && { from: found.from, sure: found.sure })
}
