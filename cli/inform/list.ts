import { didYouMean, listed } from '../../engine/config/nearest.ts'
import { UsageError } from '../../engine/errors.ts'
import { ledger, type Requirement } from '../../schemas/ledger.ts'
import { EXIT } from '../exit-codes.ts'
import { colorsFor, exitWith, type Io } from '../io.ts'
import { table } from '../table.ts'

/** Filters take several words with commas between; an entry fits where it fits all of them. */
export interface ListOptions {
  readonly level?: string
  readonly category?: string
  readonly feature?: string
  readonly operation?: string
  readonly json?: boolean
}

/** Prints the requirements that fit the filters, a line each. @throws UsageError */
export function runList(options: ListOptions, io: Io): void {
  const entries = filtered([...ledger().values()], options)
  if (options.json === true) {
    io.stdout.write(`${JSON.stringify(entries, null, 2)}\n`)
  } else {
    const { bold, dim } = colorsFor(io)
    const rows = entries.map(({ id, level, category, text }) => [id, level, category, text])
    for (const line of table(rows, io.columns, [bold, dim, dim])) io.stdout.write(`${line}\n`)
    const count = entries.length === 1 ? '1 requirement' : `${entries.length} requirements`
    // beside the list, so that what reads the list gets nothing else
    io.stderr.write(`${count}; \`assay explain <id>\` tells all about one\n`)
  }
  exitWith(io, EXIT.ok)
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
