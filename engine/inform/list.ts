import type { Requirement } from '../../schemas/types/requirements.ts'
import { didYouMean, listed } from '../config/nearest.ts'
import { UsageError } from '../errors.ts'

/** Filters take several words with commas between; an entry fits where it fits all of them. */
export interface ListOptions {
  readonly level?: string
  readonly category?: string
  readonly feature?: string
  readonly operation?: string
}

type Field = 'level' | 'category' | 'feature' | 'operation'

const VALUES: Readonly<Record<Field, (entry: Requirement) => readonly string[]>> = {
  level: ({ level }) => [level],
  category: ({ category }) => [category],
  feature: ({ feature }) => [feature],
  operation: ({ operations }) => operations,
}

/** The entries that fit every filter. @throws UsageError for a word that no entry has */
export function filtered(entries: readonly Requirement[], options: ListOptions): Requirement[] {
  const fields = Object.keys(VALUES) as Field[]
  return fields.reduce<Requirement[]>(
    (left, field) => {
      const wanted = (options[field] ?? '').split(',').filter((word) => word !== '')
      if (options[field] === undefined) return left
      const known = [...new Set(entries.flatMap(VALUES[field]))].sort()
      const unknown = wanted.filter((word) => !known.includes(word))
      if (unknown.length > 0 || wanted.length === 0) throw unknownWords(field, unknown, known)
      return left.filter((entry) => VALUES[field](entry).some((value) => wanted.includes(value)))
    },
    [...entries],
  )
}

function unknownWords(field: Field, unknown: readonly string[], known: readonly string[]): UsageError {
  const names = unknown.length > 0 ? unknown : ['']
  return new UsageError(
    ...names.map((word) => ({
      where: `--${field}`,
      what: `there is no ${field} ${JSON.stringify(word)}`,
      hint: didYouMean(word, known, `known are ${listed(known, 'and')}`),
    })),
  )
}
