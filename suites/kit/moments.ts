import fc from 'fast-check'
import { usageReport } from '../../rules/usage.ts'
import { type CaseContext, NotRun, type Sent } from './case.ts'
import { draw, subSeed } from './draw.ts'

/** Two periods that begin and end on the same days. UNIX times in seconds. */
export interface SameDays {
  readonly period: Period
  readonly other: Period
}

interface Period {
  readonly from: number
  readonly to: number
}

const DAY = 86_400
const QUARTER = 900
/** Seconds between a moment and the end of its day. */
const NEAR_END = 300
/** Days that lie between today and the ones that are asked about. */
const AGO = 4

/**
 * Pairs of periods whose reports have to be the same, as only the day of `from` and `to` counts (usage rules). 12:01 and
 * 12:13 UTC lie in one quarter of an hour, and so on one day in every zone in use; where the binding names the zone
 * (GAP-USAGE-DAY-ZONE), the ends of whole days are tried as well. `count`: pairs drawn at random, beside the fixed ones.
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
    return { period, other: { ...period, [name]: period[name] + distance } }
  })
  const zone = context.binding.answers.get('GAP-USAGE-DAY-ZONE')?.value
  return typeof zone === 'string' ? [...near, ...wholeDays(zone, noon)] : near
}

function wholeDays(zone: string, noon: number): SameDays[] {
  const first = dayOf(zone, noon - (AGO + 1) * DAY)
  const last = dayOf(zone, noon - (AGO - 1) * DAY)
  if (!first || !last) return []
  const period = { from: first.from, to: last.from }
  return [
    { period, other: { ...period, from: first.to } },
    { period, other: { ...period, to: last.to } },
  ]
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

/**
 * Sees to it that a run says so where all of the days that were asked about are empty: then nothing can be told apart.
 * `lines`: what a day has to have, in words; `asked`: what is asked about.
 */
export function createCounted(
  { oracle, today }: Pick<CaseContext, 'oracle' | 'today'>,
  lines: string,
  asked: readonly SameDays[],
): { look(sent: Sent): void; end(): void } {
  let rows: number | undefined
  return {
    look({ view }) {
      const report = usageReport(view, oracle)
      if (report) rows = (rows ?? 0) + report.rows.length
    },
    /** Throws NotRun where no report had any row. */
    end() {
      if (rows !== 0) return
      const all = asked.flatMap(({ period, other }) => [period, other])
      const first = dateOf(Math.min(...all.map(({ from }) => from)))
      const last = dateOf(Math.max(...all.map(({ to }) => to)))
      const would = `${lines} of ${dateOf(today / 1000 - AGO * DAY)}, there before the run, would do`
      throw new NotRun(
        'no-resource',
        `the account has no ${lines} from ${first} to ${last}, the days asked about: ${would}`,
      )
    },
  }
}

/** The day in UTC. */
function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
