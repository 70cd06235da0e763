import type { Failures } from '../schemas/types/report.ts'

/** What a bad day looked like, in one line. */
export function failuresInWords({ serverErrors, unanswered, repeated }: Failures): string {
  const answers = [
    ...(serverErrors > 0 ? [`${counted(serverErrors, 'server error')}`] : []),
    ...(unanswered > 0 ? [`${counted(unanswered, 'request')} without a whole response`] : []),
    ...(repeated > 0 ? [`${counted(repeated, 'request')} sent again`] : []),
  ]
  return answers.join(', ')
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
}
