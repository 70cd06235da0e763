import { UsageError } from '../../engine/errors.ts'
import { unknownFormat } from '../../engine/report/conclude.ts'
import { deliver, formatAsked } from '../../engine/report/output.ts'
import { readReport } from '../../engine/report/read-reports.ts'
import { formatOf } from '../../reports/formats.ts'
import { EXIT } from '../exit-codes.ts'
import { exitWith, type Io } from '../io.ts'

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
