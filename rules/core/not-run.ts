import type { NotRunReason } from '../../schemas/types/case.ts'

/** Why a requirement was not judged, as a report says it. By itself: the page of reports, too, has to know it. */
export function notRun(reason: NotRunReason, detail: string): string {
  return `${reason}: ${detail}`
}

/** The reason of what nobody selected, where only a part was to be run. */
export const LEFT_OUT: string = notRun('disabled', 'left out by --only')
