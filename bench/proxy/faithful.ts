import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { openRecording } from '../../fixtures/recording/read.ts'
import type { UpstreamLog } from './messages.ts'

/** How a recording compares with what the target itself noted. */
export interface Faithful {
  readonly recorded: number
  readonly answered: number
  /** exchanges whose client left before the answer came */
  readonly interrupted: number
  /** other answers of the target that no exchange holds, byte for byte */
  readonly missing: number
  /** bodies sent that the target did not get as they were recorded */
  readonly differing: number
  readonly bytesOnDisk: number
}

/** Compares every body of a recording with the sums that the target made of what it sent and got. */
export async function compareWithLog(folder: string, log: UpstreamLog): Promise<Faithful> {
  const answers = new Map<number, number>()
  for (const sum of log.answers) answers.set(sum, (answers.get(sum) ?? 0) + 1)
  const sent = new Map(Object.entries(log.requestSums).map(([sum, count]) => [Number(sum), count]))
  let recorded = 0
  let missing = log.answers.length
  let interrupted = 0
  const recording = await openRecording(folder)
  for await (const { request, response, _outcome: outcome } of recording.exchanges()) {
    recorded += 1
    if (outcome === 'interrupted') interrupted += 1
    if (take(answers, crc32(response.content.text ?? ''))) missing -= 1
    if (request.postData) take(sent, crc32(request.postData.text))
  }
  const differing = [...sent.values()].reduce((sum, count) => sum + Math.abs(count), 0)
  missing = Math.max(0, missing - interrupted)
  return { recorded, answered: log.answers.length, interrupted, missing, differing, bytesOnDisk: sizeOf(folder) }
}

function take(sums: Map<number, number>, sum: number): boolean {
  const left = sums.get(sum) ?? 0
  sums.set(sum, left - 1)
  return left > 0
}

export function sizeOf(folder: string): number {
  return readdirSync(folder)
    .filter((name) => name.startsWith('exchanges-'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
