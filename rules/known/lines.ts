import { oncePer } from '../../schemas/once.ts'
import type { LineDigest, LineSender } from '../../schemas/types/exchange.ts'
import { misnamedText } from '../core/misfit.ts'
import type { ExchangeView } from '../core/view.ts'

/** A line as a digest knows it. */
export interface Line {
  /** the mark of a line that a run made; of others a dash, the hash of the text, and the time */
  readonly id: string
  /** of the text */
  readonly hash: string
  /** milliseconds since the epoch */
  readonly time: number | undefined
  readonly sender: LineSender | undefined
}

/** The lines that a request sends; undefined where it sends none, or so many that they are not known one by one. */
export function sentLines(view: ExchangeView): readonly Line[] | undefined {
  return linesOf(view.exchange._digest?.sent)
}

/**
 * The lines that an answer exports. Undefined: it exports none, too many to be known one by one, or the binding reads
 * their texts under a wrong name.
 */
export function receivedLines(view: ExchangeView): readonly Line[] | undefined {
  return misnamedText(view) === undefined ? linesOf(view.exchange._digest?.received) : undefined
}

/** Whether a run made the line, so that it differs from all others. */
export function isMarked(line: Line): boolean {
  return !line.id.startsWith('-')
}

/** Milliseconds that the time of a line may be rounded by. */
const ROUNDED_MS = 1_000

/** Whether two times of a line are one, rounded; undefined where one of them is not known. */
export function isSameTime(one: Line['time'], other: Line['time']): boolean | undefined {
  return one === undefined || other === undefined ? undefined : Math.abs(one - other) <= ROUNDED_MS
}

/** Whether a run gave a name: in traffic, lines that no run made may have any other one as well. */
export function isOwnName(name: string): boolean {
  return name.startsWith('assay-')
}

/** How a list of times goes. */
export function orderOf(times: readonly number[]): 'rising' | 'falling' | 'mixed' | 'none' {
  let rises = false
  let falls = false
  for (let index = 1; index < times.length; index += 1) {
    const step = (times[index] ?? 0) - (times[index - 1] ?? 0)
    if (step > 0) rises = true
    if (step < 0) falls = true
  }
  if (rises) return falls ? 'mixed' : 'rising'
  return falls ? 'falling' : 'none'
}

function linesOf(digest: LineDigest | undefined): readonly Line[] | undefined {
  return !digest || digest.folded ? undefined : decoded(digest)
}

const decoded = oncePer((digest: LineDigest): readonly Line[] => {
  const names = digest.senders.map(({ host, app, level }) => `${host} ${app} ${level}`)
  return digest.lines.map((text): Line => {
    const [mark = '-', hash = '-', time = '-', sender = '-'] = text.split(' ')
    const dot = mark.indexOf('.')
    return {
      // Two senders may say the same at the same time.
      id:
        dot < 0
          ? `-${hash} ${time} ${names[Number(sender)] ?? ''}`
          : `${digest.marks[Number(mark.slice(0, dot))] ?? ''}${mark.slice(dot)}`,
      hash,
      time: time === '-' ? undefined : Number(time),
      sender: sender === '-' ? undefined : digest.senders[Number(sender)],
    }
  })
})
