import type { ReplayReport } from '../schemas/types/replay.ts'
import type { Verdict } from '../schemas/types/report.ts'
import { counted, firstOf, number } from './counted.ts'

/** In a sentence: how many responses differ. */
export function comparedInWords({ counts, differences, moreDifferences }: ReplayReport): string {
  const { compared, different, weather = 0 } = counts
  if (compared === 0) return 'Nothing could be compared.'
  const moments =
    weather === 0 ? '' : ` ${counted(weather, 'more response')} met bad moments of the target, and did not count.`
  if (different === 0) return `None of ${counted(compared, 'response')} differs from the recording.${moments}`
  const kinds = counted(differences.length, 'kind')
  const more = moreDifferences > 0 ? ' and more' : ''
  return `${number(different)} of ${counted(compared, 'response')} differ from the recording, in ${kinds}${more} of difference.${moments}`
}

const MOST_NAMED = 5

/**
 * What the rules found in the new exchanges. A recording seldom brings everything about, so what was not judged is not
 * named.
 */
export function rulesInWords({ rules: { verdict, reason, findings } }: ReplayReport): string {
  if (verdict === 'invalid') return `invalid, ${reason}`
  const fresh = findings.filter((finding) => finding.fresh)
  const known = findings.filter((finding) => !finding.fresh)
  const parts = [
    ['newly broken', fresh],
    ['broken as in the recording', known],
  ] as const
  const words = parts.flatMap(([what, ones]) => {
    const ids = ones.map(({ requirement }) => requirement)
    return ids.length > 0 ? [`${what}: ${firstOf(ids, MOST_NAMED)}`] : []
  })
  return [...(findings.length === 0 ? ['nothing broken'] : []), ...words].join('; ')
}

/** How good or bad a replay came out. Another response need not be a worse one; a newly broken requirement is. */
export function toneOf(report: ReplayReport): Verdict {
  const { counts, broke, rules } = report
  const fresh = rules.findings.filter((finding) => finding.fresh)
  if (broke !== '' || fresh.some(({ level }) => level === 'stated')) return 'fail'
  if (counts.compared === 0) return 'error'
  const isUncertain = (counts.weather ?? 0) > 0
  return counts.different > 0 || fresh.length > 0 || isUncertain ? 'warn' : 'pass'
}
