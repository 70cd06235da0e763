import fc from 'fast-check'
import { isTurnedDown } from '../../rules/core/view.ts'
import { wallTime } from '../../schemas/times.ts'
import type { CaseIntent } from '../../schemas/types/intents.ts'
import { type CaseContext, requireOperation, type Sent } from '../case.ts'
import { draw, subSeed } from '../generate/drawing.ts'

const DAY = 86_400

/** Rows that are asked for where all are wanted. */
const ALL_ROWS = 10_000

/**
 * The query of a usage report from midnight UTC of one day to that of another, `from` and `to` in days before today.
 * `limit`: rows at most; as many as can be had, if left out.
 */
export function usageQuery(
  context: CaseContext,
  operation: string,
  from: number,
  to: number,
  limit: number = ALL_ROWS,
): Record<string, string> {
  const today = context.today / 1000
  return usageQueryAt(context, operation, today - from * DAY, today - to * DAY, limit)
}

/** The same between two UNIX times in seconds. */
export function usageQueryAt(
  context: CaseContext,
  operation: string,
  from: number,
  to: number,
  limit: number = ALL_ROWS,
): Record<string, string> {
  const { parameters } = requireOperation(context, operation)
  const named = parameters.limit ?? context.binding.answers.get('GAP-USAGE-LIMIT-PARAMETER')?.value
  return {
    [parameters.from ?? 'from']: String(from),
    [parameters.to ?? 'to']: String(to),
    ...(typeof named === 'string' && operation !== 'get-usage-v2' ? { [named]: String(limit) } : {}),
  }
}

/** Asks for reports of a period that surely holds now. */
export interface PresentReports {
  ask(intent: CaseIntent, limit?: number): Promise<Sent>
  /** The end of the period of the last report, in UNIX seconds. */
  end(): number
}

/** Days after the midnight before this run at which the period may end. */
const AHEAD = [4, 1] as const

/**
 * Reports from days ago until after now. Days may be cut in any zone, and the last one may not belong to the period: one
 * that ends days ahead surely holds now. The text does not say whether a period may end in the future. If the end is
 * refused, a nearer one is tried and then kept, in the end now. `from`: in days before today.
 */
export function presentReports(context: CaseContext, operation: string, from: number): PresentReports {
  let tried = 0
  let to = context.today / 1000
  const send = (intent: CaseIntent, limit?: number): Promise<Sent> => {
    const ahead = AHEAD[tried]
    const today = context.today / 1000
    to = ahead === undefined ? Math.floor(wallTime() / 1000) : today + ahead * DAY
    const query = usageQueryAt(context, operation, today - from * DAY, to, limit)
    return context.send({ operation, query, intent })
  }
  return {
    async ask(intent, limit) {
      let sent = await send(intent, limit)
      while (isTurnedDown(sent.view) && tried < AHEAD.length) {
        tried += 1
        sent = await send(intent, limit)
      }
      return sent
    },
    end: () => to,
  }
}

/** Two periods that begin and end on the same days. UNIX times in seconds. */
export interface SameDays {
  readonly period: Period
  readonly other: Period
  /** a moment between the two in which they differ: of lines that a report by the second has in one of them only */
  readonly between: number
}

export interface Period {
  readonly from: number
  readonly to: number
}

const QUARTER = 900
/** Seconds between a moment and the end of its day. */
const NEAR_END = 300
/** Seconds of a quarter of an hour that have to be over for moments in it to be asked about. */
const MINUTES_NEEDED = 180
/** Seconds between now and a moment after it, and from that to the end of its quarter of an hour. */
const EDGE = 60
/** Days that lie between today and the ones that are asked about. */
const AGO = 4

/**
 * Pairs of periods whose reports have to be the same, as only the day of `from` and `to` counts (usage rules). The
 * times 12:01 and 12:13 UTC lie in one quarter of an hour, and so on one day in every zone in use. If the binding names
 * the zone (GAP-USAGE-DAY-ZONE), the ends of whole days are tried as well. `count`: pairs drawn at random, beside the
 * fixed ones.
 */
export function sameDays(context: Pick<CaseContext, 'today' | 'seed' | 'binding'>, count: number): readonly SameDays[] {
  const noon = context.today / 1000 + DAY / 2
  const drawn = draw(
    fc.tuple(
      fc.integer({ min: 3, max: 8 }),
      fc.integer({ min: 60, max: QUARTER - 120 }),
      fc.constantFrom('from' as const, 'to' as const),
    ),
    subSeed(context.seed, 'moments'),
    count,
  )
  const near = [[AGO, 720, 'from'] as const, [AGO, 720, 'to'] as const, ...drawn].map(([days, distance, name]) => {
    const period = { from: noon - (days + 1) * DAY + 60, to: noon - (days - 1) * DAY + 60 }
    return pairOf(period, { [name]: period[name] + distance })
  })
  const zone = context.binding.answers.get('GAP-USAGE-DAY-ZONE')?.value
  return typeof zone === 'string' ? [...near, ...wholeDays(zone, noon)] : near
}

function wholeDays(zone: string, noon: number): SameDays[] {
  const first = dayOf(zone, noon - (AGO + 1) * DAY)
  const last = dayOf(zone, noon - (AGO - 1) * DAY)
  if (!first || !last) return []
  const period = { from: first.from, to: last.from }
  return [pairOf(period, { from: first.to }), pairOf(period, { to: last.to })]
}

function pairOf(period: Period, change: Partial<Period>): SameDays {
  const other = { ...period, ...change }
  const between = (period.from === other.from ? period.to + other.to : period.from + other.from) / 2
  return { period, other, between: Math.floor(between) }
}

/**
 * The same around lines of the present: the last full quarter of an hour, as far as three of its minutes, or the
 * current one. All in the past, and so asked for at once. Then around now: a report may count lines by their arrival.
 * `end`: of periods that hold now.
 */
export function presentDays(now: number, end: number): readonly SameDays[] {
  const begun = now - (now % QUARTER)
  const quarter = now - begun > MINUTES_NEEDED ? begun : begun - QUARTER
  const period = { from: quarter + 30, to: end }
  const ended = { from: quarter - 3 * DAY, to: quarter + 30 }
  const past = [pairOf(period, { from: quarter + 150 }), pairOf(ended, { to: quarter + 150 })]
  const later = begun + QUARTER - EDGE
  if (quarter !== begun || later - now < EDGE) return past
  const around = [...(end > later ? [pairOf(period, { from: later })] : []), pairOf(ended, { to: later })]
  return [...past, ...around.map((pair) => ({ ...pair, between: now }))]
}

/** From soon after the beginning to shortly before the end of a zone's day; undefined on days whose clocks are changed. */
export function dayOf(zone: string, moment: number): Period | undefined {
  // Swedish dates are written as in ISO 8601.
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const dateAt = (seconds: number): string => form.format(seconds * 1000).slice(0, 10)
  const [hours = 0, minutes = 0, seconds = 0] = form
    .format(moment * 1000)
    .slice(-8)
    .split(':')
    .map(Number)
  const start = moment - hours * 3_600 - minutes * 60 - seconds
  const day = { from: start + NEAR_END, to: start + DAY - NEAR_END }
  const date = dateAt(moment)
  return dateAt(day.from) === date && dateAt(day.to) === date ? day : undefined
}
