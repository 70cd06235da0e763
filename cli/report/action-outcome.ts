import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../../schemas/types/report.ts'
import { EXIT } from '../exit-codes.ts'

/** What a command left in its folder, to be told to later steps. */
export interface ActionOutcome {
  /** '' where there is no report */
  readonly verdict: string
  /** path of report.json; '' where there is none */
  readonly report: string
  /** Markdown; '' where there is none */
  readonly summary: string
}

/** No report, and so no verdict. */
export const NO_OUTCOME: ActionOutcome = { verdict: '', report: '', summary: '' }

/** With these there is no verdict, whatever stands in the folder. */
const WITHOUT_VERDICT: ReadonlySet<number> = new Set([EXIT.usage, EXIT.unreachable])

/**
 * To be called before a command writes into the folder `out`. The answer tells what the command left there when it has
 * ended with `code`: a file that stood there before, and still does, is of an earlier run and counts as none.
 */
export function watchOutcome(out: string): (code: number) => ActionOutcome {
  const path = join(out, 'report.json')
  const summaryPath = join(out, 'summary.md')
  const before = new Map([path, summaryPath].map((one) => [one, stampOf(one)]))
  const isNew = (one: string): boolean => {
    const stamp = stampOf(one)
    return stamp !== undefined && stamp !== before.get(one)
  }
  return (code) => {
    if (WITHOUT_VERDICT.has(code) || !isNew(path)) return NO_OUTCOME
    const { verdict } = JSON.parse(readFileSync(path, 'utf8')) as Report
    return { verdict, report: path, summary: isNew(summaryPath) ? readFileSync(summaryPath, 'utf8') : '' }
  }
}

/** Tells one writing of a file from another, also within the same moment: each is a new file under the old name. */
function stampOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found?.isFile() ? `${found.ino} ${found.mtimeNs} ${found.ctimeNs}` : undefined
}
