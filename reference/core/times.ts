/** Below this a UNIX time is one in seconds: as milliseconds it would lie in March 1973. */
const FIRST_MILLISECOND = 100_000_000_000
/** end of the year 9999 */
const LAST_TIME = 253_402_300_799_999

/** Milliseconds of a UNIX time that is given in seconds or in milliseconds. Undefined where it is none. */
export function toMilliseconds(text: string): number | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined
  const time = Math.trunc(isSeconds(text) ? Number(text) * 1000 : Number(text))
  return Math.abs(time) <= LAST_TIME ? time : undefined
}

/** Whether a UNIX time is given in seconds. */
export function isSeconds(text: string): boolean {
  return Math.abs(Number(text)) < FIRST_MILLISECOND
}
