/** How a binding may say that a time is written. */
export type TimeForm = 'seconds' | 'milliseconds' | 'iso'

/** A time as it is sent. `time`: milliseconds since the epoch. */
export function timeIn(form: TimeForm, time: number): string | number {
  if (form === 'iso') return new Date(time).toISOString()
  return form === 'seconds' ? Math.floor(time / 1000) : time
}

/** Milliseconds since the epoch. A clock that is set back in the midst of a run goes on from where it was. */
export function wallTime(): number {
  return Math.max(Date.now(), Math.floor(performance.timeOrigin + performance.now()))
}

/** Below this a UNIX time is one in seconds. */
const FIRST_MILLISECOND = 100_000_000_000

/** A time as it is read: UNIX seconds or milliseconds, as a number or a text, or a date of ISO 8601. */
export function millisecondsOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  const time = typeof number === 'number' && !Number.isNaN(number) ? number : Date.parse(String(value))
  if (!Number.isFinite(time)) return undefined
  return typeof number === 'number' && !Number.isNaN(number) && Math.abs(number) < FIRST_MILLISECOND
    ? Math.round(number * 1000)
    : time
}

/** A parameter that a query surely has for a time, in milliseconds; undefined: it may be anything. */
export function askedTime(text: string | undefined): number | undefined {
  return text !== undefined && /^(?:\d+(?:\.\d+)?|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))$/.test(text)
    ? millisecondsOf(text)
    : undefined
}
