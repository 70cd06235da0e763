import { createHash } from 'node:crypto'

/** The seed of one case: the same whatever else runs, in any worker. A 31-bit integer. */
export function caseSeed(runSeed: number, caseId: string): number {
  return createHash('sha256').update(`${runSeed}:${caseId}`).digest().readUInt32BE(0) >>> 1
}

/** A short name for a case in the labels of what it makes: [a-z0-9]{6}. */
export function caseTag(caseId: string): string {
  const number = createHash('sha256').update(caseId).digest().readUInt32BE(0)
  return number.toString(36).padStart(6, '0').slice(-6)
}
