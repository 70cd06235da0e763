// Builds the report of so many exchanges and draws its page, and tells the parent what that took.
import { renderHtml } from '../../reports/formats/html.ts'
import { reportOf, TEMPLATE } from './report.ts'

/** What the whole process took. */
export interface Drawn {
  /** seconds of CPU */
  readonly cpu: number
  /** most resident memory, in bytes */
  readonly memory: number
}

renderHtml(reportOf(Number(process.argv[2])), TEMPLATE)
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
const drawn: Drawn = { cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024 }
process.send?.(drawn, () => process.exit())
