import type { ReplayReport } from '../../../schemas/types/replay.ts'
import type { NamedReport } from '../../compare/compare.ts'
import type { History } from '../../history/history.ts'

/** What stands in the page beside its own code. */
export interface PageData {
  /** one: the page of a report; several: opened as a comparison, the first being what the others are held to */
  readonly reports: readonly NamedReport[]
  /** what was left out of the reports to keep the page small; empty where nothing was */
  readonly cuts: readonly string[]
  /** what the replay found that the first report is of */
  readonly replay?: ReplayReport
  /** of runs that were given beside the first report */
  readonly history?: History
}

/** Reads the data that was put into the page. @throws where it is none */
export function readData(document: Document): PageData {
  return JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData
}
