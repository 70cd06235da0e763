import { probes } from '../../../schemas/records/intents.ts'
import { broken, decide, held } from '../../core/judgement.ts'
import type { ExchangeView } from '../../core/view.ts'
import { type Batch, takenIn } from '../../known/batches.ts'
import { batchesIn, claimOf, type GroupRule, sendsLines } from '../../known/groups.ts'
import { reportedFor, reportsIn, usageKind, usageReport } from '../../known/usage.ts'

/** Characters of each line with what belongs to it, at least: drawn at random, they cannot be stored in a byte. */
const LONG = 400

/**
 * USAGE-V2-probes.longLines: usage v2 reports bytes of disk storage (category 'Usage v2'). How lines are stored is a target's own, and
 * so is how many bytes that takes; but where each of several names has as many bytes as long lines that have nothing in
 * common, lines are counted.
 */
export const bytesRule: GroupRule = {
  name: 'usage counts bytes, not lines',
  sees: ({ intent }) => intent?.probe === probes.longLines && intent.final !== false,
  judge(view, before, oracle) {
    const report = usageKind(view)?.version === 2 ? usageReport(view, oracle) : undefined
    if (!report) return []
    const long = before.filter((one) => sendsLines(one) && isLong(one))
    const told = [...linesByName(batchesIn(long))].flatMap(([name, lines]) => {
      const bytes = reportedFor(report, name)
      return bytes === undefined ? [] : [{ lines, bytes }]
    })
    // Of one number alone it may be chance, and so of numbers that are all the same.
    if (new Set(told.map(({ lines }) => lines)).size < 2) return []
    const claim = claimOf('USAGE-V2-BYTES', [...long, view], { edge: 'long lines' })
    if (told.every(({ lines, bytes }) => bytes > lines)) return [held(claim)]
    if (!told.every(({ lines, bytes }) => bytes === lines)) return []
    return [
      broken(claim, {
        message: 'usage v2 reports the number of lines, not their bytes',
        expected: `bytes that lines of ${LONG} characters each may take on a disk`,
        actual: told.map(({ lines, bytes }) => `${bytes} for ${lines} lines`).join(', '),
      }),
    ]
  },
}

/** Whether the lines of a request that were taken are long, and have nothing in common. */
function isLong(view: ExchangeView): boolean {
  const taken = takenIn(view)?.lines ?? []
  const body = view.exchange.request.postData
  const distinct = new Set(taken.map(({ hash }) => hash)).size
  return (
    body !== undefined && body._cut !== true && distinct === taken.length && body.text.length >= LONG * taken.length
  )
}

/** How many lines were sent under each name: of applications, hosts and tags. */
function linesByName(batches: readonly Batch[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  for (const { sender } of batches.flatMap((batch) => batch.lines)) {
    for (const name of sender ? [sender.app, sender.host, ...sender.tags] : []) {
      lines.set(name, (lines.get(name) ?? 0) + 1)
    }
  }
  return lines
}

/** Bytes of stored lines do not grow: the lines were dropped before they were stored. */
const REQUIREMENTS = ['EXCLUSION-BEFORE-STORAGE', 'USAGE-V2-STORED']

/**
 * EXCLUSION-BEFORE-STORAGE, USAGE-V2-STORED: usage v2 counts stored lines only: an application whose new lines are dropped
 * has as many bytes as before (category 'Usage v2'). The intents of the two reports and of the lines between them share a
 * group and the probe `dropped`.
 */
export const droppedUsageRule: GroupRule = {
  name: 'dropped lines are no usage',
  sees: ({ intent }) => intent?.probe === probes.droppedUsage,
  judge(view, before, oracle) {
    const report = view.operation?.id === 'list-usage-v2-by-app' ? usageReport(view, oracle) : undefined
    const batches = batchesIn(before)
    const sent = before.find(({ id }) => id === batches[0]?.exchange)
    const earlier = sent ? reportsIn(before.slice(0, before.indexOf(sent)), oracle) : []
    const [first, last] = [earlier[0], earlier.at(-1)]
    // A report may be behind: only one that began later shows all that was stored before.
    if (!report || !first || !last || last.view.exchange._start - first.view.exchange._start < oracle.settleMs)
      return []
    const exchanges = [last.view.id, batches.at(-1)?.exchange ?? '', view.id]
    const apps = new Set(batches.flatMap(({ lines }) => lines.flatMap(({ sender }) => sender?.app ?? [])))
    return [...apps].flatMap((app) => {
      const [stored, now] = [reportedFor(last.report, app), reportedFor(report, app)]
      if (stored === undefined || now === undefined) return []
      const fault = {
        message: 'lines that were dropped count as usage',
        expected: `${stored} bytes for ${app}, as before`,
        actual: `${now} bytes`,
      }
      return REQUIREMENTS.map((requirement) => {
        const claim = claimOf(requirement, [view], { edge: 'lines that were dropped', exchanges })
        return decide(claim, now > stored ? fault : undefined)
      })
    })
  },
}
