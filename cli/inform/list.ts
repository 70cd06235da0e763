import { filtered, type ListOptions } from '../../engine/inform/list.ts'
import { ledger } from '../../schemas/ledger.ts'
import { EXIT } from '../exit-codes.ts'
import { colorsFor, exitWith, type Io } from '../io.ts'
import { table } from '../table.ts'

/** What the command line gives. */
export interface ListWords extends ListOptions {
  readonly json?: boolean
}

/** Prints the requirements that fit the filters, a line each. @throws UsageError */
export function runList(options: ListWords, io: Io): void {
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
