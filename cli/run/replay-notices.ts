import { bindingInWords } from '../../engine/recordings/recorded-binding.ts'
import type { Left, ReplayNotice, ReplayProgress } from '../../engine/replay/plan.ts'

const DISTILLED = 'note: the recording was distilled: requests lack what they build on, so responses differ'

/** What a notice says, one line each. `cleanup`: the command that removes what a journal names. */
export function noticeLines(notice: ReplayNotice, cleanup: (journal: string) => string): string[] {
  switch (notice.kind) {
    case 'binding':
      return [bindingInWords(notice.found)]
    case 'unreadable part':
      return [notice.message]
    case 'distilled':
      return [DISTILLED]
    case 'not cleared':
      return [notCleared(notice.left)]
    case 'not noise':
      return notNoise(notice.reasons)
    case 'left':
      return [`${leftInWords(notice.count)} left: ${cleanup(notice.journal)}`]
  }
}

/** How far a replay is. */
export function progressLine(progress: ReplayProgress, recording: string): string {
  if (progress.phase === 'reading') return `reading ${recording}`
  return `replaying  ${progress.done}/${progress.of} exchanges  ${progress.different} different`
}

/** Why the second replay does not meet what the first one met. */
function notCleared(left: readonly Left[]): string {
  const consents = [...new Set(left.flatMap(({ consent }) => consent ?? []))].sort()
  const why = consents.length > 0 ? `no consent: ${consents.join(', ')}` : 'the target did not remove them'
  const what = left.length === 1 ? '1 thing' : `${left.length} things`
  return `${what} that the first replay made could not be removed before the second (${why})`
}

/** How many differences taught nothing, and why. */
function notNoise(reasons: ReadonlyMap<string, number>): string[] {
  const all = [...reasons.values()].reduce((sum, count) => sum + count, 0)
  const what = all === 1 ? '1 difference of the second replay does' : `${all} differences of the second replay do`
  const lines = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `  ${count}: ${reason}`)
  return [`${what} not count as noise:`, ...lines]
}

function leftInWords(count: number): string {
  return count === 1
    ? '1 thing that the recording made and did not remove is'
    : `${count} things that the recording made and did not remove are`
}
