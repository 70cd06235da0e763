import { extname, resolve } from 'node:path'
import { UsageError } from '../../engine/errors.ts'
import { writeFileWhole } from '../../reports/formats/write.ts'
import type { Io } from '../io.ts'

/** Prints text, or writes it into the file that `out` names and says so beside it. @throws ReportWriteError */
export async function deliver(text: string, out: string | undefined, io: Io): Promise<void> {
  if (out === undefined) {
    io.stdout.write(text)
    return
  }
  const path = resolve(io.cwd, out)
  await writeFileWhole(path, text)
  io.stderr.write(`wrote ${path}\n`)
}

export interface FormatAsked {
  readonly format?: string
  readonly json?: boolean
  readonly out?: string
}

/** Ends of names -> the format that such a file holds. */
const FORMATS: Readonly<Record<string, string>> = {
  '.html': 'html',
  '.htm': 'html',
  '.svg': 'badge',
  '.xml': 'junit',
  '.md': 'markdown',
  '.json': 'json',
}

/** What browsers run by the end of its name: words of a target, escaped for something else, would be markup in it. */
const IS_MARKUP = /^\.(?:x?html?|svgz?|xml|xsl|mhtml?)$/

/** The format that is asked for: by its name, or by that of the file. @throws UsageError where the two do not fit */
export function formatAsked({ format, json, out = '' }: FormatAsked): string {
  const end = extname(out).toLowerCase()
  const fitting = Object.hasOwn(FORMATS, end) ? FORMATS[end] : undefined
  const asked = json === true ? 'json' : (format ?? fitting ?? 'text')
  if (!IS_MARKUP.test(end) || asked === fitting) return asked
  const what = `browsers take a ${end} file for markup, and the format ${JSON.stringify(asked)} is none`
  throw new UsageError({
    where: out,
    what,
    hint: `${fitting ? `use --format ${fitting}, or ` : ''}choose another name`,
  })
}
