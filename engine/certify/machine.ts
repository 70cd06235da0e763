import { availableParallelism, release, totalmem } from 'node:os'

/** The machine that a run is sent from, in words: what may explain its latencies. */
export function machineInWords(): Record<string, string> {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    system: release(),
    processors: String(availableParallelism()),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}
