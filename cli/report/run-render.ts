import { unknownFormat } from '../../engine/conclude/conclude.ts'
import { readReport } from '../../engine/conclude/read-reports.ts'
import { UsageError } from '../../engine/errors.ts'
import { formatOf } from '../../reports/formats/formats.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'
import { deliver, formatAsked } from './output.ts'

export interface RenderOptions {
  readonly format?: string
  readonly out?: string
  readonly json?: boolean
  /** of the text: as `all` of the summary of a run */
  readonly all?: boolean
}

/** Writes a report down in another format. @throws UsageError */
export async function runRender(path: string, options: RenderOptions, io: Io): Promise<void> {
  const name = formatAsked(options)
  const format = formatOf(name)
  if (!format) throw new UsageError(unknownFormat(name, '--format'))
  const text = format.render(readReport(path, io.cwd), options.all)
  if (text === undefined) {
    throw new UsageError({ where: '--format', what: 'the page was not built', hint: '`npm run build` builds it' })
  }
  await deliver(text, options.out, io)
  exitWith(io, EXIT.ok)
}
